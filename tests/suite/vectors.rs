//! The files that every language reads: `BLESS=1 cargo test --test suite vectors::` writes `tests/vectors/vectors.txt`;
//! `errors.txt` and `kinds.txt` beside it are written by hand and held here.
//!
//! The script is made here, from a generator of its own; the answers are the library's. The hashes are compared with the published
//! values of XXH3-64; that the verdicts keep the promises is for the other files.

use crate::common;
#[path = "vector_batches/mod.rs"]
mod vector_batches;
#[path = "vector_runs/mod.rs"]
mod vector_runs;

use std::fmt::Write;
use std::fs;
use std::path::PathBuf;
use std::sync::Once;

use common::bytes::{hex, unhex};
use common::kinds::{self, Row};
use common::named::{head, number, options};
use lately::{Error, Field, Filter, Kind, Options, Repeat, Secret, Tick, hash64};
use vector_batches::Batch;

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

/// The lines without their answers, `?` in their place.
fn script() -> String {
    let mut lines = head(&read("vectors.txt"));
    let buffer = sanity_buffer();
    for (len, ..) in PUBLISHED {
        writeln!(lines, "hash 0 {} ?\nhash {SEED} {} ?", hex(&buffer[..len]), hex(&buffer[..len])).unwrap();
    }
    for text in ["", "a", "naïve", "order-17", "\0\0\0\0\0\0\0\0"] {
        writeln!(lines, "hash 42 {} ?", hex(text.as_bytes())).unwrap();
    }
    let mut kinds_with_batches = Vec::new();
    for life in kinds::cases("vectors") {
        writeln!(lines, "\nfilter {}\nplan ?", life.words.join(" ")).unwrap();
        let now = write_life(&mut lines, &life);
        // How a language hands over a batch does not depend on the kind; `in_place.rs` tries the batches of each.
        if !kinds_with_batches.contains(&life.kind()) || life.says("max_step_ns") {
            vector_batches::write(&mut lines, &life, now);
            kinds_with_batches.push(life.kind());
        }
    }
    lines
}

/// One filter's life: a thousand rounds over some windows, keys from a small pool so that many come again. Gives back its last tick.
fn write_life(lines: &mut String, life: &Row) -> u64 {
    let mut now = 1_600_000_000_000_000_000_u64;
    if life.takes_ticks() {
        writeln!(lines, "advance {now}").unwrap();
    }
    vector_runs::write(lines, life, &mut now, 700);
    write_middle(lines, life, &mut now, "6d6964646c65");
    vector_runs::write(lines, life, &mut now, 300);
    writeln!(lines, "stats ?").unwrap();
    now
}

/// What comes once in a life: hash or secret, a gap, a copy; late enough for what was cleared to fill again.
fn write_middle(lines: &mut String, life: &Row, now: &mut u64, key: &str) {
    if life.says("keyed") {
        writeln!(lines, "secret ?\nfails ? ? hash_of {key}").unwrap();
    } else {
        writeln!(lines, "hash_of {key} ?\nfails ? ? secret").unwrap();
    }
    writeln!(lines, "stats ?\ncopy").unwrap();
    if life.takes_ticks() {
        write_gap(lines, life, now, key);
    } else {
        writeln!(lines, "fails ? ? advance {now}\nstats ?\ncontains {key} ?\nclear\nstats ?\ncontains {key} ?")
            .unwrap();
    }
}

/// Silence longer than window and step: refused as a step where there is a limit, taken as `advance`.
fn write_gap(lines: &mut String, life: &Row, now: &mut u64, key: &str) {
    *now += 2_100_000_000;
    if life.says("max_step_ns") {
        writeln!(lines, "fails ? ? observe_at {now} {key}").unwrap();
    }
    writeln!(lines, "contains {key} ?\nadvance {now}\ncontains {key} ?").unwrap();
}

/// One reader of a file: what it needs to answer line after line.
#[derive(Default)]
struct Reader {
    options: Option<Options>,
    filter: Option<Filter>,
}

impl Reader {
    /// The line with the library's answer in place of its own.
    fn answer(&mut self, line: &str) -> String {
        let words: Vec<&str> = line.split(' ').collect();
        if line.is_empty() || line.starts_with('#') {
            return String::from(line);
        }
        if words[0] == "fails" {
            let Err(error) = self.obey(&words[3..]) else { panic!("it does not fail: {line}") };
            return format!("fails {} {}", cause(&error), words[3..].join(" "));
        }
        let said = self.obey(&words).unwrap_or_else(|error| panic!("{line}: {error}"));
        words[..=arguments(&words)].iter().map(ToString::to_string).chain(said).collect::<Vec<_>>().join(" ")
    }

    /// Carries an instruction out; what it answers.
    fn obey(&mut self, words: &[&str]) -> Result<Vec<String>, Error> {
        match words[0] {
            "hash" => Ok(vec![format!("{:016x}", hash64(&unhex(words[2]), number(words[1])))]),
            "filter" => {
                let options = options(&words[1..]);
                self.filter = Some(Filter::new(&options)?);
                self.options = Some(options);
                Ok(vec![])
            }
            "plan" => planned(self.options.as_ref().expect("no filter line yet")),
            "run" => self.run(words),
            verb if vector_batches::arguments(verb).is_some() => {
                Batch::parse(words).ask(self.filter.as_mut().expect("no filter line yet"))
            }
            _ => ask(self.filter.as_mut().expect("no filter line yet"), words),
        }
    }

    /// The verdicts of a run's calls.
    fn run(&mut self, words: &[&str]) -> Result<Vec<String>, Error> {
        let mut digits = String::new();
        for call in vector_runs::calls(words) {
            let answer = self.obey(&call.split(' ').collect::<Vec<_>>())?;
            digits.extend(answer);
        }
        Ok(vec![vector_runs::packed(&digits)])
    }
}

/// Status and option of an error, as `fails` has them.
fn cause(error: &Error) -> String {
    let status = format!("{:?}", error.code()).to_uppercase();
    format!("{status} {}", error.field().map_or("-", Field::name))
}

/// How many words of a line are what it asks with; the others are the answer.
fn arguments(words: &[&str]) -> usize {
    if let Some(count) = vector_batches::arguments(words[0]) {
        return count;
    }
    match words[0] {
        "run" => 6,
        "filter" => words.len() - 1,
        "plan" | "stats" | "secret" | "clear" | "copy" => 0,
        "hash" | "observe_at" | "insert_at" | "contains_at" => 2,
        _ => 1,
    }
}

/// The tick and the key of a line, whichever it has.
fn tick_and_key(words: &[&str]) -> (Tick, Vec<u8>) {
    match (words[0], arguments(words)) {
        ("advance", _) => (Tick(number(words[1])), Vec::new()),
        (_, 0) => (Tick(0), Vec::new()),
        (_, 1) => (Tick(0), unhex(words[1])),
        _ => (Tick(number(words[1])), unhex(words[2])),
    }
}

/// What the filter says to one line.
fn ask(filter: &mut Filter, words: &[&str]) -> Result<Vec<String>, Error> {
    let (tick, key) = tick_and_key(words);
    let verdict = match words[0] {
        "observe" => filter.observe(&key)?,
        "observe_at" => filter.observe_at(&key, tick)?,
        "contains" => filter.contains(&key),
        "contains_at" => filter.contains_at(&key, tick)?,
        "remove" => return Ok(vec![u8::from(filter.remove(&key)?).to_string()]),
        "hash_of" => return Ok(vec![format!("{:016x}", filter.hash(&key)?.0)]),
        "secret" => return filter.secret().map(Secret::words).map(|(lo, hi)| vec![lo.to_string(), hi.to_string()]),
        "stats" => return Ok(figures(filter)),
        _ => return change(filter, words[0], &key, tick).map(|()| vec![]),
    };
    Ok(vec![u8::from(verdict).to_string()])
}

/// The verbs without an answer.
fn change(filter: &mut Filter, verb: &str, key: &[u8], tick: Tick) -> Result<(), Error> {
    match verb {
        "insert" => filter.insert(key)?,
        "insert_at" => filter.insert_at(key, tick)?,
        "advance" => filter.advance(tick)?,
        "clear" => filter.clear(),
        "copy" => *filter = filter.try_clone()?,
        _ => panic!("no such instruction: {verb}"),
    }
    Ok(())
}

fn figures(filter: &Filter) -> Vec<String> {
    let s = filter.stats();
    let counts = [s.new_count, s.duplicate_count, s.late_ticks, s.refused_ticks, s.clock.0];
    let state = [s.bytes, s.items, s.shifts, s.rows_full];
    let tables = [s.moved, s.stashed, s.max_lateness_ns, s.last_refused_tick.0];
    counts.iter().chain(&state).chain(&tables).map(ToString::to_string).collect()
}

fn planned(options: &Options) -> Result<Vec<String>, Error> {
    let plan = Filter::plan(options)?;
    let sizes = [plan.bytes, plan.k, plan.l, plan.slices, plan.blocks, plan.rows, plan.window_keys];
    let shape = [plan.fingerprint_bits, plan.chains, plan.block_bytes];
    Ok(sizes.iter().chain(&shape).map(ToString::to_string).collect())
}

fn path(name: &str) -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("tests/vectors").join(name)
}

fn read(name: &str) -> String {
    fs::read_to_string(path(name)).unwrap()
}

fn replayed(text: &str) -> String {
    let mut reader = Reader::default();
    text.lines().map(|line| reader.answer(line) + "\n").collect()
}

/// The file; with BLESS written first, once.
fn committed() -> String {
    static BLESSED: Once = Once::new();
    BLESSED.call_once(|| {
        if std::env::var_os("BLESS").is_some() {
            fs::write(path("vectors.txt"), replayed(&script())).unwrap();
        }
    });
    read("vectors.txt")
}

#[test]
fn the_committed_answers_are_those_of_the_library() {
    let committed = committed();
    expect_answers(&committed);
    assert!(committed == replayed(&script()), "not what the script says: BLESS=1 cargo test --test suite vectors::");
}

#[test]
fn refused_request_names_the_option_of_the_list() {
    let errors = read("errors.txt");
    expect_answers(&errors);
    for kind in kinds::cases("vectors").iter().map(Row::kind) {
        let named = errors.lines().filter(|line| line.contains(&format!("filter kind={kind} ")));
        assert!(named.count() > 8, "kind {kind}");
    }
}

#[test]
fn the_suites_run_through_every_kind() {
    kinds::cases("vectors").iter().for_each(expect_answers_of_row);
    for suite in [kinds::rows(), kinds::cases("snapshot"), kinds::cases("shared")] {
        for kind in 1..=Kind::ALL.len().try_into().unwrap() {
            assert!(suite.iter().any(|row| row.kind() == kind), "no row for kind {kind} beside {suite:?}");
        }
        suite.iter().for_each(expect_answers_of_row);
    }
}

fn expect_answers_of_row(row: &Row) {
    let mut filter = Filter::new(&row.options()).unwrap_or_else(|error| panic!("{row:?}: {error}"));
    // A window table forgets a key, too, whatever rows say of kinds that keep keys for ever.
    let removes = row.removes || row.kind() == u64::from(Kind::WindowTable.number());
    let lacks_it = filter.remove(b"absent").is_err_and(|error| error.code() == lately::Code::Unsupported);
    assert_eq!(lacks_it, !removes, "{row:?}");
    assert_eq!(filter.advance(Tick(1)).is_ok(), row.takes_ticks(), "{row:?}");
    let repeat = Filter::plan(&row.options().repeat(Repeat::KeepFirst));
    assert_eq!(repeat.is_ok(), row.has_window(), "{row:?}: {repeat:?}");
}

/// A filter for more keys takes more memory; a small window table is a map, which takes more a key.
#[test]
fn the_rows_of_every_kind_can_be_sized() {
    for row in kinds::rows() {
        let bytes = [1000, 100_000].map(|keys| Filter::plan(&row.for_keys(keys)).expect("a plan").bytes);
        assert!(bytes[0] * 10 < bytes[1], "{row:?}: {bytes:?}");
    }
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

/// The line, or the single calls that its batch or run must equal.
fn singles(line: &str) -> Vec<String> {
    let words: Vec<&str> = line.split(' ').collect();
    match vector_batches::arguments(words[0]) {
        _ if words[0] == "run" => vector_runs::singles(&words),
        Some(count) => Batch::parse(&words).singles(words.get(count + 1).copied()),
        None => vec![String::from(line)],
    }
}

/// Every line's answer is compared. What differs is taken apart, so that the first wrong call is named.
fn expect_answers(file: &str) {
    let mut reader = Reader::default();
    for line in file.lines() {
        let said = reader.answer(line);
        let calls = || singles(line).into_iter().zip(singles(&said)).find(|(call, now)| call != now);
        assert!(line == said, "{line}\nnow  {said}\nthe first call that differs: {:?}", calls());
    }
}

/// Every batch that is taken and every run, replaced by its single calls: the file gets no other answers.
#[test]
fn batches_and_runs_as_single_calls_have_the_same_answers() {
    let committed = committed();
    let taken_apart: Vec<String> = committed.lines().flat_map(singles).collect();
    let batches = committed.lines().filter(|line| line != &singles(line).join("\n")).count();
    assert!(batches >= 2 * kinds::cases("vectors").len() + 40, "{batches} batches and runs");
    assert!(taken_apart.len() > 25_000, "{} calls", taken_apart.len());
    assert!(replayed(&taken_apart.join("\n")).lines().eq(&taken_apart));
}

#[test]
fn a_verdict_depends_on_the_hash() {
    let committed = committed();
    let wrong = committed.replace("seed=18446744073709551615", "seed=18446744073709551614");
    assert!(wrong != committed && replayed(&wrong) != wrong, "another seed, the same verdicts");
    let wrong = committed.replace("81985529216486895", "81985529216486896");
    assert!(wrong != committed && replayed(&wrong) != wrong, "another secret, the same verdicts");
}
