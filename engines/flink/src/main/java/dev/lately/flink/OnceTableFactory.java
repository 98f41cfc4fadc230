package dev.lately.flink;

import org.apache.flink.annotation.PublicEvolving;
import org.apache.flink.api.common.RuntimeExecutionMode;
import org.apache.flink.configuration.ConfigOption;
import org.apache.flink.configuration.ConfigOptions;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.configuration.ExecutionOptions;
import org.apache.flink.configuration.MemorySize;
import org.apache.flink.configuration.ReadableConfig;
import org.apache.flink.table.api.ValidationException;
import org.apache.flink.table.catalog.ResolvedSchema;
import org.apache.flink.table.connector.source.DynamicTableSource;
import org.apache.flink.table.connector.source.ScanTableSource;
import org.apache.flink.table.data.RowData;
import org.apache.flink.table.factories.DynamicTableSourceFactory;
import org.apache.flink.table.factories.FactoryUtil;
import org.apache.flink.table.types.DataType;

import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The connector {@code lately} of SQL: a table of another connector, of which the first row of each key within a window is read.
 * Options that begin with {@code lately.} are its own; all others are those of the other connector.
 *
 * <pre>{@code
 * CREATE TABLE orders_once WITH (
 *   'connector' = 'lately', 'lately.connector' = 'kafka',
 *   'lately.key' = 'id', 'lately.window' = '1 h', 'lately.time' = 'placed'
 * ) LIKE orders (OVERWRITING OPTIONS)
 * }</pre>
 */
@PublicEvolving
public final class OnceTableFactory implements DynamicTableSourceFactory {
    /** In place of a column of times. */
    static final String PROCESSING_TIME = "PROCTIME()";

    private static final String NAME = "lately";
    private static final String OURS = NAME + ".";

    private static final ConfigOption<String> CONNECTOR = ConfigOptions.key(OURS + "connector").stringType().noDefaultValue()
        .withDescription("The connector whose rows are read.");
    private static final ConfigOption<List<String>> KEY = ConfigOptions.key(OURS + "key").stringType().asList().noDefaultValue()
        .withDescription("The columns that make two rows the same.");
    private static final ConfigOption<Duration> WINDOW = ConfigOptions.key(OURS + "window").durationType().noDefaultValue()
        .withDescription("How long a key is remembered.");
    private static final ConfigOption<String> TIME = ConfigOptions.key(OURS + "time").stringType().noDefaultValue()
        .withDescription("The column with the time of a row, or PROCTIME() for the time of the machine.");
    private static final ConfigOption<Double> ERROR_RATE = ConfigOptions.key(OURS + "error-rate").doubleType().noDefaultValue()
        .withDescription("The chance that a new row is held back.");
    private static final ConfigOption<Long> EXPECTED_KEYS = ConfigOptions.key(OURS + "expected-keys").longType().noDefaultValue()
        .withDescription("About how many keys a window has.");
    private static final ConfigOption<MemorySize> MEMORY = ConfigOptions.key(OURS + "memory-per-subtask").memoryType()
        .noDefaultValue().withDescription("The most that the filters of a subtask take.");
    private static final ConfigOption<Duration> LATENESS = ConfigOptions.key(OURS + "allowed-lateness").durationType()
        .noDefaultValue().withDescription("How far a row may be behind the latest time and still be judged by its own.");
    private static final ConfigOption<Duration> MAX_STEP = ConfigOptions.key(OURS + "max-step").durationType().noDefaultValue()
        .withDescription("How far a time may lead both the clock and the machine's clock.");
    private static final ConfigOption<Boolean> KEEP_FIRST = ConfigOptions.key(OURS + "keep-first").booleanType().defaultValue(false)
        .withDescription("Whether age counts from the row that passed.");
    private static final ConfigOption<Boolean> IN_TIME_ORDER = ConfigOptions.key(OURS + "in-time-order").booleanType()
        .defaultValue(false).withDescription("Whether rows wait for the watermark, so that the first by time is read.");
    private static final ConfigOption<String> UID = ConfigOptions.key(OURS + "uid").stringType().noDefaultValue()
        .withDescription("The name of the state; that of the table unless it is given.");

    /** Made by Flink, which looks for connectors by their names. */
    public OnceTableFactory() {
    }

    @Override
    public String factoryIdentifier() {
        return NAME;
    }

    @Override
    public Set<ConfigOption<?>> requiredOptions() {
        return Set.of(CONNECTOR, KEY, WINDOW, TIME);
    }

    @Override
    public Set<ConfigOption<?>> optionalOptions() {
        return Set.of(ERROR_RATE, EXPECTED_KEYS, MEMORY, LATENESS, MAX_STEP, KEEP_FIRST, IN_TIME_ORDER, UID);
    }

    @Override
    public DynamicTableSource createDynamicTableSource(Context context) {
        if (context.getConfiguration().get(ExecutionOptions.RUNTIME_MODE) == RuntimeExecutionMode.BATCH) {
            throw new ValidationException("the connector 'lately' is for STREAMING. In BATCH use ROW_NUMBER(), which is exact there and "
                + "keeps no state");
        }
        Map<String, String> options = context.getCatalogTable().getOptions();
        ReadableConfig ours = ours(options);
        DynamicTableSource of = FactoryUtil.createDynamicTableSource(null, context.getObjectIdentifier(),
            context.getCatalogTable().copy(others(options, ours.get(CONNECTOR))), context.getEnrichmentOptions(),
            context.getConfiguration(), context.getClassLoader(), context.isTemporary());
        if (!(of instanceof ScanTableSource)) {
            throw new ValidationException("lately.connector = '" + ours.get(CONNECTOR) + "': it must be a connector that can be scanned");
        }
        OnceTableSource.Judged judged = judged(ours, context);
        return ours.get(IN_TIME_ORDER) ? new OnceTableSource.InOrder((ScanTableSource) of, judged)
            : new OnceTableSource((ScanTableSource) of, judged);
    }

    /** What is checked here fails the statement, and not the job. */
    private static OnceTableSource.Judged judged(ReadableConfig ours, Context context) {
        ResolvedSchema schema = context.getCatalogTable().getResolvedSchema();
        String uid = ours.getOptional(UID).orElse(NAME + ' ' + context.getObjectIdentifier().asSummaryString());
        List<String> named = new ArrayList<>(ours.get(KEY));
        named.add(ours.get(TIME));
        ComputedColumns computed = ComputedColumns.of(schema, named, context.getConfiguration());
        OnceTableSource.Judged judged =
            new OnceTableSource.Judged(context.getPhysicalRowDataType(), computed, ours.get(KEY), ours.get(TIME), asked(ours).uid(uid));
        expectAllowed(judged, ComputedColumns.read(schema));
        if (ours.get(IN_TIME_ORDER) && schema.getWatermarkSpecs().stream()
            .noneMatch(mark -> mark.getRowtimeAttribute().equals(ours.get(TIME)))) {
            throw new ValidationException("lately.in-time-order = 'true': the table must have a WATERMARK FOR '" + ours.get(TIME)
                + "', the column of lately.time");
        }
        return judged;
    }

    private ReadableConfig ours(Map<String, String> options) {
        Map<String, String> ours = new HashMap<>(options);
        ours.keySet().removeIf(key -> !key.startsWith(OURS));
        Set<String> known = Stream.concat(requiredOptions().stream(), optionalOptions().stream()).map(ConfigOption::key)
            .collect(Collectors.toSet());
        FactoryUtil.validateUnconsumedKeys(NAME, ours.keySet(), known);
        ReadableConfig config = Configuration.fromMap(ours);
        FactoryUtil.validateFactoryOptions(this, config);
        return config;
    }

    private static Map<String, String> others(Map<String, String> options, String connector) {
        Map<String, String> others = new HashMap<>(options);
        others.keySet().removeIf(key -> key.startsWith(OURS));
        others.put(FactoryUtil.CONNECTOR.key(), connector);
        return others;
    }

    private static Deduplicate<RowData> asked(ReadableConfig ours) {
        Deduplicate<RowData> asked = Deduplicate.within(ours.get(WINDOW));
        asked = ours.get(TIME).equals(PROCESSING_TIME) ? asked.processingTime() : asked.eventTime();
        ours.getOptional(ERROR_RATE).ifPresent(asked::errorRate);
        ours.getOptional(EXPECTED_KEYS).ifPresent(asked::expectedKeys);
        ours.getOptional(MEMORY).map(MemorySize::getBytes).ifPresent(asked::memoryPerSubtask);
        ours.getOptional(LATENESS).ifPresent(asked::allowedLateness);
        ours.getOptional(MAX_STEP).ifPresent(asked::maxStep);
        asked = ours.get(KEEP_FIRST) ? asked.keepFirst() : asked;
        return ours.get(IN_TIME_ORDER) ? asked.inTimeOrder() : asked;
    }

    /** What no operator can have fails the statement, with what is allowed, and not the job. */
    private static void expectAllowed(OnceTableSource.Judged judged, DataType read) {
        try {
            judged.check(read);
        } catch (SettingException e) {
            throw new ValidationException(e.getMessage(), e);
        }
    }
}
