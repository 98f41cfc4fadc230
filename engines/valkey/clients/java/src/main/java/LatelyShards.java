import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import redis.clients.jedis.ClusterCommandArguments;
import redis.clients.jedis.CommandArguments;
import redis.clients.jedis.HostAndPort;
import redis.clients.jedis.JedisCluster;
import redis.clients.jedis.JedisPooled;
import redis.clients.jedis.Response;
import redis.clients.jedis.UnifiedJedis;
import redis.clients.jedis.CommandObject;
import redis.clients.jedis.BuilderFactory;
import redis.clients.jedis.commands.ProtocolCommand;

/**
 * One filter over the shards NAME:S:0 .. NAME:S:S-1 of a Valkey or Redis, or of a cluster of them. The commands are those
 * of the client in Python.
 */
public final class LatelyShards {
    private LatelyShards() {}

    /** Which shard an item belongs to: the same in every language. */
    static int shardOf(byte[] item, int shards) {
        long h = 0xCBF29CE484222325L;
        for (byte b : item) {
            h = (h ^ (b & 0xFF)) * 0x100000001B3L;
        }
        h = (h ^ (h >>> 32)) * 0x9E3779B97F4A7C15L;
        return (int) Long.remainderUnsigned(h ^ (h >>> 32), shards);
    }

    private static CommandArguments command(String verb, String name, int shards, int shard) {
        ProtocolCommand raw = () -> verb.getBytes(StandardCharsets.US_ASCII);
        return new ClusterCommandArguments(raw).key(name + ":" + shards + ":" + shard);
    }

    /** One pipelined command for each shard; the answers in the order of the items. */
    static long[] ask(UnifiedJedis server, String verb, String name, int shards, List<String> items) {
        List<List<Integer>> places = IntStream.range(0, shards).mapToObj(i -> new ArrayList<Integer>()).collect(Collectors.toList());
        for (int i = 0; i < items.size(); i++) {
            places.get(shardOf(items.get(i).getBytes(StandardCharsets.UTF_8), shards)).add(i);
        }
        List<Response<List<Long>>> replies = new ArrayList<>();
        try (var pipe = server.pipelined()) {
            for (int shard = 0; shard < shards; shard++) {
                CommandArguments words = command(verb, name, shards, shard).add("OF").add(shards).add("ITEMS");
                places.get(shard).forEach(i -> words.add(items.get(i)));
                boolean none = places.get(shard).isEmpty();
                replies.add(none ? null : pipe.executeCommand(new CommandObject<>(words, BuilderFactory.LONG_LIST)));
            }
        }
        long[] answers = new long[items.size()];
        for (int shard = 0; shard < shards; shard++) {
            for (int j = 0; j < places.get(shard).size(); j++) {
                answers[places.get(shard).get(j)] = replies.get(shard).get().get(j);
            }
        }
        return answers;
    }

    /** 1 for each item that is new. While a filter grows, what its old shards know is not new; old 0: none. */
    static long[] add(UnifiedJedis server, String name, int shards, int old, List<String> items) {
        long[] seen = old > 0 ? ask(server, "LATELY.MEXISTS", name, old, items) : new long[items.size()];
        long[] answers = ask(server, "LATELY.MADD", name, shards, items);
        return IntStream.range(0, answers.length).mapToLong(i -> answers[i] * (1 - seen[i])).toArray();
    }

    static void reserve(UnifiedJedis server, String name, int shards, List<String> request) {
        for (int i = 0; i < shards; i++) {
            CommandArguments words = command("LATELY.RESERVE", name, shards, i).addObjects(request);
            words.add("SHARD").add(i).add("OF").add(shards).add("NX");
            server.executeCommand(new CommandObject<>(words, BuilderFactory.LONG));
        }
    }

    /** The new shards, made as the old ones were. */
    static void grow(UnifiedJedis server, String name, int old, int shards) {
        CommandArguments words = command("LATELY.INFO", name, old, 0).add("request");
        String request = server.executeCommand(new CommandObject<>(words, BuilderFactory.STRING));
        reserve(server, name, shards, List.of(request.substring(0, request.indexOf(" SHARD ")).split(" ")));
    }

    private static List<String> lines() throws Exception {
        String all = new String(System.in.readAllBytes(), StandardCharsets.UTF_8);
        return all.lines().collect(Collectors.toList());
    }

    private static void check() throws Exception {
        for (String line : lines()) {
            String[] row = line.split(" ");
            if (!row[0].equals("#")) {
                String hex = row[2].replace("-", "");
                byte[] item = new byte[hex.length() / 2];
                for (int i = 0; i < item.length; i++) {
                    item[i] = (byte) Integer.parseInt(hex.substring(2 * i, 2 * i + 2), 16);
                }
                if (shardOf(item, Integer.parseInt(row[0])) != Integer.parseInt(row[1])) {
                    throw new IllegalStateException("wrong: " + line);
                }
            }
        }
    }

    public static void main(String[] args) throws Exception {
        if (args[0].equals("check")) {
            check();
            return;
        }
        HostAndPort place = HostAndPort.from(args[0].substring(args[0].indexOf("://") + 3));
        boolean cluster = args[0].startsWith("cluster");
        try (UnifiedJedis server = cluster ? new JedisCluster(Set.of(place)) : new JedisPooled(place)) {
            String name = args[2];
            int shards = Integer.parseInt(args[3]);
            List<String> rest = Arrays.asList(args).subList(4, args.length);
            if (args[1].equals("add")) {
                int old = rest.isEmpty() ? 0 : Integer.parseInt(rest.get(0));
                Arrays.stream(add(server, name, shards, old, lines())).forEach(System.out::println);
            } else if (args[1].equals("reserve")) {
                reserve(server, name, shards, rest);
            } else if (args[1].equals("grow")) {
                grow(server, name, shards, Integer.parseInt(rest.get(0)));
            } else {
                IntStream.range(0, shards).forEach(i -> server.unlink(name + ":" + shards + ":" + i));
            }
        }
    }
}
