//! Prints the first sightings among the lines of standard input, then one line of figures. Record n has the tick n ms,
//! and a line is new if it was not seen in the last 10 s, that is, in the last 10,000 records.
//!
//! ```sh
//! cargo run --release --example dedup <records
//! ```

use std::error::Error;
use std::io::{self, BufRead, Write};
use std::time::Duration;

use lately::{Clock, Filter, Options, Tick, Unit};

fn main() -> Result<(), Box<dyn Error>> {
    let options = Options::window(Duration::from_secs(10)).clock(Clock::Manual(Unit::Nanoseconds)).error_rate(1e-3);
    let mut seen = Filter::new(&options)?;
    let mut out = io::BufWriter::new(io::stdout().lock());
    let mut records = 0;
    for line in io::stdin().lock().split(b'\n') {
        let line = line?;
        records += 1;
        let now = Tick::default().after(Duration::from_millis(records));
        if seen.observe_at(&line, now)?.is_new() {
            out.write_all(&line)?;
            out.write_all(b"\n")?;
        }
    }
    let stats = seen.stats();
    let (new, duplicate, bytes) = (stats.new_count, stats.duplicate_count, stats.bytes);
    writeln!(out, "read={records} new={new} duplicate={duplicate} bytes={bytes}")?;
    out.flush()?;
    Ok(())
}
