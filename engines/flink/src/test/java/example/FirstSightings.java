package example;

import dev.lately.flink.Deduplicate;

import org.apache.flink.api.common.eventtime.WatermarkStrategy;
import org.apache.flink.api.common.functions.OpenContext;
import org.apache.flink.api.common.functions.RichMapFunction;
import org.apache.flink.api.connector.source.lib.NumberSequenceSource;
import org.apache.flink.streaming.api.datastream.DataStream;
import org.apache.flink.streaming.api.datastream.SingleOutputStreamOperator;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;
import org.apache.flink.streaming.api.functions.sink.v2.DiscardingSink;
import org.apache.flink.util.OutputTag;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;

/**
 * The lines of a file that were not seen within the last 20 seconds, where a line comes every millisecond. Prints how many
 * lines there are, how many are new, and how many duplicates.
 */
public final class FirstSightings {
    private static final AtomicLong NEW = new AtomicLong();
    private static final AtomicLong DUPLICATES = new AtomicLong();

    private FirstSightings() {
    }

    /** A line and its time. */
    public static class Line {
        public byte[] text;
        public long time;
    }

    public static void main(String[] arguments) throws Exception {
        String file = arguments[0];
        int count = lines(file).size();
        StreamExecutionEnvironment environment = StreamExecutionEnvironment.createLocalEnvironment(2);
        environment.enableCheckpointing(1000);
        DataStream<Line> lines = environment
            .fromSource(new NumberSequenceSource(0, count - 1), WatermarkStrategy.noWatermarks(), "numbers").setParallelism(1)
            .map(new Lines(file)).setParallelism(1)
            .assignTimestampsAndWatermarks(WatermarkStrategy.<Line>forMonotonousTimestamps()
                .withTimestampAssigner((line, before) -> line.time)).setParallelism(1);

        OutputTag<Line> duplicates = new OutputTag<Line>("duplicates") { };
        SingleOutputStreamOperator<Line> once = Deduplicate.<Line>within(Duration.ofSeconds(20))
            .key(line -> line.text)
            .eventTime()
            .memoryPerSubtask(16 << 20)
            .duplicatesTo(duplicates)
            .on(lines);

        once.filter(line -> NEW.incrementAndGet() < 0).sinkTo(new DiscardingSink<>());
        once.getSideOutput(duplicates).filter(line -> DUPLICATES.incrementAndGet() < 0).sinkTo(new DiscardingSink<>());
        environment.execute("first sightings");
        System.out.println("read " + count + ", new " + NEW + ", duplicates " + DUPLICATES);
    }

    /** The lines of a file by their numbers. */
    private static final class Lines extends RichMapFunction<Long, Line> {
        private static final long serialVersionUID = 1;

        private final String file;
        private transient List<byte[]> lines;

        Lines(String file) {
            this.file = file;
        }

        @Override
        public void open(OpenContext context) throws IOException {
            lines = lines(file);
        }

        @Override
        public Line map(Long number) {
            Line line = new Line();
            line.text = lines.get(number.intValue());
            line.time = 1_767_621_600_000L + number;
            return line;
        }
    }

    /** The lines of a file, which may be any bytes. */
    private static List<byte[]> lines(String file) throws IOException {
        byte[] all = Files.readAllBytes(Path.of(file));
        List<byte[]> lines = new ArrayList<>();
        int begin = 0;
        for (int at = 0; at < all.length; at++) {
            if (all[at] == '\n') {
                lines.add(Arrays.copyOfRange(all, begin, at));
                begin = at + 1;
            }
        }
        if (begin < all.length) {
            lines.add(Arrays.copyOfRange(all, begin, all.length));
        }
        return lines;
    }
}
