import java.nio.charset.StandardCharsets;
import java.util.List;
import redis.clients.jedis.*;
import redis.clients.jedis.exceptions.JedisDataException;

/**
 * An item that was claimed on the shards of LatelyShards, made with LEASE: it is stored when its work is done, and new again if
 * it failed. The end of try abandons what was not committed.
 *
 * <pre>
 * try (var order = LatelyClaim.of(server, "seen", 4, 0, "order-17")) {
 *     if (order.answer == 1) {
 *         work();
 *         order.commit();
 *     }
 * }
 * </pre>
 */
public final class LatelyClaim implements AutoCloseable {
    /** 1 if it is yours, 0 if it was seen, 2 if another works on it. */
    final long answer;

    private final UnifiedJedis server;
    private final String key;
    private final String item;
    private final String token;
    private boolean open;

    private LatelyClaim(UnifiedJedis server, String key, String item, List<Object> reply) {
        this.server = server;
        this.key = key;
        this.item = item;
        answer = (Long) reply.get(0);
        token = new String((byte[]) reply.get(1), StandardCharsets.US_ASCII);
        open = answer == 1;
    }

    /**
     * Claims an item. While a filter grows from old shards, those are asked first: they know what is stored or claimed there; old
     * 0: none. If it has grown since, the new shards are asked.
     */
    static LatelyClaim of(UnifiedJedis server, String name, int shards, int old, String item) {
        int grown = 0;
        for (int of : old > 0 ? new int[] {old, shards} : new int[] {shards}) {
            String key = LatelyShards.key(name, of, LatelyShards.shardOf(item.getBytes(StandardCharsets.UTF_8), of));
            var words = LatelyShards.command("LATELY.CLAIM", key).add(item).add("OF").add(of);
            try {
                var reply = server.executeCommand(new CommandObject<>(words, BuilderFactory.RAW_OBJECT_LIST));
                return new LatelyClaim(server, key, item, reply);
            } catch (JedisDataException refusal) {
                if (!refusal.getMessage().startsWith("GROWN ")) {
                    throw refusal;
                }
                grown = Integer.parseInt(refusal.getMessage().split(" ")[1]);
            }
        }
        LatelyShards.mark(server, name, shards, grown);
        return of(server, name, grown, shards, item);
    }

    /** Stores the item: IN-TIME, LATE after the lease, or ALREADY where another stored it. One that failed changes nothing. */
    String commit() {
        String found = end("LATELY.COMMIT");
        open = false;
        return found;
    }

    /** Abandons it: the next claim of the item is 1. Does nothing to one that is not open. */
    @Override
    public void close() {
        if (open) {
            open = false;
            end("LATELY.ABANDON");
        }
    }

    private String end(String verb) {
        var words = LatelyShards.command(verb, key).add(item).add(token);
        return server.executeCommand(new CommandObject<>(words, BuilderFactory.STRING));
    }
}
