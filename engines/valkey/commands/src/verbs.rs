//! The commands: each takes its words, acts on the one key, replies, and says what is replicated.
//!
//! Never the words of the user: what is replicated has the time that the primary settled and every number of a request.
//! Whatever changes the state is replicated, a repeat too, since the filter counts it and may renew its age.

use lately::Field;

use crate::refusal::Refusal;
use crate::reply::Reply;
use crate::request::{LAST_MS, Measure, Request};
use crate::server::{Arg, Server};
use crate::table;
use crate::value::Value;
use crate::words::{Words, shown};

/// Runs a command: its name first, then its arguments.
pub fn execute(server: &mut impl Server, args: &[&[u8]]) -> Reply {
    run(server, args).into()
}

fn run(server: &mut impl Server, args: &[&[u8]]) -> Result<Reply, Refusal> {
    let command = args.first().and_then(|name| table::find(name)).ok_or_else(|| Refusal::new("unknown command"))?;
    if args.len() < command.least {
        return Err(Refusal::arity(command.name));
    }
    match command.name {
        table::ADD => add(server, args),
        table::MADD => madd(server, args),
        table::EXISTS => exists(server, args),
        table::MEXISTS => mexists(server, args),
        table::REM => rem(server, args),
        table::RESERVE => reserve(server, args),
        table::INFO => info(server, args),
        table::PLAN => plan(server, args),
        _ => load_chunk(server, args),
    }
}

// ---- creation ----

fn reserve(server: &mut impl Server, args: &[&[u8]]) -> Result<Reply, Refusal> {
    let settings = server.settings();
    let (request, nx) = Request::parse(Words::new(args, 2), &settings)?;
    if server.find()?.is_some() {
        return if nx {
            Ok(Reply::Int(0))
        } else {
            Err(Refusal::new("the key exists already; NX makes that no error"))
        };
    }
    create(server, request)?;
    Ok(if nx { Reply::Int(1) } else { Reply::Ok })
}

fn create(server: &mut impl Server, request: Request) -> Result<(), Refusal> {
    if !server.obeys() {
        let settings = server.settings();
        request.check_limit(&settings)?;
    }
    let text = request.text();
    server.put(Value::new(request)?)?;
    let words: Vec<Arg<'_>> = text.split(' ').map(Arg::Word).collect();
    server.replicate(table::RESERVE, &[&[Arg::Given(1)], words.as_slice()].concat());
    server.notify("lately.reserve");
    Ok(())
}

/// Makes the filter that an `ADD` does not find, if the configuration says how.
fn ensure(server: &mut impl Server) -> Result<(), Refusal> {
    if server.find()?.is_some() {
        return Ok(());
    }
    let settings = server.settings();
    if settings.auto_reserve.trim().is_empty() {
        return Err(Refusal::missing());
    }
    create(server, Request::parse_text(&settings.auto_reserve, &settings)?)
}

fn plan(server: &mut impl Server, args: &[&[u8]]) -> Result<Reply, Refusal> {
    let settings = server.settings();
    let (request, _) = Request::parse(Words::new(args, 1), &settings)?;
    request.check_limit(&settings)?;
    let plan = request.plan()?;
    Ok(Reply::Map(vec![
        ("request", Reply::Text(request.text())),
        ("bytes", Reply::Int(plan.bytes)),
        ("bits-per-key", Reply::Double(plan.bits_per_key)),
        ("keys", Reply::Int(plan.window_keys)),
        ("error-worst", Reply::Double(plan.error_rate_worst)),
        ("error-mean", Reply::Double(plan.error_rate_mean)),
        ("cache-lines", Reply::Double(plan.cache_lines_per_observe)),
    ]))
}

// ---- items ----

/// What may stand beside items.
#[derive(Default)]
struct Beside {
    at: Option<u64>,
    of: Option<u32>,
}

impl Beside {
    fn takes(&mut self, words: &mut Words<'_>) -> Result<bool, Refusal> {
        if self.at.is_none() && words.takes("AT") {
            self.at = Some(words.number("AT", (0, LAST_MS))?);
        } else if self.of.is_none() && words.takes("OF") {
            self.of = Some(words.number("OF", (1, u32::MAX))?);
        } else {
            return Ok(false);
        }
        Ok(true)
    }

    /// The options that stand alone to the end.
    fn to_the_end(mut words: Words<'_>) -> Result<Self, Refusal> {
        let mut beside = Self::default();
        while beside.takes(&mut words)? {}
        words.end()?;
        Ok(beside)
    }

    /// The options before `ITEMS`, and where the items begin.
    fn before_items(mut words: Words<'_>) -> Result<(Self, Words<'_>), Refusal> {
        let mut beside = Self::default();
        while beside.takes(&mut words)? {}
        if !words.takes("ITEMS") {
            words.end()?;
            return Err(Refusal::syntax("ITEMS item .. is needed"));
        }
        if words.peek().is_none() {
            return Err(Refusal::syntax("ITEMS takes one item at least"));
        }
        Ok((beside, words))
    }
}

/// Whether a filter is the one that the caller means.
fn expect_shards(value: &Value, of: Option<u32>) -> Result<(), Refusal> {
    let (Some(of), shard) = (of, value.request().shard) else {
        return Ok(());
    };
    match shard {
        Some(shard) if shard.of == of => Ok(()),
        Some(shard) => Err(Refusal::new(format_args!("OF {of}: this is shard {} of {}", shard.index, shard.of))),
        None => Err(Refusal::new(format_args!("OF {of}: this filter is no shard"))),
    }
}

/// The time of a command that adds, once for all its items.
fn settle(server: &mut impl Server, beside: &Beside) -> Result<Option<u64>, Refusal> {
    let now = server.now_ms();
    let value = found(server)?;
    expect_shards(value, beside.of)?;
    let moment = value.moment(beside.at, now)?;
    let step = beside.at.map_or(Ok(()), |at| value.check_step(at));
    if step.is_err() && !server.obeys() {
        step?;
    }
    Ok(moment)
}

fn found<S: Server>(server: &mut S) -> Result<&mut Value, Refusal> {
    server.find()?.ok_or_else(Refusal::missing)
}

fn add(server: &mut impl Server, args: &[&[u8]]) -> Result<Reply, Refusal> {
    let beside = Beside::to_the_end(Words::new(args, 3))?;
    ensure(server)?;
    let at = settle(server, &beside)?;
    let new = found(server)?.add(args[2], at)?;
    match at {
        Some(at) => {
            server.replicate(table::ADD, &[Arg::Given(1), Arg::Given(2), Arg::Word("AT"), Arg::Number(at)]);
        }
        None => server.replicate(table::ADD, &[Arg::Given(1), Arg::Given(2)]),
    }
    server.count(u64::from(new), u64::from(!new));
    server.notify("lately.add");
    Ok(new.into())
}

/// Every item is judged by itself: one that a full filter refuses is an error among the answers, and is not replicated.
fn madd(server: &mut impl Server, args: &[&[u8]]) -> Result<Reply, Refusal> {
    let (beside, items) = Beside::before_items(Words::new(args, 2))?;
    ensure(server)?;
    let at = settle(server, &beside)?;
    let value = found(server)?;
    let answers: Vec<Result<bool, Refusal>> = items.rest().iter().map(|item| value.add(item, at)).collect();
    let taken = |answer: &Result<bool, Refusal>, new: bool| *answer == Ok(new);
    let new = answers.iter().filter(|answer| taken(answer, true)).count();
    let duplicates = answers.iter().filter(|answer| taken(answer, false)).count();
    if new + duplicates > 0 {
        let mut words = vec![Arg::Given(1)];
        words.extend(at.iter().flat_map(|at| [Arg::Word("AT"), Arg::Number(*at)]));
        words.push(Arg::Word("ITEMS"));
        let places = items.place()..;
        words.extend(places.zip(&answers).filter(|(_, answer)| answer.is_ok()).map(|(place, _)| Arg::Given(place)));
        server.replicate(table::MADD, &words);
        server.count(wide(new), wide(duplicates));
        server.notify("lately.add");
    }
    Ok(Reply::Array(answers.into_iter().map(|answer| answer.map(Reply::from).into()).collect()))
}

fn exists(server: &mut impl Server, args: &[&[u8]]) -> Result<Reply, Refusal> {
    let beside = Beside::to_the_end(Words::new(args, 3))?;
    let present = present(server, &beside, &args[2..3])?;
    Ok(present[0].into())
}

fn mexists(server: &mut impl Server, args: &[&[u8]]) -> Result<Reply, Refusal> {
    let (beside, items) = Beside::before_items(Words::new(args, 2))?;
    let present = present(server, &beside, items.rest())?;
    Ok(Reply::Array(present.into_iter().map(Reply::from).collect()))
}

/// Which items are present, now or at the time that is given; changes nothing. Where there is no filter nothing is.
fn present(server: &mut impl Server, beside: &Beside, items: &[&[u8]]) -> Result<Vec<bool>, Refusal> {
    let now = server.now_ms();
    let Some(value) = server.find()? else {
        return Ok(vec![false; items.len()]);
    };
    expect_shards(value, beside.of)?;
    let at = value.moment(beside.at, now)?;
    items.iter().map(|item| value.contains(item, at)).collect()
}

fn rem(server: &mut impl Server, args: &[&[u8]]) -> Result<Reply, Refusal> {
    Words::new(args, 3).end()?;
    let removed = found(server)?.remove(args[2])?;
    if removed {
        server.replicate(table::REM, &[Arg::Given(1), Arg::Given(2)]);
        server.notify("lately.rem");
    }
    Ok(removed.into())
}

// ---- what there is ----

fn info(server: &mut impl Server, args: &[&[u8]]) -> Result<Reply, Refusal> {
    Words::new(args, 3).end()?;
    let fields = fields(found(server)?);
    let Some(wanted) = args.get(2) else {
        return Ok(Reply::Map(fields));
    };
    let names: Vec<&str> = fields.iter().map(|(name, _)| *name).collect();
    let unknown = Refusal::new(format_args!("field {}: allowed is {}", shown(wanted), names.join(", ")));
    let found = fields.into_iter().find(|(name, _)| wanted.eq_ignore_ascii_case(name.as_bytes()));
    found.map(|(_, value)| value).ok_or(unknown)
}

/// What `LATELY.INFO` says of a filter.
fn fields(value: &Value) -> Vec<(&'static str, Reply)> {
    let (request, stats) = (value.request(), value.stats());
    let mut fields = vec![
        ("request", Reply::Text(request.text())),
        ("kind", Reply::Text(request.kind.name().to_owned())),
        ("error", Reply::Double(request.error)),
        ("error-now", Reply::Double(stats.error_rate)),
        ("items", Reply::Int(stats.items)),
        ("bytes", Reply::Int(stats.bytes)),
        ("maxbytes", Reply::Int(request.max_bytes)),
        ("new", Reply::Int(stats.new_count)),
        ("duplicates", Reply::Int(stats.duplicate_count)),
        ("seed", Reply::Int(request.seed)),
    ];
    match request.measure {
        Measure::Window(ms) => fields.extend([
            ("window", Reply::Int(ms)),
            ("reach", Reply::Int(stats.reach_ns / crate::request::NS_PER_MS)),
            ("clock", Reply::Int(stats.clock.0 / crate::request::NS_PER_MS)),
            ("maxstep", Reply::Int(request.max_step_ms)),
            ("late", Reply::Int(stats.late_ticks)),
        ]),
        Measure::Last(keys) => fields.push(("last", Reply::Int(keys))),
        Measure::Capacity(keys) => fields.push(("capacity", Reply::Int(keys))),
        Measure::Memory(bytes) => fields.push(("memory", Reply::Int(bytes))),
    }
    if let Some(keys) = request.expected {
        fields.push(("capacity", Reply::Int(keys)));
    }
    if request.kind.takes(Field::Removable) {
        fields.push(("removable", request.removable.into()));
    }
    if let Some(shard) = request.shard {
        fields.extend([("shard", Reply::Int(shard.index.into())), ("shards", Reply::Int(shard.of.into()))]);
    }
    fields
}

// ---- files ----

/// `LATELY.LOADCHUNK key request offset total bytes`: a piece of a snapshot, in a file that a server wrote.
fn load_chunk(server: &mut impl Server, args: &[&[u8]]) -> Result<Reply, Refusal> {
    let &[_, _, request, _, _, bytes] = args else {
        return Err(Refusal::arity(table::LOADCHUNK));
    };
    if !server.loads() {
        return Err(Refusal::new("LATELY.LOADCHUNK is internal: allowed is only in an append-only file"));
    }
    let mut words = Words::new(args, 3);
    let offset = words.number("offset", (0, u64::MAX))?;
    let total = words.number("total", (1, u64::MAX))?;
    if let Some(snapshot) = server.gather(offset, total, bytes)? {
        if server.find()?.is_some() {
            return Err(Refusal::new("the key exists already"));
        }
        server.put(Value::load(request, &snapshot, None)?)?;
    }
    Ok(Reply::Ok)
}

/// A count of items as the server counts.
fn wide(n: usize) -> u64 {
    u64::try_from(n).unwrap_or(u64::MAX)
}
