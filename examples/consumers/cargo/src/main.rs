//! Says of each line of standard input whether it is among the 20 lines before it: "new" or "duplicate". The number of
//! the line is its time.

use std::io::{self, BufRead};
use std::time::Duration;

use lately::{Clock, Filter, Options, Tick, Verdict, Unit};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let options = Options::time_limited(Duration::from_nanos(20)).clock(Clock::Manual(Unit::Nanoseconds)).error_rate(0.2);
    let mut seen = Filter::new(&options)?;
    for (number, line) in (0..).zip(io::stdin().lock().lines()) {
        println!("{}", if seen.observe_at(line?.as_bytes(), Tick(number))? == Verdict::New { "new" } else { "duplicate" });
    }
    Ok(())
}
