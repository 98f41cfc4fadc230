package dev.lately.flink;

import org.apache.flink.api.common.eventtime.WatermarkStrategy;
import org.apache.flink.streaming.api.datastream.DataStream;
import org.apache.flink.streaming.api.datastream.DataStreamSource;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;
import org.apache.flink.table.api.ValidationException;
import org.apache.flink.table.connector.ChangelogMode;
import org.apache.flink.table.connector.ProviderContext;
import org.apache.flink.table.connector.source.DataStreamScanProvider;
import org.apache.flink.table.connector.source.DynamicTableSource;
import org.apache.flink.table.connector.source.ScanTableSource;
import org.apache.flink.table.connector.source.SourceProvider;
import org.apache.flink.table.connector.source.abilities.SupportsReadingMetadata;
import org.apache.flink.table.data.RowData;
import org.apache.flink.table.types.DataType;
import org.apache.flink.types.RowKind;

import java.util.List;
import java.util.Map;

/**
 * Reads another source, and of its rows the first of each key.
 *
 * <pre>
 *  the other source --&gt; times of the rows --&gt; {@link Deduplicate} --&gt; the watermark of the table, and the query
 * </pre>
 *
 * <p>Flink may push filters, projections and watermarks into a source, and this one takes none: what is judged is every row, and
 * the whole of it. Columns of metadata are read as the other source reads them.
 */
final class OnceTableSource implements ScanTableSource, SupportsReadingMetadata {
    private final ScanTableSource of;
    /** Null: the time of the machine. */
    private final RowTime time;
    private final Deduplicate<RowData> asked;
    /** What the rows are, columns of metadata among them. */
    private DataType produced;

    OnceTableSource(ScanTableSource of, DataType produced, RowTime time, Deduplicate<RowData> asked) {
        this.of = of;
        this.produced = produced;
        this.time = time;
        this.asked = asked;
    }

    /** A row that takes back another one has no place here: the first one has gone on already. */
    @Override
    public ChangelogMode getChangelogMode() {
        if (!of.getChangelogMode().containsOnly(RowKind.INSERT)) {
            throw new ValidationException("the rows of " + of.asSummaryString() + " are " + of.getChangelogMode()
                + ": allowed are rows that are only added, [INSERT]");
        }
        return ChangelogMode.insertOnly();
    }

    @Override
    public ScanRuntimeProvider getScanRuntimeProvider(ScanContext context) {
        ScanRuntimeProvider provider = of.getScanRuntimeProvider(context);
        if (!(provider instanceof DataStreamScanProvider) && !(provider instanceof SourceProvider)) {
            throw new ValidationException("the connector " + of.asSummaryString() + " reads by " + provider.getClass().getName()
                + ": it must read by a Source or a DataStream, as the connectors of files and of Kafka do");
        }
        return new Once(provider, context);
    }

    /** Rows once, as a stream. */
    private final class Once implements DataStreamScanProvider {
        private final ScanRuntimeProvider provider;
        private final ScanContext context;

        Once(ScanRuntimeProvider provider, ScanContext context) {
            this.provider = provider;
            this.context = context;
        }

        @Override
        public DataStream<RowData> produceDataStream(ProviderContext names, StreamExecutionEnvironment environment) {
            DataStream<RowData> rows = provider instanceof SourceProvider
                ? ofSource((SourceProvider) provider, names, environment)
                : ((DataStreamScanProvider) provider).produceDataStream(names, environment);
            return asked.on(time == null ? rows : rows.assignTimestampsAndWatermarks(
                WatermarkStrategy.<RowData>noWatermarks().withTimestampAssigner(time)));
        }

        private DataStream<RowData> ofSource(SourceProvider source, ProviderContext names, StreamExecutionEnvironment environment) {
            DataStreamSource<RowData> rows = environment.fromSource(source.createSource(), WatermarkStrategy.noWatermarks(),
                of.asSummaryString(), context.createTypeInformation(produced));
            source.getParallelism().ifPresent(rows::setParallelism);
            names.generateUid("source").ifPresent(rows::uid);
            return rows;
        }

        @Override
        public boolean isBounded() {
            return provider.isBounded();
        }
    }

    @Override
    public Map<String, DataType> listReadableMetadata() {
        return of instanceof SupportsReadingMetadata ? ((SupportsReadingMetadata) of).listReadableMetadata() : Map.of();
    }

    @Override
    public void applyReadableMetadata(List<String> keys, DataType type) {
        if (of instanceof SupportsReadingMetadata) {
            ((SupportsReadingMetadata) of).applyReadableMetadata(keys, type);
            produced = type;
        }
    }

    @Override
    public DynamicTableSource copy() {
        return new OnceTableSource((ScanTableSource) of.copy(), produced, time, asked);
    }

    @Override
    public String asSummaryString() {
        return "lately(" + of.asSummaryString() + ")";
    }
}
