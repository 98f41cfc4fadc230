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
import org.apache.flink.table.types.logical.BigIntType;
import org.apache.flink.table.types.logical.RowType;
import org.apache.flink.table.types.logical.TimestampType;
import org.apache.flink.table.types.logical.VarCharType;
import org.apache.flink.util.ExceptionUtils;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import java.time.Duration;
import java.util.Arrays;
import java.util.List;

/** The connector of SQL: its options, its keys and its times. What it reads is tested by {@link GatewayTest}. */
@Tag("cluster")
class OnceTableTest {
    private static final RowType ROW = RowType.of(new VarCharType(), new VarCharType(), new TimestampType(3), new BigIntType());

    private static final TableEnvironment STREAMING = TableEnvironment.create(EnvironmentSettings.inStreamingMode());

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
        tables.executeSql("CREATE TEMPORARY TABLE " + name + " (id STRING, tags MAP<STRING, STRING>, weight DOUBLE, millis BIGINT,"
            + " placed TIMESTAMP(3), computed AS UPPER(id), file STRING METADATA FROM 'file.path') WITH (" + with + ")");
        return tables.explainSql("SELECT id, file FROM " + name);
    }

    private static void assertSays(String text, String... options) {
        assertSays(STREAMING, text, "filesystem", options);
    }

    private static void assertSays(TableEnvironment tables, String text, String connector, String... options) {
        Exception e = assertThrows(Exception.class, () -> plan(tables, connector, options));
        assertTrue(ExceptionUtils.stringifyException(e).contains(text), ExceptionUtils.stringifyException(e));
    }

    @Test
    void optionsThatCanWorkGiveAPlanWithBothConnectors() {
        for (String time : List.of("placed", "millis", "PROCTIME()")) {
            String plan = plan(STREAMING, "filesystem", "lately.key", "id;placed", "lately.window", "1 h", "lately.time", time,
                "lately.error-rate", "1e-9", "lately.expected-keys", "1000", "lately.memory-per-subtask", "64 mb",
                "lately.max-step", "1 d", "lately.keep-first", "true", "lately.uid", "mine");
            assertTrue(plan.contains("fields=[id"), plan);
        }
    }

    @Test
    void optionsThatCannotWorkFailTheStatementWithWhatIsAllowed() {
        assertSays("lately.key", "lately.window", "1 h", "lately.time", "placed");
        assertSays("lately.colour", "lately.key", "id", "lately.window", "1 h", "lately.time", "placed", "lately.colour", "red");
        assertSays("lately.key = 'name': allowed are the columns that the connector reads, id, tags, weight, millis, placed",
            "lately.key", "name", "lately.window", "1 h", "lately.time", "placed");
        assertSays("a computed column is not one of them", "lately.key", "computed", "lately.window", "1 h", "lately.time", "placed");
        assertSays("lately.key = 'tags' is a column of type MAP", "lately.key", "tags", "lately.window", "1 h", "lately.time", "placed");
        assertSays("lately.key = 'weight' is a column of type DOUBLE: allowed are", "lately.key", "weight", "lately.window", "1 h",
            "lately.time", "placed");
        assertSays("lately.time = 'id' is a column of type STRING: allowed are TIMESTAMP", "lately.key", "id", "lately.window", "1 h",
            "lately.time", "id");
        assertSays("errorRate = 0.7: must be", "lately.key", "id", "lately.window", "1 h", "lately.time", "placed",
            "lately.error-rate", "0.7");
        assertSays("allowedLateness = PT4H: must be PT0S to PT3H", "lately.key", "id", "lately.window", "1 h", "lately.time", "placed",
            "lately.allowed-lateness", "4 h");
    }

    @Test
    void whatItCannotReadIsRefused() {
        assertSays(TableEnvironment.create(EnvironmentSettings.inBatchMode()), "In BATCH use ROW_NUMBER()", "filesystem",
            "lately.key", "id", "lately.window", "1 h", "lately.time", "placed");
        assertSays(STREAMING, "no-such", "no-such", "lately.key", "id", "lately.window", "1 h", "lately.time", "placed");
        Exception e = assertThrows(Exception.class, () -> new OnceTableSource(new Changes(), null, null, null).getChangelogMode());
        assertTrue(e.getMessage().contains("the rows of changes are [INSERT, UPDATE_BEFORE, UPDATE_AFTER, DELETE]: allowed are rows"),
            e.getMessage());
        e = assertThrows(Exception.class, () -> new OnceTableSource(new Changes(), null, null, null).getScanRuntimeProvider(null));
        assertTrue(e.getMessage().contains("must read by a Source or a DataStream"), e.getMessage());
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
