//! The test vectors that every language reads: `BLESS=1 cargo test --test vectors` writes `tests/vectors/vectors.txt`.
//!
//! The script is made here, from a generator of its own; the answers are the library's. What holds the library is
//! the rest of this file: the published values of XXH3-64, and a model that remembers every key exactly.

use std::collections::HashMap;
use std::fmt::Write;
use std::fs;
use std::path::PathBuf;
use std::sync::Once;

use lately::{ClockSource, Code, Filter, Kind, OnLimit, Options, Repeat, Tick, hash64};

const HEAD: &str = "\
# Test vectors of lately, read by every language. Written by `BLESS=1 cargo test --test vectors`; do not edit.
#
# One instruction per line, words apart by one space; lines that are empty or begin with # say nothing. Keys are bytes
# in lower-case hexadecimal, the empty key is -. Hashes are 16 hexadecimal digits. All other numbers are decimal, 0 to
# 2^64 - 1, but for error_rate. Verdicts: 0 new, 1 duplicate. Statuses are named as by lately_status_name.
#
# hash SEED KEY HASH          lately_hash64 of KEY under SEED is HASH
# filter WINDOW_NS ERROR_RATE REPEAT ON_LIMIT MEMORY MAX_STEP_NS SEED KEYED SECRET_LO SECRET_HI
#                             the lines below speak to a fresh filter: time-limited, manual clock, and these options
#                             with the numbers of lately_options, 0 is not given
# observe KEY VERDICT         and insert KEY, contains KEY VERDICT: with the clock as it stands
# observe_at TICK KEY VERDICT and insert_at TICK KEY, contains_at TICK KEY VERDICT
# advance TICK
# refused TICK KEY STATUS     observe_at fails with this status
# hash_of KEY HASH            the filter's own hash of KEY
# stats NEWS DUPLICATES LATE_TICKS REFUSED_TICKS CLOCK
";

/// What a filter line asks for, in the order of its columns.
const FILTERS: [&str; 6] = [
    // Plain; repeats kept by first sighting; a seed. The error rates are high so that verdicts depend on the hashes.
    "1000000000 0.2 0 0 0 0 0 0 0 0",
    "1000000000 0.2 2 0 0 0 0 0 0 0",
    "1000000000 0.3 1 0 0 0 18446744073709551615 0 0 0",
    // Keyed; short of memory in both ways.
    "1000000000 0.3 0 0 0 2000000000 0 1 81985529216486895 18364758544493064720",
    "1000000000 0.05 0 1 512 0 7 0 0 0",
    "1000000000 0.05 0 2 512 0 7 0 0 0",
];

/// XXH3-64 of the first `len` bytes of the sanity buffer of the reference implementation, under seed 0 and under
/// [`SEED`]: (len, hash, seeded hash), from its published self-test.
const PUBLISHED: [(usize, u64, u64); 14] = [
    (0, 0x2D06_8005_38D3_94C2, 0xA8A6_B918_B2F0_364A),
    (1, 0xC44B_DFF4_074E_ECDB, 0x032B_E332_DD76_6EF8),
    (6, 0x27B5_6A84_CD2D_7325, 0x8458_9C11_6AB5_9AB9),
    (12, 0xA713_DAF0_DFBB_77E7, 0xE730_3E1B_2336_DE0E),
    (24, 0xA3FE_70BF_9D35_10EB, 0x850E_80FC_35BD_D690),
    (48, 0x397D_A259_ECBA_1F11, 0xADC2_CBAA_44AC_C616),
    (80, 0xBCDE_FBBB_2C47_C90A, 0xC6DD_0CB6_9953_2E73),
    (195, 0xCD94_217E_E362_EC3A, 0xBA68_003D_370C_B3D9),
    (403, 0xCDEB_804D_65C6_DEA4, 0x6259_F6EC_FD64_43FD),
    (512, 0x617E_4959_9013_CB6B, 0x3CE4_57DE_14C2_7708),
    (2048, 0xDD59_E2C3_A5F0_38E0, 0x66F8_1670_669A_BABC),
    (2099, 0xC6B9_D9B3_FC9A_C765, 0x184F_3168_4366_3974),
    (2240, 0x6E73_A905_39CF_2948, 0x757B_A848_7D1B_5247),
    (2367, 0xCB37_AEB9_E5D3_61ED, 0xD2DB_3415_B942_B42A),
];

/// The seed of the published values.
const SEED: u64 = 0x9E37_79B1_85EB_CA8D;

/// The buffer of the published values.
fn sanity_buffer() -> Vec<u8> {
    let mut state = 0x9E37_79B1_u64;
    let step = |_| {
        let byte = state.to_be_bytes()[0];
        state = state.wrapping_mul(SEED);
        byte
    };
    (0..2367).map(step).collect()
}

/// A generator that owes nothing to the library: xorshift64*.
struct Dice(u64);

impl Dice {
    fn roll(&mut self, sides: u64) -> u64 {
        self.0 ^= self.0 >> 12;
        self.0 ^= self.0 << 25;
        self.0 ^= self.0 >> 27;
        (self.0.wrapping_mul(0x2545_F491_4F6C_DD1D) >> 33) % sides
    }
}

fn hex(bytes: &[u8]) -> String {
    match bytes {
        [] => String::from("-"),
        _ => bytes.iter().map(|byte| format!("{byte:02x}")).collect(),
    }
}

fn unhex(text: &str) -> Vec<u8> {
    let digits = if text == "-" { "" } else { text };
    assert!(digits.len() % 2 == 0, "{text}");
    (0..digits.len()).step_by(2).map(|i| u8::from_str_radix(&digits[i..i + 2], 16).unwrap()).collect()
}

/// The lines without their answers, `?` in their place.
fn script() -> String {
    let mut lines = String::from(HEAD);
    let buffer = sanity_buffer();
    for (len, ..) in PUBLISHED {
        writeln!(lines, "hash 0 {} ?\nhash {SEED} {} ?", hex(&buffer[..len]), hex(&buffer[..len])).unwrap();
    }
    for text in ["", "a", "naïve", "order-17", "\0\0\0\0\0\0\0\0"] {
        writeln!(lines, "hash 42 {} ?", hex(text.as_bytes())).unwrap();
    }
    let mut dice = Dice(1);
    for options in FILTERS {
        writeln!(lines, "\nfilter {options}").unwrap();
        write_life(&mut lines, options, &mut dice);
    }
    lines
}

/// One filter's life: a thousand calls over some windows, keys from a small pool so that many come again.
fn write_life(lines: &mut String, options: &str, dice: &mut Dice) {
    let mut now = 1_600_000_000_000_000_000_u64;
    for call in 0..1000 {
        now += dice.roll(10_000_000);
        let key = key(dice);
        match dice.roll(20) {
            0 => writeln!(lines, "insert_at {now} {key}"),
            1 => writeln!(lines, "insert {key}"),
            2 | 3 => writeln!(lines, "contains_at {now} {key} ?"),
            4 | 5 => writeln!(lines, "contains {key} ?"),
            6 | 7 => writeln!(lines, "observe {key} ?"),
            8 => writeln!(lines, "observe_at {} {key} ?", now - dice.roll(2_000_000_000)),
            _ => writeln!(lines, "observe_at {now} {key} ?"),
        }
        .unwrap();
        if call == 700 {
            write_gap(lines, options, &mut now, &key);
        }
    }
    writeln!(lines, "stats ?").unwrap();
}

/// Silence longer than window and step: refused as a step where there is a limit, taken as `advance`.
fn write_gap(lines: &mut String, options: &str, now: &mut u64, key: &str) {
    let words: Vec<&str> = options.split(' ').collect();
    *now += 2_100_000_000;
    if words[5] != "0" {
        writeln!(lines, "refused {now} {key} ?").unwrap();
    }
    if words[7] == "0" {
        writeln!(lines, "hash_of {key} ?").unwrap();
    }
    writeln!(lines, "contains {key} ?\nadvance {now}\ncontains {key} ?").unwrap();
}

/// One of 300 keys of 0 to 12 bytes, some oftener than others.
fn key(dice: &mut Dice) -> String {
    let number = dice.roll(300).min(dice.roll(300));
    let bytes = [number.to_le_bytes(), (number * 7919).to_le_bytes()].concat();
    let len = usize::try_from(number % 12).unwrap() + 1;
    hex(if number == 0 { &[] } else { &bytes[..len] })
}

/// One reader of the file: what it needs to answer line after line.
struct Reader {
    filter: Option<Filter>,
}

impl Reader {
    /// The line with the library's answer in place of its own.
    fn answer(&mut self, line: &str) -> String {
        let words: Vec<&str> = line.split(' ').collect();
        if line.is_empty() || line.starts_with('#') {
            return String::from(line);
        }
        let said = match words[0] {
            "filter" => {
                self.filter = Some(Filter::new(&options(&words)).unwrap());
                return String::from(line);
            }
            "hash" => format!("{:016x}", hash64(&unhex(words[2]), number(words[1]))),
            _ => match ask(self.filter.as_mut().expect("no filter line yet"), &words) {
                None => return String::from(line),
                Some(said) => said,
            },
        };
        let answers = if words[0] == "stats" { words.len() - 1 } else { 1 };
        format!("{} {said}", words[..words.len() - answers].join(" "))
    }
}

fn number(word: &str) -> u64 {
    word.parse().unwrap_or_else(|error| panic!("{word}: {error}"))
}

/// The tick and the key of a line, whichever it has.
fn arguments(words: &[&str]) -> (Tick, Vec<u8>) {
    match words[0] {
        "advance" => (Tick(number(words[1])), Vec::new()),
        "stats" => (Tick(0), Vec::new()),
        "insert_at" | "observe_at" | "contains_at" | "refused" => (Tick(number(words[1])), unhex(words[2])),
        _ => (Tick(0), unhex(words[1])),
    }
}

/// What the filter says to one line; `None` where a line has no answer.
fn ask(filter: &mut Filter, words: &[&str]) -> Option<String> {
    let (tick, key) = arguments(words);
    let verdict = match words[0] {
        "observe" => filter.observe(&key).unwrap(),
        "observe_at" => filter.observe_at(&key, tick).unwrap(),
        "contains" => filter.contains(&key),
        "contains_at" => filter.contains_at(&key, tick).unwrap(),
        "refused" => return Some(refusal(filter, &key, tick)),
        "hash_of" => return Some(format!("{:016x}", filter.hash(&key).unwrap().0)),
        "stats" => return Some(figures(filter)),
        _ => {
            change(filter, words[0], &key, tick);
            return None;
        }
    };
    Some(u8::from(verdict).to_string())
}

/// The verbs without an answer.
fn change(filter: &mut Filter, verb: &str, key: &[u8], tick: Tick) {
    match verb {
        "insert" => filter.insert(key).unwrap(),
        "insert_at" => filter.insert_at(key, tick).unwrap(),
        "advance" => filter.advance(tick).unwrap(),
        _ => panic!("no such instruction: {verb}"),
    }
}

fn refusal(filter: &mut Filter, key: &[u8], tick: Tick) -> String {
    match filter.observe_at(key, tick).unwrap_err().code() {
        Code::Tick => String::from("TICK"),
        other => panic!("{other:?}"),
    }
}

fn figures(filter: &Filter) -> String {
    let stats = filter.stats();
    let clock = stats.clock.0;
    format!("{} {} {} {} {clock}", stats.news, stats.duplicates, stats.late_ticks, stats.refused_ticks)
}

/// The options of a filter line.
fn options(words: &[&str]) -> Options {
    let columns: [u64; 10] = std::array::from_fn(|i| if i == 1 { 0 } else { number(words[i + 1]) });
    let [window, _, repeat, on_limit, memory, max_step, seed, keyed, lo, hi] = columns;
    let mut options = Options::new(Kind::TimeLimited).clock(ClockSource::Manual).window_ns(window);
    options = options.error_rate(words[2].parse().unwrap()).seed(seed);
    options = match repeat {
        0 => options,
        1 => options.repeat(Repeat::Refresh),
        _ => options.repeat(Repeat::KeepFirst),
    };
    options = match on_limit {
        0 => options,
        1 => options.on_limit(OnLimit::ForgetOldest),
        _ => options.on_limit(OnLimit::RaiseErrorRate),
    };
    options = if memory > 0 { options.memory(memory) } else { options };
    options = if max_step > 0 { options.max_step_ns(max_step) } else { options };
    if keyed > 0 { options.keyed(true).secret(lo, hi) } else { options }
}

fn path() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("tests/vectors/vectors.txt")
}

fn replayed(text: &str) -> String {
    let mut reader = Reader { filter: None };
    text.lines().map(|line| reader.answer(line) + "\n").collect()
}

/// The file; with BLESS written first, once.
fn committed() -> String {
    static BLESSED: Once = Once::new();
    BLESSED.call_once(|| {
        if std::env::var_os("BLESS").is_some() {
            fs::write(path(), replayed(&script())).unwrap();
        }
    });
    fs::read_to_string(path()).unwrap()
}

#[test]
fn the_committed_answers_are_those_of_the_library() {
    let committed = committed();
    for (line, said) in committed.lines().zip(replayed(&committed).lines()) {
        assert_eq!(line, said);
    }
    assert!(committed == replayed(&script()), "not what the script says: BLESS=1 cargo test --test vectors");
}

#[test]
fn the_committed_hashes_are_the_published_ones() {
    let committed = committed();
    let buffer = sanity_buffer();
    for (len, plain, seeded) in PUBLISHED {
        let key = hex(&buffer[..len]);
        assert!(committed.contains(&format!("\nhash 0 {key} {plain:016x}\n")), "{len} bytes");
        assert!(committed.contains(&format!("\nhash {SEED} {key} {seeded:016x}\n")), "{len} bytes, seeded");
    }
}

/// A memory of every key's last sighting that the plain filter must not miss.
#[derive(Default)]
struct Model {
    clock: u64,
    last: HashMap<String, u64>,
    asked: u32,
    known: u32,
    false_duplicates: u32,
}

impl Model {
    /// Holds one line of the plain filter to the promise.
    fn hold(&mut self, line: &str) {
        let words: Vec<&str> = line.split(' ').collect();
        let (tick, key) = arguments(&words);
        let now = self.clock.max(tick.0);
        let seen = self.last.get(&hex(&key)).is_some_and(|&then| now - then <= 1_000_000_000);
        if words[0].starts_with("observe") || words[0].starts_with("contains") {
            self.judge(line, seen, words[words.len() - 1] == "1");
        }
        if !words[0].starts_with("contains") {
            self.clock = now;
        }
        if words[0].starts_with("observe") || words[0].starts_with("insert") {
            self.last.insert(hex(&key), now);
        }
    }

    fn judge(&mut self, line: &str, seen: bool, duplicate: bool) {
        assert!(duplicate || !seen, "missed: {line}");
        self.asked += 1;
        self.known += u32::from(seen);
        self.false_duplicates += u32::from(duplicate && !seen);
    }
}

#[test]
fn the_plain_filter_missed_nothing_and_erred_now_and_then() {
    let committed = committed();
    let plain = format!("filter {}\n", FILTERS[0]);
    let life = committed.split(&plain).nth(1).unwrap().split("\n\n").next().unwrap();
    let mut model = Model::default();
    life.lines().filter(|line| !line.starts_with("hash_of")).for_each(|line| model.hold(line));
    let absent = model.asked - model.known;
    assert!(model.known > 200 && absent > 200, "{} of {}", model.known, model.asked);
    // Absent for the model begins at the window; the filter may hold a key one generation longer, hence the room.
    assert!(
        model.false_duplicates > 0 && 2 * model.false_duplicates < absent,
        "{} of {absent}",
        model.false_duplicates
    );
}

#[test]
fn a_verdict_depends_on_the_hash() {
    let committed = committed();
    let wrong = committed.replace("18446744073709551615 0 0 0\n", "18446744073709551614 0 0 0\n");
    assert!(wrong != committed && replayed(&wrong) != wrong, "another seed, the same verdicts");
    let wrong = committed.replace("81985529216486895", "81985529216486896");
    assert!(wrong != committed && replayed(&wrong) != wrong, "another secret, the same verdicts");
}
