package dev.lately.flink;

import org.apache.flink.api.java.functions.KeySelector;
import org.apache.flink.table.api.ValidationException;
import org.apache.flink.table.data.DecimalData;
import org.apache.flink.table.data.RowData;
import org.apache.flink.table.data.StringData;
import org.apache.flink.table.data.TimestampData;
import org.apache.flink.table.types.logical.LogicalType;
import org.apache.flink.table.types.logical.LogicalTypeFamily;
import org.apache.flink.table.types.logical.LogicalTypeRoot;
import org.apache.flink.table.types.logical.RowType;

import java.io.ByteArrayOutputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.util.List;

/**
 * The key of a row: its columns one after the other, each with its length before it, so that equal bytes are equal columns. A
 * NULL is a value like any other and equal to itself, as in GROUP BY.
 *
 * <pre>
 *  column    4 bytes: how many follow, -1 for NULL; the value
 * </pre>
 */
final class RowKey implements KeySelector<RowData, byte[]> {
    private static final long serialVersionUID = 1;

    private static final int NULL = -1;

    private final RowData.FieldGetter[] columns;

    private RowKey(RowData.FieldGetter[] columns) {
        this.columns = columns;
    }

    /** The key that the option names. */
    static RowKey of(RowType row, List<String> names) {
        RowData.FieldGetter[] columns = new RowData.FieldGetter[names.size()];
        for (int i = 0; i < columns.length; i++) {
            LogicalType type = column(row, "lately.key", names.get(i));
            expectSameBytes(names.get(i), type);
            columns[i] = RowData.createFieldGetter(type, row.getFieldIndex(names.get(i)));
        }
        return new RowKey(columns);
    }

    /** The type of a column that an option names. */
    static LogicalType column(RowType row, String option, String name) {
        int at = row.getFieldIndex(name);
        if (at < 0) {
            throw new ValidationException(option + " = '" + name + "': allowed are the columns of the table, "
                + String.join(", ", row.getFieldNames()));
        }
        return row.getTypeAt(at);
    }

    /** Equal values must have the same bytes, in each run and with each release. */
    private static void expectSameBytes(String name, LogicalType type) {
        if (!type.isAnyOf(LogicalTypeFamily.CHARACTER_STRING, LogicalTypeFamily.BINARY_STRING, LogicalTypeFamily.INTEGER_NUMERIC)
            && !type.isAnyOf(LogicalTypeRoot.BOOLEAN, LogicalTypeRoot.DECIMAL, LogicalTypeRoot.DATE,
                LogicalTypeRoot.TIME_WITHOUT_TIME_ZONE, LogicalTypeRoot.TIMESTAMP_WITHOUT_TIME_ZONE,
                LogicalTypeRoot.TIMESTAMP_WITH_LOCAL_TIME_ZONE)) {
            throw new ValidationException("lately.key = '" + name + "' is a column of type " + type + ": allowed are texts, bytes, whole "
                + "numbers, DECIMAL, BOOLEAN, dates and times");
        }
    }

    @Override
    public byte[] getKey(RowData row) throws IOException {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        DataOutputStream out = new DataOutputStream(bytes);
        for (RowData.FieldGetter column : columns) {
            Object value = column.getFieldOrNull(row);
            if (value == null) {
                out.writeInt(NULL);
            } else {
                byte[] written = bytes(value);
                out.writeInt(written.length);
                out.write(written);
            }
        }
        return bytes.toByteArray();
    }

    /** A value as Flink has it inside of rows. */
    private static byte[] bytes(Object value) {
        if (value instanceof byte[]) {
            return (byte[]) value;
        }
        if (value instanceof DecimalData) {
            return ((DecimalData) value).toUnscaledBytes();
        }
        if (value instanceof TimestampData) {
            TimestampData time = (TimestampData) value;
            return text(time.getMillisecond() + "." + time.getNanoOfMillisecond());
        }
        return text(value);
    }

    /** Text as it is; whole numbers, dates and booleans as text. */
    private static byte[] text(Object value) {
        return value instanceof StringData ? ((StringData) value).toBytes() : StringData.fromString(value.toString()).toBytes();
    }
}
