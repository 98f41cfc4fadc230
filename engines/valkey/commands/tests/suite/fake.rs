//! A server of one map, with a clock that is set by hand, and a replica that obeys what it replicates.

use std::collections::HashMap;
use std::ffi::CStr;

use lately::Kind;
use lately_commands::{Arg, Held, Refusal, Reply, Server, Settings, Value, execute};

/// Every request that the tests go through, with the name of the kind that it makes.
pub fn requests() -> impl Iterator<Item = (String, &'static str)> {
    let lines = include_str!("../../../requests.txt").lines().filter(|line| !line.starts_with('#'));
    lines.map(|line| {
        let (words, number) = line.split_once(" | ").unwrap();
        let numbered = |number: u32| Kind::ALL.iter().find(|kind| kind.number() == number).unwrap().name();
        let named = (1..=5).fold(words.to_owned(), |words, i| words.replace(&format!("{{{i}}}"), numbered(i)));
        (named, numbered(number.parse().unwrap()))
    })
}

/// A generator of cases, the same in each run.
pub struct Cases(pub u64);

impl Cases {
    pub fn below(&mut self, n: u64) -> u64 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) % n
    }
}

/// The value of a key.
pub enum Stored {
    Ours(Box<Held>),
    /// Another type.
    Other,
}

#[derive(Default)]
pub struct Fake {
    pub keys: HashMap<Vec<u8>, Stored>,
    pub now_ms: u64,
    /// Its sizes of memory are the multiples of this, unless it is 0.
    pub sizes: u64,
    pub settings: Settings,
    pub obeys: bool,
    pub log: Vec<Vec<Vec<u8>>>,
    pub events: Vec<&'static str>,
    pub counted: (u64, u64),
    pub random: u64,
    /// Commands of its primary that were in the file that it began with.
    pub joined_at: usize,
    pub warnings: Vec<String>,
}

/// A command that runs.
struct Call<'a> {
    server: &'a mut Fake,
    args: &'a [&'a [u8]],
}

impl Fake {
    /// A server at a moment of the year 2026.
    pub fn new() -> Self {
        Self { now_ms: 1_790_000_000_000, ..Self::default() }
    }

    /// Runs a command; its reply as a client of RESP2 gets it.
    pub fn run(&mut self, args: &[&[u8]]) -> Reply {
        of_resp2(self.run_in_resp3(args))
    }

    pub fn run_in_resp3(&mut self, args: &[&[u8]]) -> Reply {
        execute(&mut Call { server: self, args }, args)
    }

    /// Runs words between blanks.
    pub fn say(&mut self, line: &str) -> Reply {
        let args: Vec<&[u8]> = line.split(' ').map(str::as_bytes).collect();
        self.run(&args)
    }

    pub fn error(&mut self, line: &str) -> String {
        match self.say(line) {
            Reply::Error(refusal) => refusal.text().to_owned(),
            reply => panic!("{line}: {reply:?} is no error"),
        }
    }

    /// A command as it is replicated.
    pub fn obey(&mut self, words: &[Vec<u8>]) -> Reply {
        self.run(&words.iter().map(Vec::as_slice).collect::<Vec<_>>())
    }

    /// A field of `LATELY.INFO`.
    pub fn info(&mut self, key: &str, field: &str) -> Reply {
        self.say(&format!("LATELY.INFO {key} {field}"))
    }

    /// Everything under a key, as bytes.
    pub fn digest(&self, key: &str) -> Vec<u8> {
        let value = self.value(key);
        [value.request().text().into_bytes(), snapshot(value)].concat()
    }

    pub fn value(&self, key: &str) -> &Value {
        match self.held(key) {
            Held::Filter(value) => value,
            Held::Partial(_) => panic!("{key} is a part of a filter"),
        }
    }

    pub fn held(&self, key: &str) -> &Held {
        match self.keys.get(key.as_bytes()) {
            Some(Stored::Ours(held)) => held,
            _ => panic!("{key} is no filter"),
        }
    }

    /// What a file of this server gives back of a key.
    pub fn out_of_a_file(&self, key: &str) -> Held {
        let (held, mut bytes) = (self.held(key), Vec::new());
        held.write(&mut bytes).unwrap();
        Held::load(held.head().as_bytes(), bytes, Some(&Settings::default())).unwrap()
    }

    /// Puts a filter or a part of one under a key.
    pub fn keep(&mut self, key: &str, held: Held) {
        self.keys.insert(key.as_bytes().to_vec(), Stored::Ours(Box::new(held)));
    }

    /// Another server that obeys all that this one replicated.
    pub fn replay(&self, settings: Settings, now_ms: u64) -> Self {
        let mut other = Self { now_ms, settings, obeys: true, ..Self::default() };
        for command in &self.log {
            let reply = other.obey(command);
            assert!(!matches!(reply, Reply::Error(_)), "{reply:?}");
        }
        other
    }

    /// A replica that joins now: it has a file that this server wrote of `k`, and of its log nothing yet.
    pub fn joined(&self) -> Self {
        let mut replica = Self { obeys: true, joined_at: self.log.len(), ..Self::default() };
        replica.keep("k", self.out_of_a_file("k"));
        replica
    }

    /// What of the log has a moment.
    pub fn with_moment(&self) -> Vec<bool> {
        self.log.iter().map(|command| command.iter().any(|word| word == b"AT")).collect()
    }

    pub fn last(&self) -> String {
        let words: Vec<String> = self.log.last().unwrap().iter().map(|w| String::from_utf8_lossy(w).into()).collect();
        words.join(" ")
    }
}

/// The bytes of a filter.
pub fn snapshot(value: &Value) -> Vec<u8> {
    let mut bytes = Vec::new();
    value.write_snapshot(&mut bytes).unwrap();
    bytes
}

fn of_resp2(reply: Reply) -> Reply {
    match reply {
        Reply::Bool(yes) => Reply::Int(yes.into()),
        Reply::Array(all) => Reply::Array(all.into_iter().map(of_resp2).collect()),
        Reply::Map(all) => Reply::Map(all.into_iter().map(|(name, reply)| (name, of_resp2(reply))).collect()),
        other => other,
    }
}

impl Server for Call<'_> {
    fn now_ms(&mut self) -> u64 {
        self.server.now_ms
    }

    fn random(&mut self) -> u64 {
        self.server.random
    }

    fn warn(&mut self, text: &str) {
        self.server.warnings.push(text.to_owned());
    }

    fn settings(&mut self) -> Settings {
        self.server.settings.clone()
    }

    fn obeys(&mut self) -> bool {
        self.server.obeys
    }

    fn held(&mut self) -> Result<Option<&mut Held>, Refusal> {
        match self.server.keys.get_mut(self.args[1]) {
            None => Ok(None),
            Some(Stored::Ours(held)) => Ok(Some(held)),
            Some(Stored::Other) => Err(Refusal::wrong_type()),
        }
    }

    fn put(&mut self, held: Held) -> Result<(), Refusal> {
        let before = self.server.keys.insert(self.args[1].to_vec(), Stored::Ours(Box::new(held)));
        assert!(before.is_none_or(|under| matches!(under, Stored::Ours(held) if matches!(*held, Held::Partial(_)))));
        Ok(())
    }

    fn repeat(&mut self) {
        self.server.log.push(self.args.iter().map(|word| word.to_vec()).collect());
    }

    fn replicate(&mut self, command: &'static CStr, args: &[Arg<'_>]) {
        let words = args.iter().map(|arg| match arg {
            Arg::Given(place) => self.args[*place].to_vec(),
            Arg::Word(word) => word.as_bytes().to_vec(),
            Arg::Number(number) => number.to_string().into_bytes(),
        });
        self.server.log.push([command.to_bytes().to_vec()].into_iter().chain(words).collect());
    }

    fn notify(&mut self, event: &'static CStr) {
        self.server.events.push(event.to_str().unwrap());
    }

    fn size_within(&mut self, bytes: u64) -> u64 {
        bytes - bytes.checked_rem(self.server.sizes).unwrap_or(0)
    }

    fn count(&mut self, new: u64, duplicates: u64) {
        self.server.counted.0 += new;
        self.server.counted.1 += duplicates;
    }
}
