//! Says of each line of standard input whether it is among the 100 lines before it: "new" or "duplicate".

use std::io::{self, BufRead};

use lately::{Filter, Options, Verdict};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut seen = Filter::new(&Options::age_partitioned(100).error_rate(0.01))?;
    for line in io::stdin().lock().lines() {
        println!("{}", if seen.observe(line?.as_bytes())? == Verdict::New { "new" } else { "duplicate" });
    }
    Ok(())
}
