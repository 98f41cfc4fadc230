import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;

/** Calls of the client's Main, one after the other in one JVM: for the tests, which have hundreds. */
public final class Calls {
    private static byte[] next(DataInputStream from) throws IOException {
        return from.readNBytes(from.readInt());
    }

    private static void send(DataOutputStream to, byte[] bytes) throws IOException {
        to.writeInt(bytes.length);
        to.write(bytes);
    }

    /** Each call: how many words, the words, the input. Each answer: the status as a shell has it, the output, the errors. */
    public static void main(String[] none) throws IOException {
        DataInputStream calls = new DataInputStream(System.in);
        DataOutputStream answers = new DataOutputStream(System.out);
        for (int count = calls.read(); count >= 0; count = calls.read()) {
            String[] words = new String[count];
            for (int i = 0; i < count; i++) {
                words[i] = new String(next(calls), StandardCharsets.UTF_8);
            }
            ByteArrayOutputStream output = new ByteArrayOutputStream();
            ByteArrayOutputStream errors = new ByteArrayOutputStream();
            System.setIn(new ByteArrayInputStream(next(calls)));
            System.setOut(new PrintStream(output, true));
            int status = status(words, new PrintStream(errors, true));
            answers.write(status);
            send(answers, output.toByteArray());
            send(answers, errors.toByteArray());
            answers.flush();
        }
    }

    private static int status(String[] words, PrintStream errors) {
        try {
            Main.main(words);
            return 0;
        } catch (Exception e) {
            e.printStackTrace(errors);
            return 1;
        }
    }
}
