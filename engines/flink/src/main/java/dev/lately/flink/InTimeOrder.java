package dev.lately.flink;

import org.apache.flink.api.common.functions.OpenContext;
import org.apache.flink.api.common.state.MapState;
import org.apache.flink.api.common.state.MapStateDescriptor;
import org.apache.flink.api.common.typeinfo.TypeInformation;
import org.apache.flink.api.common.typeinfo.Types;
import org.apache.flink.streaming.api.functions.KeyedProcessFunction;
import org.apache.flink.util.Collector;

import java.util.ArrayList;
import java.util.List;

/**
 * Keeps each record until the watermark passes its time, and lets records go in the order of their times; those of one key and one
 * time in the order in which they came.
 *
 * <pre>
 *  came   10:00:05 b   10:00:02 a   10:00:04 a   10:00:01 c     watermark 10:00:04     goes   c, a, a     held   b
 * </pre>
 *
 * <p>A record that comes behind the watermark goes at once, as does one without a time of use: one below 0, and one so far in the
 * future that the operator refuses it.
 *
 * <p>Price: each record whose time the watermark has not passed is in keyed state, with a timer, and waits as long as that takes.
 */
final class InTimeOrder<T> extends KeyedProcessFunction<Integer, T, T> {
    private static final long serialVersionUID = 1;

    private final TypeInformation<T> type;
    /** How far a time may lead, as {@link OperatorClock} has it; milliseconds. */
    private final long maxStep;

    private transient MapState<Long, List<T>> held;

    InTimeOrder(TypeInformation<T> type, Settings settings) {
        this.type = type;
        this.maxStep = settings.maxStep;
    }

    @Override
    public void open(OpenContext context) {
        held = getRuntimeContext().getMapState(new MapStateDescriptor<>("held", Types.LONG, Types.LIST(type)));
    }

    @Override
    public void processElement(T record, Context context, Collector<T> out) throws Exception {
        Long time = context.timestamp();
        if (time == null || time < 0 || time <= context.timerService().currentWatermark() || isTooFar(time, context)) {
            out.collect(record);
            return;
        }
        List<T> sameTime = held.get(time);
        if (sameTime == null) {
            sameTime = new ArrayList<>();
            context.timerService().registerEventTimeTimer(time);
        }
        sameTime.add(record);
        held.put(time, sameTime);
    }

    private boolean isTooFar(long time, Context context) {
        long known = Math.max(context.timerService().currentWatermark(), context.timerService().currentProcessingTime());
        return known >= OperatorClock.CLOCKS_BEGIN && time - maxStep > known;
    }

    @Override
    public void onTimer(long time, OnTimerContext context, Collector<T> out) throws Exception {
        for (T record : held.get(time)) {
            out.collect(record);
        }
        held.remove(time);
    }
}
