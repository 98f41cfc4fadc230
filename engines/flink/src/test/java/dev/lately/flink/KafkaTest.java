package dev.lately.flink;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.apache.flink.api.common.eventtime.WatermarkStrategy;
import org.apache.flink.api.common.functions.MapFunction;
import org.apache.flink.api.common.serialization.SimpleStringSchema;
import org.apache.flink.api.common.state.CheckpointListener;
import org.apache.flink.connector.base.DeliveryGuarantee;
import org.apache.flink.connector.kafka.sink.KafkaRecordSerializationSchema;
import org.apache.flink.connector.kafka.sink.KafkaSink;
import org.apache.flink.connector.kafka.source.KafkaSource;
import org.apache.flink.connector.kafka.source.enumerator.initializer.OffsetsInitializer;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.StringDeserializer;
import org.apache.kafka.common.serialization.StringSerializer;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Collectors;
import java.util.stream.LongStream;

/** From one topic of a broker to another, with transactions and failures: each id once. */
@Tag("cluster")
@Tag("long")
@Timeout(value = 10, unit = TimeUnit.MINUTES)
class KafkaTest {
    private static final int RECORDS = 40_000;
    private static final int PARTITIONS = 4;

    @TempDir
    Path folder;

    @Test
    void ofEachIdOfATopicOneRecordIsCommittedOverFailures() throws Exception {
        try (Broker broker = new Broker(folder.resolve("kafka")); Cluster cluster = new Cluster(folder, 4)) {
            produce(broker);
            Failing.LEFT.set(2);
            StreamExecutionEnvironment environment = cluster.environment(Cluster.Way.of("hashmap", false));
            KafkaSource<String> orders = KafkaSource.<String>builder().setBootstrapServers(broker.address).setTopics("orders")
                .setStartingOffsets(OffsetsInitializer.earliest()).setBounded(OffsetsInitializer.latest())
                .setValueOnlyDeserializer(new SimpleStringSchema()).build();
            KafkaSink<String> once = KafkaSink.<String>builder().setBootstrapServers(broker.address)
                .setDeliveryGuarantee(DeliveryGuarantee.EXACTLY_ONCE).setTransactionalIdPrefix("once").setProperty("transaction.timeout.ms", "60000")
                .setRecordSerializer(KafkaRecordSerializationSchema.builder().setTopic("once").setValueSerializationSchema(new SimpleStringSchema()).build())
                .build();
            Deduplicate.<String>within(Duration.ofHours(1)).keyString(id -> id).errorRate(1e-11).eventTime()
                .on(environment.fromSource(orders, WatermarkStrategy.forMonotonousTimestamps(), "orders"))
                .map(new Failing()).sinkTo(once);
            environment.execute("kafka");
            assertEquals(0, Failing.LEFT.get(), "it failed twice, and continued");
            List<String> expected = LongStream.range(0, RECORDS).map(Numbers::id).distinct().mapToObj(KafkaTest::text).sorted()
                .collect(Collectors.toList());
            List<String> committed = committed(broker, expected.size());
            assertEquals(expected.size(), committed.size());
            assertEquals(expected, committed);
        }
    }

    private static String text(long id) {
        return "order-" + id;
    }

    /** Records over all partitions, those of an id in any of them, a few a millisecond. */
    private static void produce(Broker broker) throws Exception {
        Map<String, Object> to = Map.of("bootstrap.servers", broker.address, "acks", "all");
        try (Admin admin = Admin.create(to)) {
            admin.createTopics(List.of(new NewTopic("orders", PARTITIONS, (short) 1), new NewTopic("once", 2, (short) 1))).all()
                .get(2, TimeUnit.MINUTES);
        }
        try (KafkaProducer<String, String> producer = new KafkaProducer<>(to, new StringSerializer(), new StringSerializer())) {
            for (long i = 0; i < RECORDS; i++) {
                int partition = (int) (i * 7 % 11 % PARTITIONS);
                producer.send(new ProducerRecord<>("orders", partition, Streams.BEGIN + i / 10, null, text(Numbers.id(i))));
            }
        }
    }

    /** What transactions were committed, until `count` are there, and a second longer for what must not come. */
    private static List<String> committed(Broker broker, int count) {
        Map<String, Object> from = Map.of("bootstrap.servers", broker.address, "isolation.level", "read_committed",
            "auto.offset.reset", "earliest");
        List<String> all = new ArrayList<>();
        try (KafkaConsumer<String, String> consumer = new KafkaConsumer<>(from, new StringDeserializer(), new StringDeserializer())) {
            consumer.assign(List.of(new TopicPartition("once", 0), new TopicPartition("once", 1)));
            long end = System.nanoTime() + TimeUnit.MINUTES.toNanos(1);
            while (all.size() < count && System.nanoTime() < end) {
                consumer.poll(Duration.ofSeconds(1)).forEach(record -> all.add(record.value()));
            }
            consumer.poll(Duration.ofSeconds(1)).forEach(record -> all.add(record.value()));
        }
        assertTrue(!all.isEmpty(), "records were committed");
        return all.stream().sorted().collect(Collectors.toList());
    }

    /** Fails some records after each checkpoint, as long as it is to fail. */
    private static final class Failing implements MapFunction<String, String>, CheckpointListener {
        private static final long serialVersionUID = 1;
        private static final AtomicInteger LEFT = new AtomicInteger();

        private transient boolean saved;
        private transient int since;

        @Override
        public String map(String id) throws Exception {
            if (++since % 5 == 0) {
                Thread.sleep(1);
            }
            if (saved && since > 50 && LEFT.getAndUpdate(left -> Math.max(0, left - 1)) > 0) {
                throw new IllegalStateException("a failure on purpose");
            }
            return id;
        }

        @Override
        public void notifyCheckpointComplete(long checkpoint) {
            since = saved ? since : 0;
            saved = true;
        }
    }
}
