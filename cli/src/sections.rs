//! The words of the help and of the man page.

use Block::{Code, Table, Text};

/// A piece of a section.
pub(crate) enum Block {
    Text(&'static str),
    /// Words, and what each means.
    Table(&'static [(&'static str, &'static str)]),
    /// Lines that stand as they are.
    Code(&'static [&'static str]),
}

/// A titled section of the man page and of --help.
pub(crate) struct Section {
    pub(crate) title: &'static str,
    pub(crate) blocks: &'static [Block],
}

/// What `-h` shows: the options of every day, on one screen.
pub(crate) const SHORT: &str = "\
Which records count [all, in 256M], and how often a new one may be a duplicate:
  -w, --window TIME     those of the last 10m, 1h30m, 7d, ...
      --last N          the last N records
      --capacity N      all of them, planned for N different ones
  -m, --memory SIZE     as many as fit SIZE; with the others a limit
  -e, --error RATE      1e-4, ...

What a record is:
  -k, --key LIST        its key: fields 2,5 or 2-4 or -1; CSV columns [all]
  -t, --separator SEP   between fields: any text, or blank [TAB, CSV: a comma]
      --csv, --tsv      records are CSV or TSV with a header
      --json POINTER    records are JSON; the key is the value at /user/id
      --time-field F    where its own time is [the time of arrival counts]
      --time-format F   rfc3339, epoch, epoch_ms, clf, strptime:FORMAT, ...

What comes out:
  -d, --duplicates      the duplicates instead of the first sightings
      --mark            every record with its verdict (new, duplicate, ...)
      --repeats FILE    the first sightings, and the duplicates to this file
      --count           the first sightings, and how often each came again
      --keep last       the newest of each key, held back for --hold TIME
      --exec CMD        the first sightings for which CMD succeeds
      --report FORM     figures at the end, text or json
      --strict          status 3 if anything was wrong

Between runs:
      --state FILE      resume where the last run ended

";

/// The synopsis of the man page, as roff.
pub(crate) const SYNOPSIS: &str = r"\fBlately\fR [\fIOPTION\fR]... [\fIFILE\fR]...
.br
\fBlately\fR \fB\-\-window\fR \fITIME\fR [\fIOPTION\fR]... [\fIFILE\fR]...
.br
\fBlately\fR \fB\-\-last\fR \fIN\fR [\fIOPTION\fR]... [\fIFILE\fR]...
.br
\fBlately\fR \fB\-\-capacity\fR \fIN\fR [\fIOPTION\fR]... [\fIFILE\fR]...
.br
\fBlately\fR \fB\-\-memory\fR \fISIZE\fR [\fIOPTION\fR]... [\fIFILE\fR]...
.br
\fBlately\fR \fB\-\-state\fR \fIFILE\fR [\fIOPTION\fR]... [\fIFILE\fR]...
.br
\fBlately plan\fR [\fIOPTION\fR]...
";

/// The same of `lately plan`.
pub(crate) const PLAN_SYNOPSIS: &str = r"\fBlately plan\fR {\fB\-\-window\fR \fITIME\fR | \fB\-\-last\fR \fIN\fR | \fB\-\-capacity\fR \fIN\fR | \fB\-\-memory\fR \fISIZE\fR} [\fB\-\-rate\fR \fIN\fR] [\fIOPTION\fR]...
";

pub(crate) const SECTIONS: [Section; 12] = [
    Section { title: "Kinds of filter", blocks: &KINDS },
    Section {
        title: "Keys",
        blocks: &[
            Text(
                "The key of a record is the whole record without its end (LF or CR LF; NUL with -z), or the parts that -k or \
                 --json name, each with its length, so that (ab, c) and (a, bc) differ. Records are bytes; they need not be \
                 UTF-8. JSON values of different types differ (1 and \"1\"), names are sorted, and 1, 1.0 and 1e0 are one number, of which \
                 no digit is rounded. A record whose key can be read is judged, also with NaN, Infinity, raw control characters \
                 or bytes that are not UTF-8 in it.",
            ),
            Text(
                "-k '!ts,id' is all fields but these, which may be absent; a column whose name begins with ! is written in quotes. \
                 --json-except /ts,/trace/id is all of a JSON value but these, and the order of members does not matter.",
            ),
            Text(
                "If CSV files have the same columns in different orders, the output has the order of the first, and so has \
                 the key without -k. A blank line is no record of CSV or JSON. With --mark a row that lacks columns gets empty \
                 ones before the verdict; with --mark and --strict it is bad. With --mark a row with too many columns is bad; without it is judged by its key. JSON values \
                 that follow each other without line feeds are records too (--json-seq).",
            ),
        ],
    },
    Section {
        title: "Time",
        blocks: &[
            Text(
                "The first record sets the clock; from then on it is the latest time of any record taken. A record below the \
                 clock is late and judged at the clock, unless --late 5m, say, allows it: then it is judged at its own time, and is \
                 never called new if its key was seen within the window before that time, or after it. Below the clock by \
                 more than the window and that time a record is too late (--late drop, pass). At the end their number is reported, and the \
                 largest lateness. Ask for that --late where several files, or several writers, overlap in time.",
            ),
            Text(
                "A record may be 24 hours ahead of the clock. Further ahead it is judged at its time, if that is at most 24 \
                 hours after now by this machine's clock, and the next record decides: at that time or later, the clock \
                 follows; below it, the record is named and the clock stays. A record ahead of both clocks is refused. If 100 \
                 records in a row are refused, and one more comes, the gap is real: the clock moves to the least of their times, \
                 and that record is judged. --max-step sets another step, which is compared with the clock of \
                 the records alone.",
            ),
            Text(
                "When 100 records in a row are too late, the clock is wrong: the line that moved it is reported, and \
                 with --reset-clock the filter is emptied and resumes at the records' own time.",
            ),
            Text(
                "Times lie between 1970 and 2554. epoch, epoch_ms and epoch_us may have a fraction, which counts to the \
                 nanosecond, and an exponent (1.7e9); if a number would be a present-day time in another unit, a note names that \
                 unit. syslog and strptime without an offset are UTC. A zone of rfc2822 is an offset, UT, UTC, GMT, Z or one of EST, EDT, \
                 CST, CDT, MST, MDT, PST and PDT; any other name is bad. A time without a year is the nearest to the one \
                 before that exists, and the first one the last that is not after now, or in --year. With clf a field that opens with [ or \" ends at its closing mark, so \
                 that -t ' ' splits the lines of a web server's log.",
            ),
        ],
    },
    Section {
        title: "State",
        blocks: &[
            Text(
                "With --state the filter is loaded from FILE if it is there, and saved to it at the end, at a signal that ends \
                 the run and every --save-every, also while no record comes. A periodic save that fails is reported and tried \
                 again at the next turn; the one at the end must succeed. FILE is replaced whole: killed at any moment a \
                 run leaves the old state or the new one. A record is printed before it is in a state, so that a kill can \
                 repeat records and loses none; if the output cannot be written the state stays as it was.",
            ),
            Text(
                "Time between two runs counts: by the wall clock, or by the times of the records. The first record \
                 after a state may be ahead of its clock by any time, and that is reported if it is more than the window. A state \
                 that was saved at a time after now is reported, and the pause counts as 0; --reset-clock empties its filter.",
            ),
            Text(
                "Options that define the key must be those of the first run. Options of the filter that are absent are \
                 those of the state; one that differs is an error. --memory may change from run to run where the window is one \
                 of time; other filters keep their size. The secret of --keyed is not in a state, and must be named again.",
            ),
        ],
    },
    Section {
        title: "Counts",
        blocks: &[
            Text(
                "--count prints each first sighting at once. When the window of a key that came again has closed, it prints {\"lately\":\"repeated\", \
                 \"n\":17,\"first_repeat\":..,\"last\":..,\"record\":..}, or TEMPLATE with its places filled. n counts all sightings; the record and \
                 first_repeat are those of the second one. A window has closed when the filter has forgotten the key for certain, one \
                 generation (a seventh of the window, at most) after it, or calls it new; by the times of arrival also while nothing comes. So all n - 1 together are the \
                 duplicates.",
            ),
            Text(
                "--keep last --hold 30s holds a new record back for that long, and prints the newest record of its key (by its own time, with \
                 --time-field), in the order of the first sightings. A repeat that comes later within the window is a duplicate as ever: with --first a key \
                 that keeps coming is printed once a window. Bad and refused records are not held.",
            ),
            Text(
                "What waits has a quarter of --memory (of 256M, if none is given), and takes its key, its record and some 256 bytes. When that is full the oldest \
                 leaves early: its summary has \"early\":true, and a further repeat begins another one, which counts the first sighting again; --report counts them, and \
                 --strict ends with 3. Everything that waits is printed at the end and at a signal that ends the run. With --state open counts stay in the state \
                 instead, and the next run with --count continues them; a run without it leaves them there, and says so. Records that are held are \
                 in each saving on the way: after a kill -9 the next run with --keep last prints them, and what was read after the last \
                 saving has to be fed again.",
            ),
        ],
    },
    Section {
        title: "Commands",
        blocks: &[
            Text(
                "With --exec a record that is new is printed, and counts as seen, when CMD has ended with 0. If CMD fails, or the \
                 run is killed before, the record leaves no trace in the filter and in a --state: when it comes again it is new. \
                 So CMD runs at least once for each record, and more than once only if it fails or the run is killed between its \
                 end and the next saving. A record with the same key as one whose CMD runs waits for its outcome.",
            ),
            Text(
                "sh runs CMD. The record is on its standard input with its end, and without it in LATELY_RECORD, unless the \
                 record has a NUL or more than 64K: then that variable is not set. CMD need not read it. What CMD prints goes to \
                 standard error, so that standard output has records only. A record whose CMD failed is written to standard \
                 error, whole, after its line number and the exit status or signal.",
            ),
            Text(
                "Records are printed in the order of the input: with --parallel N, up to 8 N of them wait for an earlier one while \
                 others are worked on. After a signal that ends the run no further CMD is started, and the run waits for those that run; a \
                 Ctrl-C reaches them as well. With --exec-limit CMD runs in a process group of its own, which Ctrl-C does not reach, \
                 gets SIGTERM when its time is over, and SIGKILL 5 s later. There are no commands on Windows.",
            ),
        ],
    },
    Section {
        title: "Bad records",
        blocks: &[
            Text(
                "A record without one of the fields, with an unreadable time, with invalid JSON, or longer than --max-record is \
                 bad. So is a CSV record with text after a closing quote, or whose quote is open at the end of the input or \
                 for longer than --max-record: it ends with the line in which that quote opens, and reading resumes with the \
                 next line.",
            ),
            Text(
                "Bad and refused records are counted, the first ten are named with their line number on standard error, and all \
                 are printed as they came (--bad drop leaves them out): nothing is lost.",
            ),
        ],
    },
    Section {
        title: "Input and output",
        blocks: &[
            Text(
                "gzip, zstd, xz, bzip2 and lz4 are detected and decompressed, in files and on standard input, and UTF-16 with its \
                 mark is read and written as UTF-8; other binary input is read as it is, with a warning. A leading byte order \
                 mark is not part of a record. Judged records are \
                 printed within 10 ms. SIGUSR1 prints the report during a run.",
            ),
            Text(
                "An input that cannot be read is named and left, as cat does; the others are read, and the status is 3. A pipe \
                 that another process made non-blocking is waited for. /dev/stdout, /dev/stderr and /dev/fd/N are the streams that \
                 are open: an output to them is added where they are, record by record.",
            ),
            Text(
                "A run reports on standard error when its filter cannot keep what it promises, once when that begins and again at \
                 the end: the window is shortened, the error rate is above --error, or more keys came than --capacity.",
            ),
            Text(
                "Lines that are never repeated (uniq -u) are not offered: until a window has passed, each line may still be \
                 repeated, so that all lines of a window would have to be kept, not a few bits of each.",
            ),
            Text("plan is a command if it comes first. To read a file called plan, write ./plan."),
        ],
    },
    Section {
        title: "Exit status",
        blocks: &[
            Table(&[
                ("0", "done, or the reader of the output has gone"),
                ("2", "wrong use"),
                (
                    "3",
                    "input, output, the secret file or the state failed, or no record could be judged; with --strict: some record \
                     was bad, refused, too late or far ahead, or the filter could not keep what it promises",
                ),
                ("4", "a command of --exec failed"),
                (
                    "129, 130, 143",
                    "ended by SIGHUP, SIGINT or SIGTERM: the records that were read are judged and printed, the state is \
                     saved and the report is printed",
                ),
            ]),
            Text(
                "Signals within a second of the first are the same request. A later one ends the run at once, and reports what was \
                 not saved.",
            ),
        ],
    },
    Section {
        title: "Files",
        blocks: &[Table(&[
            (
                "FILE",
                "of --state: the filter, and the options that made it. An empty file is a new state, a link is followed, and \
                 owner, group and mode stay. It must not be mounted by itself: mount its folder",
            ),
            ("FILE.new", "the next state, until it is whole and on the disk; then it takes the place of FILE"),
            ("FILE.lock", "there while a run lasts; --wait waits until it is gone"),
            ("FILE", "of --keyed: 32 hex digits, for its owner alone; it is made with mode 0600 if it is not there"),
        ])],
    },
    Section {
        title: "Examples",
        blocks: &[Code(&[
            "lately --window 10m events.log",
            "lately --window 1h -k 2,5 --time-field 1 --time-format epoch dns.tsv",
            "lately --window 1h -t ' ' -k 1,5 --time-field 4 --time-format clf access.log",
            "lately --window 1h -t blank -k 5- --time-field 1-3 --time-format syslog messages",
            "lately --window 1h -t ' ' -k 4- --time-field 1-2 service.log",
            "lately --window 1d --csv -k order_id,status --time-field created orders.csv",
            "lately --last 1e6 -k 1 packets.tsv",
            "lately --memory 64M --error 1e-2 urls.txt",
            "lately --window 1d --state seen.state today.log",
            "lately plan --window 10m --rate 5000 --error 1e-4",
            "lately --window 1d --csv -k 1 --mark orders.csv.gz",
            "lately --last 1e6 --repeats again.log events.log",
            "lately --window 1h --count='repeated {n} times: {record}' events.log",
            "lately --window 1m --json /id --keep last --hold 30s updates.jsonl",
            "lately --window 1d --state sent.state --exec 'curl -fsS -d @- https://example.org/hook' -P 4 orders.jsonl",
            "tail -f hooks.jsonl | lately --window 10m --json /id --mark --late pass --time-field /at",
        ])],
    },
    Section {
        title: "See also",
        blocks: &[Text("lately-plan(1), uniq(1), sort(1), timeout(1), xargs(1), strftime(3)")],
    },
];

/// The sections after a plan's options.
pub(crate) const PLAN_SECTIONS: [Section; 2] = [
    Section {
        title: "Examples",
        blocks: &[Code(&[
            "lately plan --window 10m --rate 5000 --error 1e-4",
            "lately plan --last 1e6",
            "lately plan --memory 64M --error 1e-2 --json",
        ])],
    },
    Section { title: "See also", blocks: &[Text("lately(1)")] },
];

/// The section of the help about the kinds.
const KINDS: [Block; 3] = [
    Table(&[
        ("--window T", "window-table: finds every duplicate within T of time; with --on-limit raise time-limited"),
        ("--last N", "window-table: finds every duplicate among the last N records"),
        ("--capacity N", "TinySet: finds every duplicate of all time; past N keys its error rate climbs"),
        ("--memory M", "quotient: M bytes for a stream without end; it forgets, at the rate that its plan shows"),
    ]),
    Text(
        "--filter algo=KIND names any kind; lately plan has these options by themselves. The Bloom filters of the papers are --algo time-limited (with --window) and --algo \
         age-partitioned (with --last N; with --first these are the last N records that were called new). With \
         --algo age-partitioned or tiny-set, --memory alone makes the largest window, or set, that fits. --algo \
         quotient takes --last N with --miss as the distance at which duplicates matter. A --state that was made \
         with one of the two Bloom filters keeps its kind, unless --algo names another.",
    ),
    Text(
        "People who choose the keys can make any key a duplicate, unless --keyed is given: use it where other people's \
         records come in.",
    ),
];
