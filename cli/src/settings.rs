//! From what was said on the command line to what it means; what contradicts itself is an error that names the
//! option, the value and its range.

use std::path::{Path, PathBuf};
use std::time::Duration;

use lately::{Field, Filter, Kind, LoadOptions, Options};
use memchr::memmem::Finder;

use crate::args::{Args, Flag, Keep};
use crate::clock::{Clock, Rules};
use crate::csv::{self, Dialect};
use crate::exec;
use crate::exit::Exit;
use crate::fields::{self, FieldSpec};
use crate::filter::{Choice, Limit, StateMemory, forgets};
use crate::flag::{Ages, Flags, Place};
use crate::headers::Headers;
use crate::jobs::Jobs;
use crate::json::Pointer;
use crate::judge::Judge;
use crate::key::{Extract, Layout, Parts, Separator};
use crate::misuse::out_of_range;
use crate::names::Names;
use crate::notes;
use crate::output::{Show, Style};
use crate::promises::{Asked, LimitedBy};
use crate::records::{Form, Sequence};
use crate::secret::{self, Secret};
use crate::signals::Watch;
use crate::state::{self, Found, Keeping, LIMIT, Made, Request, State};
use crate::stdio;
use crate::streams;
use crate::time::TimeFormat;
use crate::units::exact_size;
use crate::waiting::Waiting;

/// How far a record may be ahead of the clock, unless another step is asked for: a day.
const MAX_STEP: u64 = 86_400_000_000_000;

/// How values of JSON become keys, as a state notes it: a string and a number of one text differ.
const JSON_RULE: &str = "JSON values";

/// What a run begins with.
#[derive(Debug)]
pub(crate) struct Begun {
    pub(crate) judge: Judge,
    pub(crate) asked: Asked,
    pub(crate) state: Option<State>,
    pub(crate) waiting: Option<Waiting>,
}

impl Args {
    /// The files to read; standard input if none is named.
    pub(crate) fn inputs(&self) -> Vec<PathBuf> {
        let is_none = self.files.is_empty() && self.files0_from.is_none();
        if is_none { vec![PathBuf::from("-")] } else { self.files.clone() }
    }

    /// The same with the names that `--files0-from` leads to.
    pub(crate) fn with_listed(mut self) -> Result<Self, Exit> {
        if let Some(list) = &self.files0_from {
            let shown = if stdio::is_stdin(list) { String::from("standard input") } else { list.display().to_string() };
            self.files = stdio::listed(list).map_err(|error| Exit::failed(&shown, &error))?;
            if self
                .files
                .iter()
                .any(|name| name.as_os_str().is_empty() || stdio::is_stdin(list) && stdio::is_stdin(name))
            {
                let range =
                    "a list of names that end with NUL, none of them empty, nor - if the list is on standard input";
                return Err(Exit::Usage(out_of_range("--files0-from", list.display(), range)));
            }
        }
        Ok(self)
    }

    /// A file that is read or kept must not be written over.
    pub(crate) fn expect_own(&self, option: &str, path: &Path) -> Result<(), String> {
        if option != "--repeats" && streams::is_output(path) {
            return Err(out_of_range(option, path.display(), "a file that is no standard output of the run"));
        }
        let same = |file: &PathBuf| path.canonicalize().ok() == file.canonicalize().ok();
        if let Some(file) = self.files.iter().find(|file| path.is_file() && same(file)) {
            return Err(out_of_range(option, file.display(), "a file that is not read"));
        }
        let kept = [("--state", &self.state), ("--keyed", &self.filter.keyed), ("--repeats", &self.repeats)];
        let is_it = |other: &Option<PathBuf>| other.as_ref().is_some_and(|other| is_same(path, other));
        match kept.into_iter().find(|(name, other)| *name != option && is_it(other)) {
            Some((name, _)) => {
                Err(out_of_range(option, path.display(), format_args!("another file than that of '{name}'")))
            }
            None => Ok(()),
        }
    }

    /// What is asked of the filter, in figures.
    fn asked(&self, algo: Kind, options: &Options) -> Result<Asked, Exit> {
        let asked = Asked {
            algo,
            window: self.filter.window,
            lateness: self.filter.allowed_lateness().unwrap_or(0),
            keys: 0,
            error_rate: self.filter.timed_error(),
            is_rate_asked: self.filter.error.is_some() || self.filter.is_timed(algo) || self.filter.memory.is_none(),
            miss_rate: None,
            memory: self.filter.limit(algo),
            limited_by: self.limited_by(),
            may_raise: self.filter.on_limit == Some(Limit::Raise),
        };
        if self.filter.is_timed(algo) {
            return Ok(asked);
        }
        let plan = Filter::plan(options).map_err(Exit::filter)?;
        let miss_rate = Some(plan.miss_rate).filter(|rate| forgets(algo) && !rate.is_nan());
        let keys = self.filter.last.or(self.filter.capacity).unwrap_or(plan.window_keys);
        Ok(Asked { keys, error_rate: self.filter.error.unwrap_or(plan.error_rate_worst), miss_rate, ..asked })
    }

    /// Who said how much memory there is.
    fn limited_by(&self) -> LimitedBy {
        match (self.filter.kept, self.filter.memory) {
            (StateMemory::Open, _) => LimitedBy::State,
            (_, Some(_)) => LimitedBy::Option,
            (_, None) => LimitedBy::Default,
        }
    }

    /// LF, or NUL.
    pub(crate) fn end(&self) -> u8 {
        if self.null { 0 } else { b'\n' }
    }

    /// The filter that is asked for, behind the rules of its time, the file that keeps it, and what waits.
    pub(crate) fn judge(&self, watch: &Watch) -> Result<Begun, Exit> {
        let choice = self.filter.choice().map_err(Exit::Usage)?;
        let options = self.options(&choice).map_err(Exit::Usage)?;
        // What is wrong with the options is said before a file is made.
        Filter::plan(&options).map_err(Exit::filter)?;
        let secret = self.secret()?;
        let (mut state, mut found) = self.state(&choice, secret, watch)?;
        if found.is_none() {
            self.filter.note().into_iter().for_each(notes::say);
        }
        let kind = found.as_ref().and_then(|found| found.older).unwrap_or(choice.algo);
        self.expect_ages(&choice, kind).map_err(Exit::Usage)?;
        let asked = self.asked(kind, &self.filter.options(kind))?;
        let far = found.as_ref().and_then(|found| found.far.clone());
        let saved = found.as_mut().and_then(|found| found.saved.take());
        let waiting = self.resume(kind, saved, &mut state)?;
        let filter = match (found, secret) {
            (Some(found), _) => Ok(found.filter),
            (None, Some((lo, hi))) => Filter::new(&options.secret(lately::Secret::new(lo, hi))),
            (None, None) => Filter::new(&options),
        };
        let filter = filter.map_err(Exit::filter)?;
        let clock = self.rules().map(|rules| Clock::new(rules, Some(filter.stats().clock.0).filter(|now| *now > 0)));
        let mut judge = Judge::new(filter, clock, self.filter.window, self.has_ages());
        far.iter().for_each(|far| judge.wait_for_next(far));
        Ok(Begun { judge, asked, state, waiting })
    }

    /// The secret of the filter. A new one opens no state that is there, so none is made for it.
    fn secret(&self) -> Result<Option<Secret>, Exit> {
        let Some(file) = &self.filter.keyed else { return Ok(None) };
        match self.state.as_deref().filter(|state| !file.exists() && state::made(state).is_some()) {
            Some(state) => {
                let (file, state) = (file.display(), state.display());
                Err(Exit::Failed(format!("{file}: there is no such file, and a new secret does not open {state}")))
            }
            None => secret::open(file).map(Some),
        }
    }

    /// The rules of time, if the window is one of time.
    fn rules(&self) -> Option<Rules> {
        let can_err = self.time_field.is_some();
        self.filter.window.map(|window| Rules {
            window,
            lateness: self.filter.allowed_lateness().unwrap_or(0),
            late: self.late.then,
            // Arrival times are read from a clock that makes no mistakes: a long silence is no reason to refuse.
            max_step: if can_err { self.max_step.unwrap_or(MAX_STEP) } else { 0 },
            is_asked: self.max_step.is_some(),
            resets: self.reset_clock,
            can_err,
        })
    }

    /// The file that keeps the filter, and the filter in it. A state of an older kind continues as what it is.
    fn state(
        &self,
        choice: &Choice,
        secret: Option<Secret>,
        watch: &Watch,
    ) -> Result<(Option<State>, Option<Found>), Exit> {
        let Some(path) = &self.state else { return Ok((None, None)) };
        self.expect_own("--state", path).map_err(Exit::Usage)?;
        // The ticks themselves tell what passed.
        let load = self.memory_of_load(choice.algo, LoadOptions::new(Duration::ZERO));
        let load = secret.into_iter().fold(load, |load, (lo, hi)| load.secret(lately::Secret::new(lo, hi)));
        let [every, wait] = [self.save_every, self.wait].map(Duration::from_nanos);
        let kinds = [Some(choice.algo), self.filter.older(choice)].into_iter().flatten();
        let requests = kinds.map(|kind| self.request(kind, Some(kind).filter(|kind| *kind != choice.algo))).collect();
        let (state, found) = State::open(Keeping { path, every, wait }, requests, &load, watch)?;
        if let (Some(_), StateMemory::Fixed(_)) = (&found, self.filter.kept) {
            let size =
                self.filter.memory.map_or_else(|| String::from("size"), |m| format!("--memory {}", exact_size(m)));
            let why = "a filter of this kind cannot change its size";
            notes::say(format_args!("{}: the state keeps its {size}: {why}", path.display()));
        }
        Ok((Some(state), found))
    }

    /// The memory of a state from now on, if the filter can change it; else what it may take.
    fn memory_of_load(&self, kind: Kind, load: LoadOptions) -> LoadOptions {
        match (self.filter.kept, self.filter.memory) {
            (StateMemory::Fixed(asked), _) => load.memory(asked),
            (_, Some(bytes)) if self.filter.is_timed(kind) => load.new_memory(self.filter.of_filter(bytes)),
            _ => self.filter.limit(kind).into_iter().fold(load, LoadOptions::memory),
        }
    }

    /// The request as far as a state of this kind contains it.
    fn request(&self, kind: Kind, older: Option<Kind>) -> Request {
        let before = self.made_before(&self.options_before(kind));
        Request { made: self.made(kind), before, older }
    }

    /// What decides about keys and filter: an option, and its value in the words of the shell.
    fn made(&self, kind: Kind) -> Made {
        let given = |is_given: bool| is_given.then(String::new);
        let separator = self.separator().ok().filter(|_| self.csv || self.has_fields() && !self.tsv);
        let own = [
            ("--key", (!self.key.is_empty()).then(|| self.key.join(","))),
            ("--separator", separator.map(|text| if self.has_blanks() { String::from("blank") } else { shown(&text) })),
            ("--csv", given(self.csv)),
            ("--tsv", given(self.tsv)),
            ("--quote", self.quote.clone()),
            ("--escape", self.escape.clone()),
            ("--no-header", given(self.no_header)),
            ("--json", (!self.json.is_empty()).then(|| self.json.join(" --json "))),
            ("--json-except", self.json_except.clone()),
            (JSON_RULE, self.is_json().then(|| String::from("with their types"))),
            ("--ignore-case", given(self.ignore_case)),
            ("--null", given(self.null)),
            ("--time-field", given(self.time_field.is_some())),
        ];
        let own = own.into_iter().filter_map(|(name, value)| Some((name, value?)));
        let limit =
            self.filter.limit(kind).filter(|_| self.filter.is_timed(kind)).map(|limit| (LIMIT, limit.to_string()));
        own.chain(self.filter.made(kind)).chain(limit).map(|(name, value)| (name.to_owned(), value)).collect()
    }

    /// The same as states said it before they said it in the words of the shell.
    fn made_before(&self, options: &Options) -> Made {
        let time = if self.time_field.is_some() { "of the records" } else { "of arrival" };
        let parts = [
            ("filter", format!("{options:?}")),
            ("--key", format!("{:?}", self.key.join(","))),
            ("--separator", format!("{:?}", self.separator.as_deref().unwrap_or_default())),
            ("--csv", self.csv.to_string()),
            ("--json", format!("{:?}", self.json)),
            ("--ignore-case", self.ignore_case.to_string()),
            ("--null", self.null.to_string()),
            ("times", time.to_owned()),
        ];
        parts.map(|(name, value)| (name.to_owned(), value)).into()
    }

    /// The options of the filter as they were when steps were its own business.
    fn options_before(&self, kind: Kind) -> Options {
        let (options, step) = (self.filter.options(kind), self.max_step.unwrap_or(MAX_STEP));
        if self.time_field.is_some() && step > 0 { options.max_step_ns(step) } else { options }
    }

    fn options(&self, choice: &Choice) -> Result<Options, String> {
        if self.time_field.is_some() && !self.filter.is_timed(choice.algo) {
            return Err(choice.refuse("--time-field"));
        }
        if self.reset_clock && !self.filter.is_timed(choice.algo) {
            return Err(choice.refuse("--reset-clock"));
        }
        if self.filter.allowed_lateness().is_some() && self.time_field.is_none() {
            return Err(String::from(
                "the argument '--lateness <TIME>' needs '--time-field <FIELD>': a time of arrival is never late",
            ));
        }
        self.expect_ages(choice, choice.algo)?;
        Ok(self.filter.options(choice.algo))
    }

    fn has_ages(&self) -> bool {
        self.flag == Some(Flag::Age)
    }

    /// Only some kinds know ages.
    fn expect_ages(&self, choice: &Choice, algo: Kind) -> Result<(), String> {
        match self.has_ages() && !algo.takes(Field::AgeBits) {
            true if algo != choice.algo => {
                Err(format!("the argument '--mark=age' cannot be used with this state: it is {algo}"))
            }
            true => Err(choice.refuse("--mark=age")),
            false => Ok(()),
        }
    }

    pub(crate) fn style(&self) -> Result<Style, String> {
        let show = match (self.duplicates, self.flag) {
            (true, _) => Show::Duplicates,
            (_, Some(_)) => Show::Flagged,
            _ => Show::First,
        };
        let unit = if self.filter.window.is_some() { Ages::Time } else { Ages::Records };
        let place = match (self.dialect()?, !self.is_json()) {
            (Some(dialect), _) => Place::Column(dialect),
            (_, false) => Place::Member,
            _ => Place::Field,
        };
        let ages = Some(unit).filter(|_| self.has_ages());
        let flags = Flags::new(place, self.separator()?, &self.flag_name(), ages);
        let waits = self.filter.count.is_some() || self.hold.is_some();
        let (keep_bad, end) = (self.bad == Keep::Keep, self.end());
        Ok(Style { show, flags, keep_bad, end, line_buffered: self.line_buffered, waits })
    }

    /// The commands for new records, if they are asked for.
    pub(crate) fn jobs(&self) -> Result<Option<Jobs>, String> {
        match self.exec.as_deref() {
            Some(_) if !exec::is_possible() => Err(String::from(
                "the argument '--exec <CMD>' cannot be used on Windows: it needs sh, and signals that reach CMD",
            )),
            Some("") => Err(out_of_range("--exec", "", "a command, which sh runs")),
            Some(script) => Ok(Some(Jobs::new(script, self.parallel, self.exec_limit.map(Duration::from_nanos)))),
            None => Ok(None),
        }
    }

    /// What separates fields; `\t` is a TAB.
    fn separator(&self) -> Result<Vec<u8>, String> {
        let separator = match &self.separator {
            Some(_) if self.has_blanks() => vec![b' '],
            Some(text) => text.replace("\\t", "\t").into_bytes(),
            None => vec![if self.csv { b',' } else { b'\t' }],
        };
        let forbidden = match self.quote()?.filter(|_| self.csv) {
            Some(quote) => vec![quote, b'\r', b'\n'],
            None => vec![b'\n'],
        };
        let fits = if self.csv { separator.len() == 1 } else { !separator.is_empty() };
        if fits && !separator.iter().any(|byte| forbidden.contains(byte)) {
            return Ok(separator);
        }
        let range = match self.csv {
            true => "one byte that is neither a quote nor a line end",
            false => "one or more characters without a line feed",
        };
        Err(out_of_range("--separator", self.separator.as_deref().unwrap_or_default(), range))
    }

    /// How CSV or TSV is written, if records are that.
    fn dialect(&self) -> Result<Option<Dialect>, String> {
        if self.tsv {
            return Ok(Some(Dialect { separator: b'\t', quote: None, escape: None }));
        }
        if !self.csv {
            return Ok(None);
        }
        let (separator, quote) = (self.separator()?[0], self.quote()?);
        let escape = self.escape.as_deref().map(|text| one_byte("--escape", text)).transpose()?;
        match escape.filter(|escape| *escape == separator || Some(*escape) == quote) {
            Some(_) => Err(out_of_range(
                "--escape",
                self.escape.as_deref().unwrap_or_default(),
                "another byte than the separator and the quote: a quote that is doubled needs no option",
            )),
            None => Ok(Some(Dialect { separator, quote, escape })),
        }
    }

    /// What opens and closes a field of CSV, unless nothing does.
    fn quote(&self) -> Result<Option<u8>, String> {
        match self.quote.as_deref() {
            None => Ok(Some(b'"')),
            Some("none") => Ok(None),
            Some(text) => one_byte("--quote", text).map(Some),
        }
    }

    /// Whether quotes are believed in where a file between TABs may have none.
    pub(crate) fn may_be_tsv(&self) -> bool {
        self.quote.is_none() && self.dialect().is_ok_and(|csv| csv == Some(Dialect::usual(b'\t')))
    }

    /// How records end and how long they may be.
    pub(crate) fn form(&self) -> Result<Form, String> {
        if self.json_seq && !self.is_json() {
            return Err(String::from("the argument '--json-seq' needs '--json <POINTER>' or '--json-except <LIST>'"));
        }
        let json = match (self.json_seq, !self.is_json()) {
            (true, _) => Some(Sequence::Always),
            (false, false) => Some(Sequence::IfSo),
            (false, true) => None,
        };
        let comment = self.comment.as_deref().map(|text| one_byte("--comment", text)).transpose()?;
        let csv = self.dialect()?;
        let longest = usize::try_from(self.max_record).unwrap_or(usize::MAX);
        Ok(Form { end: self.end(), csv, json, longest, skipped: self.skip, comment })
    }

    pub(crate) fn extract(&self) -> Result<Extract, String> {
        if self.year.is_some() && !self.time_format.lacks_year() {
            return Err(String::from(
                "the argument '--year <YEAR>' needs '--time-format syslog', or a strptime format without a year",
            ));
        }
        Ok(Extract::new(self.layout()?, self.time_format.clone(), self.ignore_case).begin_in(self.year))
    }

    /// The name of the column or member for the verdict.
    fn flag_name(&self) -> String {
        self.flag_name.clone().unwrap_or_else(|| String::from("lately"))
    }

    fn layout(&self) -> Result<Layout, String> {
        match (self.dialect()?, !self.is_json()) {
            (Some(dialect), _) => {
                let parts = if self.no_header { self.numbers()? } else { Parts::default() };
                Ok(Layout::Csv { dialect, parts })
            }
            (_, false) => {
                let left = self.json_except.iter().flat_map(|list| list.split(','));
                let left = left.map(|text| pointer("--json-except", text)).collect::<Result<Vec<_>, _>>()?;
                let added = self.flag.map(|_| Pointer::to(&self.flag_name()));
                Ok(Layout::json(self.pointers()?, added).json_except(&left))
            }
            _ if !self.has_fields() => Ok(Layout::Whole),
            _ => Ok(Layout::Text {
                separator: match *self.separator()? {
                    _ if self.has_blanks() => Separator::Blanks,
                    [byte] => Separator::Byte(byte),
                    ref text => Separator::Text(Box::new(Finder::new(text).into_owned())),
                },
                marks: self.time_format == TimeFormat::Clf,
                parts: self.numbers()?,
            }),
        }
    }

    /// Fields by their numbers.
    fn numbers(&self) -> Result<Parts<FieldSpec>, String> {
        let (list, except) = self.key_list();
        let lists = list.iter().flat_map(|list| list.split(',')).map(FieldSpec::range);
        let ranges: Vec<_> = lists.collect::<Option<_>>().ok_or_else(|| self.wrong_key())?;
        let time = self.time_field.as_deref().map(time_numbers).transpose()?.unwrap_or_default();
        Ok(Parts { key: ranges.into_iter().flatten().collect(), except, time })
    }

    /// All lists of the key as one, and whether the key is all but that.
    fn key_list(&self) -> (Option<String>, bool) {
        let list = (!self.key.is_empty()).then(|| self.key.join(","));
        match list.as_deref().and_then(|list| list.strip_prefix('!')) {
            Some(rest) => (Some(rest.to_owned()), true),
            None => (list, false),
        }
    }

    fn wrong_key(&self) -> String {
        let list = &self.key.join(",");
        let names = if self.is_table() { "there are no names with --no-header" } else { "a column's name needs --csv" };
        let range = format!("{}, or a list such as 2,5 or 2-4 or 2-{}", fields::RANGE, needs(list, names));
        out_of_range("--key", list, range)
    }

    /// Whether records are JSON.
    pub(crate) fn is_json(&self) -> bool {
        !self.json.is_empty() || self.json_except.is_some()
    }

    /// Whether records have columns.
    pub(crate) fn is_table(&self) -> bool {
        self.csv || self.tsv
    }

    /// Whether fields stand between runs of blanks.
    fn has_blanks(&self) -> bool {
        self.separator.as_deref() == Some("blank") && !self.csv
    }

    /// Whether records of text have to be taken apart.
    fn has_fields(&self) -> bool {
        !self.key.is_empty() || self.time_field.is_some()
    }

    fn pointers(&self) -> Result<Parts<Pointer>, String> {
        let key = self.json.iter().map(|text| pointer("--json", text)).collect::<Result<_, _>>()?;
        let time = self.time_field.iter().map(|text| pointer("--time-field", text)).collect::<Result<_, _>>()?;
        Ok(Parts { key, except: false, time })
    }

    /// What the headers of CSV files are asked for.
    pub(crate) fn headers(&self) -> Headers {
        Headers::new(
            self.columns(),
            self.is_table() && !self.no_header,
            self.flag.map(|_| self.flag_name()),
            self.strict,
        )
    }

    /// The columns that key and time are in, by name.
    fn columns(&self) -> Names {
        let (list, except) = self.key_list();
        let key = list.map(|list| csv::split(list.as_bytes(), Dialect::usual(b','))).unwrap_or_default();
        Parts { key, except, time: self.time_field.iter().map(|name| name.clone().into_bytes()).collect() }
    }
}

/// Whether two paths are one file, now or when it is made.
fn is_same(one: &Path, other: &Path) -> bool {
    let whole = |path: &Path| {
        let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
        let made = folder.canonicalize().ok().zip(path.file_name()).map(|(folder, name)| folder.join(name));
        path.canonicalize().ok().or(made).unwrap_or_else(|| path.to_owned())
    };
    whole(one) == whole(other)
}

/// A byte that is written as a character, or as \\t.
fn one_byte(option: &str, text: &str) -> Result<u8, String> {
    match text.replace("\\t", "\t").as_bytes() {
        [byte] if !matches!(byte, b'\r' | b'\n') => Ok(*byte),
        _ => Err(out_of_range(option, text, "one byte that is no line end")),
    }
}

/// A separator as it can be typed.
fn shown(text: &[u8]) -> String {
    String::from_utf8_lossy(text).escape_debug().to_string()
}

/// What is missing where a text that has letters is no number.
fn needs(text: &str, what: &str) -> String {
    if text.chars().any(char::is_alphabetic) { format!("; {what}") } else { String::new() }
}

fn pointer(option: &str, text: &str) -> Result<Pointer, String> {
    let range = "a JSON pointer: /name/0/..., with ~0 for ~ and ~1 for /, or empty for the whole value";
    Pointer::parse(text).ok_or_else(|| out_of_range(option, text, range))
}

/// The fields that a time is in, one or several: 3 or 1-2 or 1,2.
fn time_numbers(text: &str) -> Result<Vec<FieldSpec>, String> {
    let ranges: Option<Vec<_>> = text.split(',').map(FieldSpec::range).collect();
    let picks: Vec<FieldSpec> = ranges.into_iter().flatten().flatten().collect();
    if !picks.is_empty() && picks.iter().all(|pick| !matches!(pick, FieldSpec::From(_))) {
        return Ok(picks);
    }
    let hint = needs(text, "a column's name needs --csv, a JSON pointer needs --json");
    let range = format!("{}, or several such as 1-2 or 1,2{hint}", fields::RANGE);
    Err(out_of_range("--time-field", text, range))
}
