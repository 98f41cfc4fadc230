import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeMap;
import java.util.stream.IntStream;
import redis.clients.jedis.*;

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

    private static CommandArguments command(String verb, String key) {
        return new ClusterCommandArguments(() -> verb.getBytes(StandardCharsets.US_ASCII)).key(key);
    }

    /**
     * One command for each shard, in one pipeline; the answers in the order of the items. If an item or a shard
     * refuses, that is an error; the others are added all the same.
     */
    static long[] ask(UnifiedJedis server, String verb, String name, int shards, List<String> items) {
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
        long[] answers = new long[items.size()];
        replies.forEach((shard, reply) -> IntStream.range(0, reply.get().size()).forEach(j -> {
            if (reply.get().get(j) instanceof RuntimeException) {
                throw (RuntimeException) reply.get().get(j);
            }
            answers[places.get(shard).get(j)] = (Long) reply.get().get(j);
        }));
        return answers;
    }

    /** 1 for each item that is new. While a filter grows from old shards, what those know is not new; old 0: none. */
    static long[] add(UnifiedJedis server, String name, int shards, int old, List<String> items) {
        long[] seen = old > 0 ? ask(server, "LATELY.MEXISTS", name, old, items) : new long[items.size()];
        long[] answers = ask(server, "LATELY.MADD", name, shards, items);
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

    /** Makes the new shards as the old ones were made; then add with old for one window, then the old ones can go. */
    static void grow(UnifiedJedis server, String name, int old, int shards) {
        var words = command("LATELY.INFO", key(name, old, 0)).add("request");
        String request = server.executeCommand(new CommandObject<>(words, BuilderFactory.STRING));
        reserve(server, name, shards, List.of(request.split(" SHARD ")[0].split(" ")));
    }
}
