package dev.lately.flink;

import org.apache.kafka.common.Uuid;

import java.io.IOException;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** A Kafka of one broker, in a process of its own, until it is closed. */
final class Broker implements AutoCloseable {
    final String address;

    private final Process process;

    Broker(Path folder) throws Exception {
        Files.createDirectories(folder);
        int port = freePort();
        int controller = freePort();
        address = "localhost:" + port;
        Path file = folder.resolve("server.properties");
        Files.write(file, List.of("process.roles=broker,controller", "node.id=1",
            "controller.quorum.voters=1@localhost:" + controller, "controller.listener.names=CONTROLLER",
            "listeners=PLAINTEXT://" + address + ",CONTROLLER://localhost:" + controller, "advertised.listeners=PLAINTEXT://" + address,
            "listener.security.protocol.map=PLAINTEXT:PLAINTEXT,CONTROLLER:PLAINTEXT", "log.dirs=" + folder.resolve("logs"),
            "offsets.topic.replication.factor=1", "transaction.state.log.replication.factor=1", "transaction.state.log.min.isr=1"));
        Process formats = java(folder, "kafka.tools.StorageTool", "format", "-t", Uuid.randomUuid().toString(), "-c", file.toString());
        if (formats.waitFor() != 0) {
            throw new IllegalStateException(Files.readString(folder.resolve("kafka.tools.StorageTool.log")));
        }
        process = java(folder, "kafka.Kafka", file.toString());
    }

    private static Process java(Path folder, String program, String... arguments) throws IOException {
        List<String> command = new ArrayList<>(List.of(Path.of(System.getProperty("java.home"), "bin", "java").toString(), "-Xmx512m",
            "-XX:TieredStopAtLevel=1", "-cp", System.getProperty("java.class.path"), program));
        command.addAll(Arrays.asList(arguments));
        return new ProcessBuilder(command).redirectErrorStream(true).redirectOutput(folder.resolve(program + ".log").toFile()).start();
    }

    static int freePort() throws IOException {
        try (ServerSocket socket = new ServerSocket(0)) {
            return socket.getLocalPort();
        }
    }

    @Override
    public void close() throws Exception {
        process.destroy();
        if (!process.waitFor(30, TimeUnit.SECONDS)) {
            process.destroyForcibly();
        }
    }
}
