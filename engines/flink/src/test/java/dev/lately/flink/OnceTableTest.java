package dev.lately.flink;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.apache.flink.table.api.EnvironmentSettings;
import org.apache.flink.table.api.TableEnvironment;
import org.apache.flink.table.connector.ChangelogMode;
import org.apache.flink.table.connector.source.DynamicTableSource;
import org.apache.flink.table.connector.source.ScanTableSource;
import org.apache.flink.table.data.GenericRowData;
import org.apache.flink.table.data.RowData;
import org.apache.flink.table.data.StringData;
import org.apache.flink.table.data.TimestampData;
import org.apache.flink.table.functions.ScalarFunction;
import org.apache.flink.table.types.logical.BigIntType;
import org.apache.flink.table.types.logical.RowType;
import org.apache.flink.table.types.logical.TimestampType;
import org.apache.flink.table.types.logical.VarCharType;
import org.apache.flink.util.ExceptionUtils;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** The connector of SQL: its options, its keys and its times. What it reads is tested by {@link GatewayTest}. */
@Tag("cluster")
class OnceTableTest {
    private static final RowType ROW = RowType.of(new VarCharType(), new VarCharType(), new TimestampType(3), new BigIntType());

    private static final TableEnvironment STREAMING = TableEnvironment.create(EnvironmentSettings.inStreamingMode());

    /** A function that is registered where the statement is, and nowhere else. */
    public static final class Shout extends ScalarFunction {
        private static final long serialVersionUID = 1;

        public String eval(String text) {
            return text + "!";
        }
    }

    /** The plan of a query over a table with these options of ours. */
    private static String plan(TableEnvironment tables, String connector, String... options) {
        String name = "t" + System.nanoTime();
        StringBuilder with = new StringBuilder("'connector' = 'lately', 'lately.connector' = '" + connector + "'");
        for (int i = 0; i < options.length; i += 2) {
            with.append(", '").append(options[i]).append("' = '").append(options[i + 1]).append('\'');
        }
        if (connector.equals("filesystem")) {
            with.append(", 'path' = '/tmp/none', 'format' = 'json'");
        }
        tables.executeSql("CREATE TEMPORARY SYSTEM FUNCTION IF NOT EXISTS SHOUT AS '" + Shout.class.getName() + "'");
        tables.executeSql("CREATE TEMPORARY TABLE " + name + " (id STRING, tags MAP<STRING, STRING>, weight DOUBLE, millis BIGINT,"
            + " placed TIMESTAMP(3), computed AS UPPER(id), half AS weight / 2, file STRING METADATA FROM 'file.path',"
            + " place AS UPPER(file), loud AS SHOUT(id)) WITH (" + with + ")");
        return tables.explainSql("SELECT id FROM " + name);
    }

    private static void assertSays(String text, String key, String time, String... more) {
        assertSays(STREAMING, text, "filesystem", key, time, more);
    }

    private static void assertSays(TableEnvironment tables, String text, String connector, String key, String time, String... more) {
        List<String> options = new ArrayList<>(List.of("lately.window", "1 h", "lately.time", time));
        options.addAll(key.isEmpty() ? List.of() : List.of("lately.key", key));
        options.addAll(List.of(more));
        Exception e = assertThrows(Exception.class, () -> plan(tables, connector, options.toArray(String[]::new)));
        assertTrue(ExceptionUtils.stringifyException(e).contains(text), ExceptionUtils.stringifyException(e));
    }

    @Test
    void optionsThatCanWorkGiveAPlanWithBothConnectors() {
        for (String time : List.of("placed", "millis", "PROCTIME()")) {
            String plan = plan(STREAMING, "filesystem", "lately.key", "id;computed;placed;file;place", "lately.window", "1 h", "lately.time", time,
                "lately.error-rate", "1e-9", "lately.expected-keys", "1000", "lately.memory-per-subtask", "64 mb",
                "lately.max-step", "1 d", "lately.keep-first", "true", "lately.uid", "mine");
            assertTrue(plan.contains("fields=[id"), plan);
        }
    }

    @Test
    void optionsThatCannotWorkFailTheStatementWithWhatIsAllowed() {
        assertSays("lately.key", "", "placed");
        assertSays("lately.colour", "id", "placed", "lately.colour", "red");
        assertSays("lately.key = 'name': allowed are the columns of the table, id, tags, weight, millis, placed, file", "name", "placed");
        assertSays("allowed are no functions of a catalog", "loud", "placed");
        assertSays("lately.key = 'half' is a column of type DOUBLE", "half", "placed");
        assertSays("the table must have a WATERMARK FOR 'placed'", "id", "placed", "lately.in-time-order", "true");
        assertSays("cannot be combined with processingTime()", "id", "PROCTIME()", "lately.in-time-order", "true");
        assertSays("lately.key = 'tags' is a column of type MAP", "tags", "placed");
        assertSays("lately.key = 'weight' is a column of type DOUBLE: allowed are", "weight", "placed");
        assertSays("lately.time = 'id' is a column of type STRING: allowed are TIMESTAMP", "id", "id");
        assertSays("errorRate = 0.7: must be", "id", "placed", "lately.error-rate", "0.7");
        assertSays("allowedLateness = PT4H: must be PT0S to PT3H", "id", "placed", "lately.allowed-lateness", "4 h");
    }

    @Test
    void whatItCannotReadIsRefused() {
        TableEnvironment batch = TableEnvironment.create(EnvironmentSettings.inBatchMode());
        assertSays(batch, "In BATCH use ROW_NUMBER()", "filesystem", "id", "placed");
        assertSays(STREAMING, "no-such", "no-such", "id", "placed");
        Exception e = assertThrows(Exception.class, () -> changes().getChangelogMode());
        assertTrue(e.getMessage().contains("the rows of changes are [INSERT, UPDATE_BEFORE, UPDATE_AFTER, DELETE]: allowed are rows"),
            e.getMessage());
        e = assertThrows(Exception.class, () -> changes().getScanRuntimeProvider(null));
        assertTrue(e.getMessage().contains("must read by a Source or a DataStream"), e.getMessage());
    }

    private static OnceTableSource changes() {
        return new OnceTableSource(new Changes(), new OnceTableSource.Judged(null, null, null, null, null));
    }

    /** A source of a changelog, which reads by means of its own. */
    private static final class Changes implements ScanTableSource {
        @Override
        public ChangelogMode getChangelogMode() {
            return ChangelogMode.all();
        }

        @Override
        public ScanRuntimeProvider getScanRuntimeProvider(ScanContext context) {
            return () -> true;
        }

        @Override
        public DynamicTableSource copy() {
            return this;
        }

        @Override
        public String asSummaryString() {
            return "changes";
        }
    }

    @Test
    void keysOfRowsAreEqualWhereAllTheirColumnsAre() throws Exception {
        RowKey key = RowKey.of(ROW, List.of("f0", "f1"));
        List<RowData> different = List.of(row("ab", "c"), row("a", "bc"), row(null, "c"), row("", "c"), row("null", "c"), row("c", null));
        for (int i = 0; i < different.size(); i++) {
            for (int j = 0; j < different.size(); j++) {
                assertEquals(i == j, Arrays.equals(key.getKey(different.get(i)), key.getKey(different.get(j))), i + " and " + j);
            }
        }
        // A state is read by later releases: these bytes stay.
        assertArrayEquals(new byte[] {0, 0, 0, 2, 'a', 'b', -1, -1, -1, -1}, key.getKey(row("ab", null)));
        byte[] others = RowKey.of(ROW, List.of("f2", "f3")).getKey(row("", ""));
        assertArrayEquals(new byte[] {0, 0, 0, 6, '1', '0', '0', '0', '.', '0', 0, 0, 0, 1, '7'}, others);
    }

    @Test
    void timesOfRowsAreInMillisecondsAndNotNull() {
        GenericRowData row = row("", "");
        assertEquals(1000, RowTime.of(ROW, "f2").extractTimestamp(row, 0));
        assertEquals(7, RowTime.of(ROW, "f3").extractTimestamp(row, 0));
        assertFalse(RowTime.of(ROW, "PROCTIME()") != null);
        row.setField(3, null);
        Exception e = assertThrows(IllegalArgumentException.class, () -> RowTime.of(ROW, "f3").extractTimestamp(row, 0));
        assertTrue(e.getMessage().contains("the column 'f3' of a row is NULL"), e.getMessage());
    }

    private static GenericRowData row(String one, String two) {
        return GenericRowData.of(one == null ? null : StringData.fromString(one), two == null ? null : StringData.fromString(two),
            TimestampData.fromEpochMillis(Duration.ofSeconds(1).toMillis()), 7L);
    }
}
