import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import redis.clients.jedis.HostAndPort;
import redis.clients.jedis.JedisCluster;
import redis.clients.jedis.JedisPooled;
import redis.clients.jedis.UnifiedJedis;

/** The client as a command. The words are those of the command in Python. */
public final class Main {
    private static List<String> lines() throws Exception {
        return new String(System.in.readAllBytes(), StandardCharsets.UTF_8).lines().collect(Collectors.toList());
    }

    /** Compares the shard function with its vectors. */
    private static void check() throws Exception {
        for (String line : lines()) {
            String[] row = line.split(" ");
            if (!row[0].equals("#")) {
                String hex = row[2].replace("-", "");
                byte[] item = new byte[hex.length() / 2];
                for (int i = 0; i < item.length; i++) {
                    item[i] = (byte) Integer.parseInt(hex.substring(2 * i, 2 * i + 2), 16);
                }
                if (LatelyShards.shardOf(item, Integer.parseInt(row[0])) != Integer.parseInt(row[1])) {
                    throw new IllegalStateException("wrong: " + line);
                }
            }
        }
    }

    private static void run(UnifiedJedis server, String verb, String name, int shards, List<String> rest) throws Exception {
        if (verb.equals("add")) {
            int old = rest.isEmpty() ? 0 : Integer.parseInt(rest.get(0));
            Arrays.stream(LatelyShards.add(server, name, shards, old, lines())).forEach(System.out::println);
        } else if (verb.equals("commit") || verb.equals("abandon")) {
            int old = rest.isEmpty() ? 0 : Integer.parseInt(rest.get(0));
            for (String item : lines()) {
                try (var claim = LatelyClaim.of(server, name, shards, old, item)) {
                    String found = verb.equals("commit") && claim.answer == 1 ? claim.commit() : "";
                    System.out.println(claim.answer + " " + found);
                }
            }
        } else if (verb.equals("reserve")) {
            LatelyShards.reserve(server, name, shards, rest);
        } else if (verb.equals("grow")) {
            LatelyShards.grow(server, name, shards, Integer.parseInt(rest.get(0)));
        } else {
            IntStream.range(0, shards).forEach(i -> server.unlink(LatelyShards.key(name, shards, i)));
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
            run(server, args[1], args[2], Integer.parseInt(args[3]), Arrays.asList(args).subList(4, args.length));
        }
    }
}
