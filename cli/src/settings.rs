//! From what was said on the command line to what it means; what contradicts itself is an error that names the
//! option, the value and its range.

use std::path::{Path, PathBuf};
use std::time::Duration;

use lately::{Field, Filter, Kind, LoadOptions, OnLimit, Options};

use crate::args::{Args, Flag};
use crate::clock::{Clock, Rules};
use crate::exit::Exit;
use crate::filter::StateMemory;
use crate::jobs::Jobs;
use crate::judge::Judge;
use crate::kinds::{Choice, forgets};
use crate::misuse::out_of_range;
use crate::notes;
use crate::promises::{Asked, LimitedBy};
use crate::secret::{self, Secret};
use crate::signals::Watch;
use crate::state::{self, Found, Keeping, LIMIT, Made, Request, State};
use crate::stdio;
use crate::streams;
use crate::units::exact_size;
use crate::waiting::Waiting;

/// How far a record may be ahead of the clock, unless another step is asked for: a day.
const MAX_STEP: u64 = 86_400_000_000_000;

/// How values of JSON become keys, as a state notes it: a string and a number of one text differ.
const JSON_RULE: &str = "JSON values";

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
            let has_stdin = stdio::is_stdin(list);
            let is_wrong = |name: &PathBuf| name.as_os_str().is_empty() || has_stdin && stdio::is_stdin(name);
            if self.files.iter().any(is_wrong) {
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

    fn asked(&self, algo: Kind, options: &Options) -> Result<Asked, Exit> {
        let asked = Asked {
            algo,
            window: self.filter.window,
            lateness: self.filter.allowed_lateness().unwrap_or(0),
            keys: 0,
            error_rate: self.filter.rate(algo).unwrap_or_default(),
            is_rate_asked: self.filter.error.is_some() || self.filter.is_timed(algo) || self.filter.memory.is_none(),
            miss_rate: None,
            memory: self.filter.limit(algo),
            limited_by: self.limited_by(),
            may_raise: self.filter.on_limit == Some(OnLimit::RaiseErrorRate),
        };
        if self.filter.is_timed(algo) {
            return Ok(asked);
        }
        let plan = Filter::plan(options).map_err(Exit::filter)?;
        let miss_rate = Some(plan.miss_rate).filter(|rate| forgets(algo) && !rate.is_nan());
        let keys = self.filter.last.or(self.filter.capacity).unwrap_or(plan.window_keys);
        Ok(Asked { keys, error_rate: self.filter.error.unwrap_or(plan.error_rate_worst), miss_rate, ..asked })
    }

    fn limited_by(&self) -> LimitedBy {
        match (self.filter.kept, self.filter.memory) {
            (StateMemory::Open, _) => LimitedBy::State,
            (_, Some(_)) => LimitedBy::Option,
            (_, None) => LimitedBy::Default,
        }
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
        let kinds = [Some(choice.algo), self.filter.older(choice)].into_iter().flatten();
        let request = |kind| Request { made: self.made(kind), older: Some(kind).filter(|kind| *kind != choice.algo) };
        let requests = kinds.map(request).collect();
        let (state, found) = State::open(
            Keeping { path, every: self.save_every, wait: Duration::from_nanos(self.wait) },
            requests,
            &load,
            watch,
        )?;
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

    /// What decides about keys and filter: an option, and its value in the words of the shell.
    fn made(&self, kind: Kind) -> Made {
        let given = |is_given: bool| is_given.then(String::new);
        let separator = self.separator().ok().filter(|_| self.csv || self.has_fields() && !self.tsv);
        let typed = |text: Vec<u8>| String::from_utf8_lossy(&text).escape_debug().to_string();
        let own = [
            ("--key", (!self.key.is_empty()).then(|| self.key.join(","))),
            ("--separator", separator.map(|text| if self.has_blanks() { String::from("blank") } else { typed(text) })),
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

    pub(crate) fn has_ages(&self) -> bool {
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

    pub(crate) fn jobs(&self) -> Result<Option<Jobs>, String> {
        match self.exec.as_deref() {
            Some(_) if !cfg!(unix) => Err(String::from(
                "the argument '--exec <CMD>' cannot be used on Windows: it needs sh, and signals that reach CMD",
            )),
            Some("") => Err(out_of_range("--exec", "", "a command, which sh runs")),
            Some(script) => Ok(Some(Jobs::new(script, self.parallel, self.exec_limit))),
            None => Ok(None),
        }
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
