package dev.lately.flink;

import org.apache.flink.api.common.eventtime.WatermarkStrategy;
import org.apache.flink.api.common.typeinfo.TypeInformation;
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
import org.apache.flink.table.connector.source.abilities.SupportsWatermarkPushDown;
import org.apache.flink.table.data.RowData;
import org.apache.flink.table.types.DataType;
import org.apache.flink.table.types.logical.RowType;
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
 * <p>Flink may push filters and projections into a source, and this one takes none: what is judged is every row, and the whole
 * of it. Columns of metadata are read as the other source reads them.
 */
class OnceTableSource implements ScanTableSource, SupportsReadingMetadata {
    private final ScanTableSource of;
    private final Judged judged;
    /** What the rows are, columns of metadata among them. */
    private DataType produced;
    WatermarkStrategy<RowData> watermarks = WatermarkStrategy.noWatermarks();

    OnceTableSource(ScanTableSource of, Judged judged) {
        this.of = of;
        this.judged = judged;
        this.produced = judged.physical;
    }

    /** By what rows are judged: their key and time, which may be computed, and the rest of the request. */
    static final class Judged {
        private final DataType physical;
        private final ComputedColumns computed;
        private final List<String> key;
        private final String time;
        private final Deduplicate<RowData> asked;

        Judged(DataType physical, ComputedColumns computed, List<String> key, String time, Deduplicate<RowData> asked) {
            this.physical = physical;
            this.computed = computed;
            this.key = key;
            this.time = time;
            this.asked = asked;
        }

        /** Whether the columns and the settings can work, for rows with these fields. */
        void check(DataType read) {
            RowTime.of(row(read), time);
            deduplicate(read).check();
        }

        private RowType row(DataType read) {
            return (RowType) computed.behind(read).getLogicalType();
        }

        private Deduplicate<RowData> deduplicate(DataType read) {
            return asked.key(RowKey.of(row(read), key));
        }

        /** Of rows with these fields those that are the first. */
        DataStream<RowData> once(DataStream<RowData> rows, DataType read, TypeInformation<RowData> type,
            WatermarkStrategy<RowData> watermarks) {
            RowTime at = RowTime.of(row(read), time);
            DataStream<RowData> whole = computed.isEmpty() ? rows : computed.added(rows, read, type);
            DataStream<RowData> once = deduplicate(read).on(
                at == null ? whole : whole.assignTimestampsAndWatermarks(watermarks.withTimestampAssigner(at)));
            return computed.isEmpty() ? once : ComputedColumns.removed(once, DataType.getFieldCount(read), type);
        }
    }

    /** Rows wait for the watermark of the table, which so is made here, before they are judged, and not behind the source. */
    static final class InOrder extends OnceTableSource implements SupportsWatermarkPushDown {
        InOrder(ScanTableSource of, Judged judged) {
            super(of, judged);
        }

        @Override
        public void applyWatermark(WatermarkStrategy<RowData> strategy) {
            watermarks = strategy;
        }

        @Override
        OnceTableSource another(ScanTableSource of, Judged judged) {
            return new InOrder(of, judged);
        }
    }

    OnceTableSource another(ScanTableSource of, Judged judged) {
        return new OnceTableSource(of, judged);
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
            return judged.once(rows, produced, context.createTypeInformation(produced), watermarks);
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
        OnceTableSource copy = another((ScanTableSource) of.copy(), judged);
        copy.produced = produced;
        copy.watermarks = watermarks;
        return copy;
    }

    @Override
    public String asSummaryString() {
        return "lately(" + of.asSummaryString() + ")";
    }
}
