package dev.lately.flink;

import org.apache.flink.api.common.typeinfo.TypeInformation;
import org.apache.flink.configuration.ReadableConfig;
import org.apache.flink.streaming.api.datastream.DataStream;
import org.apache.flink.table.api.DataTypes;
import org.apache.flink.table.api.Table;
import org.apache.flink.table.api.ValidationException;
import org.apache.flink.table.api.bridge.java.StreamTableEnvironment;
import org.apache.flink.table.api.config.ExecutionConfigOptions;
import org.apache.flink.table.api.config.TableConfigOptions;
import org.apache.flink.table.catalog.Column;
import org.apache.flink.table.catalog.ResolvedSchema;
import org.apache.flink.table.data.RowData;
import org.apache.flink.table.data.utils.ProjectedRowData;
import org.apache.flink.table.types.DataType;

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * Columns of a table that are computed, {@code person AS LOWER(name)}, for a key or a time. Flink computes them above a connector,
 * so here they are computed once more, by Flink's own SQL: behind the fields that were read, until the row is judged.
 *
 * <pre>
 *  read: name, placed --&gt; name, placed, LOWER(name) --&gt; judged --&gt; name, placed --&gt; the table computes its columns
 * </pre>
 */
final class ComputedColumns {
    private final List<Column.ComputedColumn> columns;
    private final ReadableConfig session;

    private ComputedColumns(List<Column.ComputedColumn> columns, ReadableConfig session) {
        this.columns = columns;
        this.session = session;
    }

    /** Those of a table that have one of these names. */
    static ComputedColumns of(ResolvedSchema table, Collection<String> names, ReadableConfig session) {
        return new ComputedColumns(table.getColumns().stream().filter(column -> names.contains(column.getName()))
            .filter(Column.ComputedColumn.class::isInstance).map(Column.ComputedColumn.class::cast)
            .collect(Collectors.toList()), session);
    }

    boolean isEmpty() {
        return columns.isEmpty();
    }

    /** What a connector reads for a table: all that is not computed. */
    static DataType read(ResolvedSchema table) {
        return DataTypes.ROW(table.getColumns().stream().filter(column -> !(column instanceof Column.ComputedColumn))
            .map(column -> DataTypes.FIELD(column.getName(), column.getDataType())).toArray(DataTypes.Field[]::new)).notNull();
    }

    /** A row with these columns behind its own. */
    DataType behind(DataType read) {
        List<DataTypes.Field> fields = new ArrayList<>(DataType.getFields(read));
        columns.forEach(column -> fields.add(DataTypes.FIELD(column.getName(), column.getDataType())));
        return DataTypes.ROW(fields).notNull();
    }

    /** The rows, with these columns behind. */
    DataStream<RowData> added(DataStream<RowData> rows, DataType read, TypeInformation<RowData> type) {
        StreamTableEnvironment tables = StreamTableEnvironment.create(rows.getExecutionEnvironment());
        tables.getConfig().set(TableConfigOptions.LOCAL_TIME_ZONE, session.get(TableConfigOptions.LOCAL_TIME_ZONE));
        tables.getConfig().set(ExecutionConfigOptions.TABLE_EXEC_LEGACY_CAST_BEHAVIOUR,
            session.get(ExecutionConfigOptions.TABLE_EXEC_LEGACY_CAST_BEHAVIOUR));
        Table table = tables.fromDataStream(rows.map(row -> row).returns(type));
        return tables.toDataStream(computed(tables, table), behind(read).bridgedTo(RowData.class));
    }

    private Table computed(StreamTableEnvironment tables, Table table) {
        String expressions = columns.stream().map(column -> column.getExpression().asSerializableString() + " AS `"
            + column.getName().replace("`", "``") + '`').collect(Collectors.joining(", "));
        try {
            return tables.sqlQuery("SELECT *, " + expressions + " FROM " + table);
        } catch (ValidationException e) {
            throw new ValidationException("lately computes " + expressions + " by Flink's own functions: allowed are no functions of a "
                + "catalog or a session", e);
        }
    }

    /** The rows without these columns again. */
    static DataStream<RowData> removed(DataStream<RowData> rows, int fields, TypeInformation<RowData> type) {
        int[] read = IntStream.range(0, fields).toArray();
        return rows.<RowData>map(row -> ProjectedRowData.from(read).replaceRow(row)).returns(type);
    }
}
