package verdicts;

import dev.lately.ClockSource;
import dev.lately.Filter;
import dev.lately.Options;
import dev.lately.Verdict;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.time.Duration;

/** Says of each line of standard input whether it is among the 20 lines before it, whose time is its number. */
public final class Verdicts {
    private Verdicts() {
    }

    public static void main(String[] args) throws IOException {
        Options options = Options.timeLimited(Duration.ofNanos(20)).clock(ClockSource.MANUAL).errorRate(0.2).build();
        BufferedReader lines = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
        long number = 0;
        try (Filter seen = new Filter(options)) {
            for (String line = lines.readLine(); line != null; line = lines.readLine()) {
                System.out.println(seen.at(number++).observe(line) == Verdict.NEW ? "new" : "duplicate");
            }
        }
    }
}
