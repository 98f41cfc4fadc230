package dev.lately.flink;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import example.OnceInSql;

import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;
import org.apache.flink.types.Row;
import org.apache.flink.util.CloseableIterator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import java.time.LocalDateTime;
import java.time.ZoneId;
import java.util.HashSet;
import java.util.Set;
import java.util.concurrent.TimeUnit;

/** The operator between two SQL statements, as README.md has it. */
@Timeout(value = 5, unit = TimeUnit.MINUTES)
class SqlTest {
    private static final int IDS = 500;
    private static final long BEGIN = 1_700_000_000;

    @Test
    void aQuerySeesEachIdOnceAndAtItsTime() throws Exception {
        StreamExecutionEnvironment environment = StreamExecutionEnvironment.getExecutionEnvironment();
        environment.setParallelism(1);
        Set<Object> ids = new HashSet<>();
        try (CloseableIterator<Row> rows = OnceInSql.tables(environment).executeSql(OnceInSql.PER_SECOND).collect()) {
            while (rows.hasNext()) {
                Row row = rows.next();
                LocalDateTime begin = row.getFieldAs(0);
                assertEquals(BEGIN, begin.atZone(ZoneId.systemDefault()).toEpochSecond(), "all first ones are of one second");
                assertTrue(ids.add(row.getField(1)), "in two seconds: " + row);
                assertEquals(1L, row.<Long>getFieldAs(2), "more than once: " + row);
                assertTrue(row.<Long>getFieldAs(3) < IDS, "not the first: " + row);
            }
        }
        assertTrue(ids.size() >= IDS - 5, "ids: " + ids.size());
    }
}
