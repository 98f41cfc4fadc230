package example;

import dev.lately.flink.Deduplicate;

import org.apache.flink.streaming.api.datastream.DataStream;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;
import org.apache.flink.table.api.DataTypes;
import org.apache.flink.table.api.Schema;
import org.apache.flink.table.api.bridge.java.StreamTableEnvironment;
import org.apache.flink.types.Row;

import java.time.Duration;

/**
 * Deduplication between two SQL statements: a table becomes a stream, goes through the operator, and is a view again, with
 * its time. Of 2000 orders each id comes four times, half a second apart; the query sees each once.
 */
public final class OnceInSql {
    private static final String ORDERS = "CREATE TEMPORARY TABLE orders ("
        + "  number BIGINT,"
        + "  id AS CONCAT('order-', CAST(MOD(number, 500) AS STRING)),"
        + "  placed AS TO_TIMESTAMP_LTZ(1700000000000 + number, 3),"
        + "  WATERMARK FOR placed AS placed - INTERVAL '1' SECOND"
        + ") WITH ('connector' = 'datagen', 'number-of-rows' = '2000',"
        + "  'fields.number.kind' = 'sequence', 'fields.number.start' = '0', 'fields.number.end' = '1999')";

    /** The orders of each second. */
    public static final String PER_SECOND = "SELECT window_start, id, COUNT(*), MIN(number)"
        + " FROM TABLE(TUMBLE(TABLE orders_once, DESCRIPTOR(arrived), INTERVAL '1' SECOND)) GROUP BY window_start, window_end, id";

    private OnceInSql() {
    }

    public static void main(String[] arguments) {
        tables(StreamExecutionEnvironment.getExecutionEnvironment()).executeSql(PER_SECOND).print();
    }

    /** The table `orders`, and `orders_once` of it. */
    public static StreamTableEnvironment tables(StreamExecutionEnvironment environment) {
        StreamTableEnvironment tables = StreamTableEnvironment.create(environment);
        tables.executeSql(ORDERS);
        DataStream<Row> once = Deduplicate.<Row>within(Duration.ofHours(1))
            .keyString(row -> row.getFieldAs("id"))
            .eventTime()
            .on(tables.toDataStream(tables.from("orders")));
        Schema withTime = Schema.newBuilder()
            .columnByMetadata("arrived", DataTypes.TIMESTAMP_LTZ(3), "rowtime")
            .watermark("arrived", "SOURCE_WATERMARK()")
            .build();
        tables.createTemporaryView("orders_once", tables.fromDataStream(once, withTime));
        return tables;
    }
}
