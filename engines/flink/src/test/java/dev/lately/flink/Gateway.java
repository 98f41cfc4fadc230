package dev.lately.flink;

import org.apache.flink.runtime.testutils.MiniClusterResourceConfiguration;
import org.apache.flink.table.gateway.SqlGateway;
import org.apache.flink.test.util.MiniClusterWithClientResource;

import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A cluster and Flink's SQL Gateway, told statements over its REST interface, as a stranger tells them. A program, so that neither
 * has this project on its class path: a statement of the file brings it. Arguments: the file, statements apart by lines with a
 * semicolon alone; a folder. Prints the rows of each SELECT, after a line with its number.
 */
final class Gateway {
    private static final Pattern DATA = Pattern.compile("\\{\"kind\":\"(\\w+)\",\"fields\":\\[(.*?)\\]\\}");
    private static final HttpClient HTTP = HttpClient.newHttpClient();

    private final String url;

    private Gateway(String url) {
        this.url = url;
    }

    public static void main(String[] arguments) throws Exception {
        MiniClusterWithClientResource cluster = new MiniClusterWithClientResource(new MiniClusterResourceConfiguration.Builder()
            .setNumberTaskManagers(1).setNumberSlotsPerTaskManager(2).build());
        cluster.before();
        URI rest = cluster.getRestAddress();
        int port = Broker.freePort();
        Thread gateway = new Thread(() -> SqlGateway.main(new String[] {
            "-Dsql-gateway.endpoint.rest.address=localhost", "-Dsql-gateway.endpoint.rest.port=" + port,
            "-Drest.address=" + rest.getHost(), "-Drest.port=" + rest.getPort(), "-Dexecution.target=remote",
            "-Dparallelism.default=1"}));
        gateway.setDaemon(true);
        gateway.start();
        new Gateway("http://localhost:" + port + "/v1").run(Files.readString(Path.of(arguments[0])).split("\n;\n"));
        System.exit(0);
    }

    private void run(String[] statements) throws Exception {
        String session = url + "/sessions/" + value(opened(), "sessionHandle");
        for (int i = 0; i < statements.length; i++) {
            String operation = value(post(session + "/statements", "{\"statement\":\"" + statements[i].replace("\\", "\\\\")
                .replace("\"", "\\\"").replace("\n", "\\n") + "\"}"), "operationHandle");
            System.out.println("STATEMENT " + i);
            printRows(session + "/operations/" + operation + "/result/");
        }
    }

    /** The gateway takes a while to come up. */
    private String opened() throws Exception {
        for (int tries = 0;; tries++) {
            try {
                return post(url + "/sessions", "{}");
            } catch (java.io.IOException e) {
                if (tries > 600) {
                    throw e;
                }
                Thread.sleep(100);
            }
        }
    }

    private void printRows(String result) throws Exception {
        String page = "";
        for (int token = 0; !page.contains("\"resultType\":\"EOS\"");) {
            page = text(HttpRequest.newBuilder(URI.create(result + token)).build());
            if (page.contains("\"resultType\":\"NOT_READY\"")) {
                Thread.sleep(20);
                continue;
            }
            if (page.contains("\"errors\"")) {
                // Without the lines of the stack: the causes say it.
                System.out.println("ERROR " + page.replaceAll("\\\\n\\\\tat [^\\\\]*", ""));
                return;
            }
            for (Matcher row = DATA.matcher(page); row.find();) {
                System.out.println("ROW " + row.group(1) + " " + row.group(2));
            }
            token++;
        }
    }

    private static String post(String to, String body) throws Exception {
        return text(HttpRequest.newBuilder(URI.create(to)).header("Content-Type", "application/json")
            .POST(HttpRequest.BodyPublishers.ofString(body)).build());
    }

    private static String text(HttpRequest request) throws Exception {
        return HTTP.send(request, HttpResponse.BodyHandlers.ofString()).body();
    }

    private static String value(String json, String name) {
        Matcher value = Pattern.compile("\"" + name + "\":\"([^\"]+)\"").matcher(json);
        if (!value.find()) {
            throw new IllegalStateException(List.of(name, json).toString());
        }
        return value.group(1);
    }
}
