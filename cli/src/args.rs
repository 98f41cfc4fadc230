//! The options of the command line.

use std::ffi::OsStr;
use std::path::PathBuf;

use clap::builder::{PossibleValue, TypedValueParser};
use clap::{ArgAction, CommandFactory, Parser, Subcommand, ValueEnum};

use crate::filter::FilterArgs;
use crate::generate::Page;
use crate::misuse::must_be;
use crate::page;
use crate::plan::PlanArgs;
use crate::sections;
use crate::time::TimeFormat;
use crate::units;

/// Print the records of a stream that were not seen lately, in bounded memory.
///
/// Reads FILES (or standard input; `-` is standard input too) line by line and prints, in order, the lines whose
/// key was not seen: at all (as `uniq` over everything, within 256M of memory), within the last `--window` of time, among the `--last` N records, ever (`--capacity`), or as far
/// back as `--memory` reaches. A key seen within the window is never called new (unless the memory limit shortened
/// the window: a line on standard error then reports it); a key that was not seen is called a duplicate with at most the
/// chance `--error`. `lately plan` shows what a filter costs.
#[derive(Debug, Parser)]
#[command(
    name = "lately",
    version,
    after_help = sections::SHORT,
    args_conflicts_with_subcommands = true,
    disable_help_subcommand = true
)]
pub(crate) struct Cli {
    #[command(subcommand)]
    pub(crate) command: Option<Command>,

    #[command(flatten)]
    pub(crate) args: Args,

    /// Print the man page (man, man-plan) or the completions (bash, zsh, fish) of this very command
    #[arg(long, value_name = "WHAT", exclusive = true, hide_possible_values = true, help_heading = "Packaging")]
    pub(crate) generate: Option<Page>,
}

#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    Plan(PlanArgs),
}

/// Options that only some kinds of filter have: those of `lately plan`, which a run takes with `--filter`. And the lateness, which a run
/// takes with `--late`.
pub(crate) const MOVED: [&str; 6] = ["algo", "variant", "miss", "on-limit", "age-bits", "lateness"];

/// The command with all that its pages show.
pub(crate) fn whole() -> clap::Command {
    Cli::command().mut_args(|arg| {
        let is_moved = arg.get_long().is_some_and(|name| MOVED.contains(&name));
        arg.hide(is_moved)
    })
}

/// The command as it is typed: `-h` shows one screen, and `--help` all options in two columns.
pub(crate) fn command() -> clap::Command {
    let command = whole().mut_args(|arg| arg.hide_short_help(true).hide_long_help(true));
    // A run needs no page.
    let is_asked = std::env::args_os().any(|arg| arg == "--help");
    if is_asked { command.after_long_help(page::help(&whole())) } else { command }
}

/// The options of a run over records.
#[derive(Debug, Clone, clap::Args)]
pub(crate) struct Args {
    /// Files to read, in this order; none, or `-`, is standard input
    pub(crate) files: Vec<PathBuf>,

    /// Read the names of the files from this file, or from standard input (-): each ends with NUL, as find -print0 writes them
    #[arg(long, value_name = "FILE", conflicts_with = "files", help_heading = "Input")]
    pub(crate) files0_from: Option<PathBuf>,

    #[command(flatten)]
    pub(crate) filter: FilterArgs,

    /// What the key is: field numbers from 1 (2,5 or 2-4 or 2-; -1 is the last), with --csv column names or numbers; without it
    /// the whole record. '!2,5' is all but these. It may repeat
    #[arg(short, long, value_name = "LIST", help_heading = "Key", conflicts_with = "json", allow_hyphen_values = true)]
    pub(crate) key: Vec<String>,

    /// What separates fields (\t is a TAB): any text, with --csv one byte; blank is any run of spaces and tabs [default:
    /// TAB, with --csv a comma]
    #[arg(short = 't', long, value_name = "SEP", help_heading = "Key", allow_hyphen_values = true)]
    pub(crate) separator: Option<String>,

    /// Records are CSV with a header, which is printed through; a quoted record may span lines
    #[arg(long, help_heading = "Key", group = "table", conflicts_with_all = ["json", "null"])]
    pub(crate) csv: bool,

    /// The same between TABs and without quotes: each line is a record, and \t, \n and \\ stay as they are
    #[arg(long, help_heading = "Key", group = "table", conflicts_with_all = ["json", "null", "separator", "quote", "escape"])]
    pub(crate) tsv: bool,

    /// What encloses fields of CSV: a character, or none [default: "]
    #[arg(long, value_name = "CHAR", help_heading = "Key", requires = "csv")]
    pub(crate) quote: Option<String>,

    /// What takes the meaning from a character of CSV, such as the backslash of Spark and MySQL: in quoted fields, with
    /// --quote none in all
    #[arg(long, value_name = "CHAR", help_heading = "Key", requires = "csv", allow_hyphen_values = true)]
    pub(crate) escape: Option<String>,

    /// Lines that begin with this are no records; they are printed as they came
    #[arg(long, value_name = "CHAR", help_heading = "Key", allow_hyphen_values = true)]
    pub(crate) comment: Option<String>,

    /// The first N lines of each file are no records; those of the first file are printed as they came
    #[arg(long, value_name = "N", default_value_t = 0, hide_default_value = true, help_heading = "Key")]
    pub(crate) skip: u64,

    /// The CSV or TSV has no header: columns are named by their numbers
    #[arg(long, help_heading = "Key", requires = "table")]
    pub(crate) no_header: bool,

    /// Records are JSON; the key is the value at this pointer (/user/id). Repeat it for a key of several values
    #[arg(long, value_name = "POINTER", action = ArgAction::Append, help_heading = "Key")]
    pub(crate) json: Vec<String>,

    /// Records are JSON; the key is all of the record but the values at these pointers (/ts,/trace/id), whatever the order of its
    /// members
    #[arg(long, value_name = "LIST", help_heading = "Key", conflicts_with_all = ["json", "key", "table", "null"])]
    pub(crate) json_except: Option<String>,

    /// JSON values follow each other on a line, or over several lines, also as in RFC 7464. Each is printed with a line feed
    /// behind it. Found without this option if the first line has a second value
    #[arg(long, help_heading = "Key", conflicts_with_all = ["null", "table", "key"])]
    pub(crate) json_seq: bool,

    /// Upper and lower case of the letters A to Z are the same in a key
    #[arg(short, long, help_heading = "Key")]
    pub(crate) ignore_case: bool,

    /// Records end with NUL, not with a line feed
    #[arg(short = 'z', long, help_heading = "Key")]
    pub(crate) null: bool,

    /// The longest record, without its end: a longer one is bad. Bytes, or with K, M or G
    #[arg(long, value_name = "SIZE", default_value = "16M", value_parser = units::memory, help_heading = "Key")]
    pub(crate) max_record: u64,

    /// Where a record's own time is: a field number, a column name or a JSON pointer; several fields (1-2 or 1,2) are one
    /// time with blanks between. Without it the time of arrival counts
    #[arg(long, value_name = "FIELD", help_heading = "Event time", allow_hyphen_values = true)]
    pub(crate) time_field: Option<String>,

    /// How that time is written: rfc3339 (without an offset it is UTC), rfc2822, epoch, epoch_ms, epoch_us, epoch_ns, clf, syslog
    /// or strptime:FORMAT; the last two may lack the year
    #[arg(long, value_name = "FORMAT", default_value = "rfc3339", hide_possible_values = true, value_parser = FormatParser, help_heading = "Event time", requires = "time_field")]
    pub(crate) time_format: TimeFormat,

    /// The year of the first time of a format without one (syslog); the times behind it follow their order [default: the last
    /// one that is not after now]
    #[arg(long, value_name = "YEAR", value_parser = clap::value_parser!(u16).range(1970..=2554), help_heading = "Event time", requires = "time_field")]
    pub(crate) year: Option<u16>,

    /// How late a record may be, and what becomes of one that is later by more than the window: both with a comma (5m,drop), or
    /// one of them. One that is at most this TIME below the clock is judged at its own time; a later one is judged at the clock
    /// (keep), left out (drop), or printed without being judged (pass; --mark calls it late). At most 24/7 of the window
    #[arg(
        long,
        value_name = "TIME|WHAT",
        default_value = "keep",
        value_parser = Lateness::parse,
        help_heading = "Event time",
        requires = "time_field"
    )]
    pub(crate) late: Lateness,

    /// How far a record may be ahead of the clock; further ahead it is refused. 0 is no limit. Without this option
    /// a record may also be that far ahead of this machine's clock, and the first record after a --state any time ahead
    /// [default: 24h]
    #[arg(long, value_name = "TIME", value_parser = units::step, help_heading = "Event time", requires = "time_field")]
    pub(crate) max_step: Option<u64>,

    /// When 100 records in a row are older than the clock by more than the window, the clock is wrong: empty the filter
    /// and resume at the records' own time. Without this it is only reported. Without a time field: empty the filter of a
    /// --state that was saved at a time after now
    #[arg(long, help_heading = "Event time")]
    pub(crate) reset_clock: bool,

    /// Resume where the last run with this file ended, and save to it where this one ends; created if it does not exist
    #[arg(long, value_name = "FILE", help_heading = "State")]
    pub(crate) state: Option<PathBuf>,

    /// Save during the run as well, this long after the last saving, if there is something to save. 0 is never
    #[arg(long, value_name = "TIME", default_value = "1m", value_parser = units::step, help_heading = "State", requires = "state")]
    pub(crate) save_every: u64,

    /// How long to wait for a state that another run has locked
    #[arg(long, value_name = "TIME", default_value = "0", value_parser = units::step, help_heading = "State", requires = "state")]
    pub(crate) wait: u64,

    /// Which record of a key is printed: its first (first), at once, or its newest of the next --hold (last)
    #[arg(
        long,
        value_name = "WHICH",
        default_value = "first",
        hide_possible_values = true,
        help_heading = "Output",
        conflicts_with_all = ["duplicates", "flag", "repeats", "exec", "count"]
    )]
    pub(crate) keep: Which,

    /// How long --keep last holds a record back, from the first sighting of its key, within a quarter of --memory. What leaves
    /// early because that is full is printed and counted
    #[arg(long, value_name = "TIME", value_parser = units::window, help_heading = "Output", conflicts_with_all = ["duplicates", "flag", "repeats", "exec", "count"])]
    pub(crate) hold: Option<u64>,

    /// Print the duplicates instead of the first sightings
    #[arg(short, long, help_heading = "Output", conflicts_with_all = ["flag", "count"])]
    pub(crate) duplicates: bool,

    /// Write the duplicates to this file, in order, and the first sightings to standard output. An existing file is
    /// replaced
    #[arg(long, value_name = "FILE", help_heading = "Output", conflicts_with_all = ["duplicates", "flag"])]
    pub(crate) repeats: Option<PathBuf>,

    /// Print every record with its verdict (new, duplicate, late, bad or refused): after the separator, with --csv in a
    /// column and with --json in a member "lately", where bad records go out as they came. With --mark=age also lower
    /// and upper bounds on the age of each duplicate: two more fields, in time or records
    #[arg(
        long = "mark",
        alias = "flag",
        value_name = "WHAT",
        num_args = 0..=1,
        require_equals = true,
        default_missing_value = "verdict",
        hide_possible_values = true,
        help_heading = "Output",
        conflicts_with = "count"
    )]
    pub(crate) flag: Option<Flag>,

    /// The name of that column or member [default: lately]
    #[arg(long = "mark-name", alias = "flag-name", value_name = "NAME", help_heading = "Output", requires = "flag")]
    pub(crate) flag_name: Option<String>,

    /// Run CMD by sh for each new record, which is on its standard input and in $LATELY_RECORD, and print the record when CMD
    /// has ended with 0. If CMD fails, the record goes to standard error with its exit status, stays new, and the run ends
    /// with 4
    #[arg(long, value_name = "CMD", help_heading = "Commands", allow_hyphen_values = true, conflicts_with_all = ["duplicates", "repeats", "flag", "count"])]
    pub(crate) exec: Option<String>,

    /// How long CMD may run: then it and what it started are ended by SIGTERM, and the record has failed [default: no limit]
    #[arg(long, value_name = "TIME", value_parser = units::window, help_heading = "Commands", requires = "exec")]
    pub(crate) exec_limit: Option<u64>,

    /// How many commands may run at once: 1 to 1024
    #[arg(short = 'P', long, value_name = "N", default_value = "1", value_parser = units::parallel, help_heading = "Commands", requires = "exec")]
    pub(crate) parallel: usize,

    /// Print at the end, on standard error, the N keys that were repeated most often, counted within 1 MiB: how often at
    /// least and at most
    #[arg(long, value_name = "N", help_heading = "Output", value_parser = units::count)]
    pub(crate) top: Option<u64>,

    /// What to do with bad and refused records: print them as they came (keep) or leave them out (drop)
    #[arg(long, value_name = "WHAT", default_value = "keep", hide_possible_values = true, help_heading = "Output")]
    pub(crate) bad: Keep,

    /// Print counts and figures on standard error at the end, as text or as one line of json
    #[arg(long, value_name = "FORM", hide_possible_values = true, help_heading = "Output")]
    pub(crate) report: Option<Form>,

    /// Write the figures of the run to this file for Prometheus, and replace it whole: every 10 s, with each report and
    /// each saving, and at the end. It is in the text format that node exporter's textfile collector reads; the label filter
    /// is its name without .prom
    #[arg(long, value_name = "FILE", help_heading = "Output")]
    pub(crate) metrics: Option<PathBuf>,

    /// Flush after every record (the default on a terminal) instead of every 10 ms at the latest
    #[arg(long, help_heading = "Output")]
    pub(crate) line_buffered: bool,

    /// End with 3 if any record was bad, refused, far ahead, or late by more than the window, or if the filter could not
    /// keep its window, its error rate or its capacity
    #[arg(long, help_heading = "Output")]
    pub(crate) strict: bool,
}

/// Reads `--time-format`, and knows its names for completions.
#[derive(Debug, Clone, Copy)]
struct FormatParser;

impl TypedValueParser for FormatParser {
    type Value = TimeFormat;

    fn parse_ref(
        &self,
        command: &clap::Command,
        arg: Option<&clap::Arg>,
        value: &OsStr,
    ) -> Result<TimeFormat, clap::Error> {
        TypedValueParser::parse_ref(&TimeFormat::parse, command, arg, value)
    }

    fn possible_values(&self) -> Option<Box<dyn Iterator<Item = PossibleValue> + '_>> {
        let names = ["rfc3339", "rfc2822", "epoch", "epoch_ms", "epoch_us", "epoch_ns", "clf", "syslog", "strptime:"];
        Some(Box::new(names.into_iter().map(PossibleValue::new)))
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum Which {
    First,
    Last,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum Keep {
    Keep,
    Drop,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Lateness {
    pub(crate) allowed: Option<u64>,
    pub(crate) then: Late,
}

impl Lateness {
    /// A time, a word, or both with a comma.
    fn parse(text: &str) -> Result<Self, String> {
        let word = |text: &str| Late::from_str(text, false).ok();
        let (time, then) = match text.split_once(',') {
            Some((time, then)) => (Some(time), word(then)),
            None => (Some(text).filter(|text| word(text).is_none()), word(text).or(Some(Late::Keep))),
        };
        match (time.map(units::step).transpose(), then) {
            (Ok(allowed), Some(then)) => Ok(Self { allowed, then }),
            _ => Err(must_be("a time such as 5m, one of keep, drop and pass, or both with a comma, such as 5m,drop")),
        }
    }
}

/// What happens to records that are too late to be judged by their own time.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum Late {
    Keep,
    Drop,
    Pass,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum Flag {
    Verdict,
    Age,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum Form {
    Text,
    Json,
}
