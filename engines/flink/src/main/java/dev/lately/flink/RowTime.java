package dev.lately.flink;

import org.apache.flink.api.common.eventtime.SerializableTimestampAssigner;
import org.apache.flink.table.api.ValidationException;
import org.apache.flink.table.data.RowData;
import org.apache.flink.table.types.logical.LocalZonedTimestampType;
import org.apache.flink.table.types.logical.LogicalType;
import org.apache.flink.table.types.logical.LogicalTypeRoot;
import org.apache.flink.table.types.logical.RowType;
import org.apache.flink.table.types.logical.TimestampType;

/** The time of a row, in milliseconds since 1970, from one of its columns. */
final class RowTime implements SerializableTimestampAssigner<RowData> {
    private static final long serialVersionUID = 1;

    private final String name;
    private final int column;
    /** Digits behind the second; less than 0 for a column of milliseconds. */
    private final int precision;

    private RowTime(String name, int column, int precision) {
        this.name = name;
        this.column = column;
        this.precision = precision;
    }

    /** The time that the option names; null for that of the machine. */
    static RowTime of(RowType row, String name) {
        return name.equals(OnceTableFactory.PROCESSING_TIME) ? null : new RowTime(name, row.getFieldIndex(name), precision(row, name));
    }

    private static int precision(RowType row, String name) {
        LogicalType type = RowKey.column(row, "lately.time", name);
        if (type.is(LogicalTypeRoot.BIGINT)) {
            return -1;
        }
        if (type instanceof TimestampType) {
            return ((TimestampType) type).getPrecision();
        }
        if (type instanceof LocalZonedTimestampType) {
            return ((LocalZonedTimestampType) type).getPrecision();
        }
        throw new ValidationException("lately.time = '" + name + "' is a column of type " + type + ": allowed are TIMESTAMP, "
            + "TIMESTAMP_LTZ, BIGINT for milliseconds since 1970, and PROCTIME() for the time of the machine");
    }

    @Override
    public long extractTimestamp(RowData row, long before) {
        if (row.isNullAt(column)) {
            throw new IllegalArgumentException("the column '" + name + "' of a row is NULL: lately.time needs a time in every row");
        }
        return precision < 0 ? row.getLong(column) : row.getTimestamp(column, precision).getMillisecond();
    }
}
