import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import redis.clients.jedis.*;
import redis.clients.jedis.exceptions.JedisDataException;

/** One filter over the shards NAME:S:0 .. NAME:S:S-1 of a Valkey or Redis, or of a cluster of them. Needs Jedis. */
public final class LatelyShards {
    /** Which shard an item belongs to: the same in every language. */
    static int shardOf(byte[] item, int shards) {
        long h = 0xCBF29CE484222325L;
        for (byte b : item) {
            h = (h ^ (b & 0xFF)) * 0x100000001B3L;
        }
        h = (h ^ (h >>> 32)) * 0x9E3779B97F4A7C15L;
        return (int) Long.remainderUnsigned(h ^ (h >>> 32), shards);
    }

    static String key(String name, int shards, int shard) {
        return name + ":" + shards + ":" + shard;
    }

    static CommandArguments command(String verb, String key) {
        return new ClusterCommandArguments(() -> verb.getBytes(StandardCharsets.US_ASCII)).key(key);
    }

    /** Answers in the order of the items, -1 where the shard has grown, and how many shards there are then; else 0. */
    static final class Asked {
        long[] answers;
        int grown;

        void take(List<Integer> rows, Response<List<Object>> reply) {
            try {
                for (int j = 0; j < rows.size(); j++) {
                    if (reply.get().get(j) instanceof RuntimeException) {
                        throw (RuntimeException) reply.get().get(j);
                    }
                    answers[rows.get(j)] = (Long) reply.get().get(j);
                }
            } catch (JedisDataException refusal) {
                if (!refusal.getMessage().startsWith("GROWN ")) {
                    throw refusal;
                }
                grown = Integer.parseInt(refusal.getMessage().split(" ")[1]);
                rows.forEach(i -> answers[i] = -1);
            }
        }
    }

    /**
     * One command for each shard, in one pipeline. If an item or a shard refuses, that is an error; the others are added
     * all the same.
     */
    static Asked ask(UnifiedJedis server, String verb, String name, int shards, List<String> items) {
        var places = new TreeMap<Integer, List<Integer>>();
        IntStream.range(0, items.size()).forEach(i -> places.computeIfAbsent(
                shardOf(items.get(i).getBytes(StandardCharsets.UTF_8), shards), shard -> new ArrayList<>()).add(i));
        var replies = new TreeMap<Integer, Response<List<Object>>>();
        try (var pipe = server.pipelined()) {
            places.forEach((shard, rows) -> {
                var words = command(verb, key(name, shards, shard)).add("OF").add(shards).add("ITEMS");
                rows.forEach(i -> words.add(items.get(i)));
                replies.put(shard, pipe.executeCommand(new CommandObject<>(words, BuilderFactory.ENCODED_OBJECT_LIST)));
            });
        }
        var asked = new Asked();
        asked.answers = new long[items.size()];
        replies.forEach((shard, reply) -> asked.take(places.get(shard), reply));
        return asked;
    }

    /**
     * 1 for each item that is new. While a filter grows from old shards, what those know is not new; old 0: none. If it has
     * grown since, the rest goes to the new shards.
     */
    static long[] add(UnifiedJedis server, String name, int shards, int old, List<String> items) {
        long[] seen = old > 0 ? ask(server, "LATELY.MEXISTS", name, old, items).answers : new long[items.size()];
        Asked asked = ask(server, "LATELY.MADD", name, shards, items);
        long[] answers = asked.answers;
        if (asked.grown > 0) {
            mark(server, name, shards, asked.grown);
            int[] rest = IntStream.range(0, answers.length).filter(i -> answers[i] < 0).toArray();
            List<String> left = IntStream.of(rest).mapToObj(items::get).collect(Collectors.toList());
            long[] more = add(server, name, asked.grown, shards, left);
            IntStream.range(0, rest.length).forEach(j -> answers[rest[j]] = more[j]);
        }
        return IntStream.range(0, answers.length).mapToLong(i -> answers[i] * (1 - seen[i])).toArray();
    }

    /** Makes the shards, each with the words of a request such as WINDOW 600000. */
    static void reserve(UnifiedJedis server, String name, int shards, List<String> request) {
        for (int i = 0; i < shards; i++) {
            var words = command("LATELY.RESERVE", key(name, shards, i)).addObjects(request);
            words.add("SHARD").add(i).add("OF").add(shards).add("NX");
            server.executeCommand(new CommandObject<>(words, BuilderFactory.LONG));
        }
    }

    /** The old shards take no more items: whatever they do not know by now can be new in the new ones alone. */
    static void mark(UnifiedJedis server, String name, int old, int shards) {
        for (int i = 0; i < old; i++) {
            var words = command("LATELY.GROW", key(name, old, i)).add(shards);
            server.executeCommand(new CommandObject<>(words, BuilderFactory.STRING));
        }
    }

    /**
     * Makes the new shards as the old ones were made, each with its part of what is counted or measured, and marks the old
     * ones; then add with old for one window, then the old ones can go.
     */
    static void grow(UnifiedJedis server, String name, int old, int shards) {
        var words = command("LATELY.INFO", key(name, old, 0)).add("request");
        String request = server.executeCommand(new CommandObject<>(words, BuilderFactory.STRING));
        String[] parts = request.split(" SHARD ")[0].split(" ");
        for (int i = 1; i < parts.length; i++) {
            if (List.of("CAPACITY", "MEMORY", "MAXCLAIMS").contains(parts[i - 1])) {
                parts[i] = Long.toString((Long.parseLong(parts[i]) * old + shards - 1) / shards);
            }
        }
        reserve(server, name, shards, List.of(parts));
        mark(server, name, old, shards);
    }
}
