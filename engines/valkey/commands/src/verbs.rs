//! The commands: each takes its words, acts on the one key, replies, and returns what is replicated.
//!
//! What is replicated has the time that the primary settled, unless replicas have it already, and every number of a request.
//! Whatever changes the state is replicated, a repeat too, since the filter counts it and may renew its age. But a window table
//! of time knows which repeats change what it finds, and replicates those alone.

use std::ffi::CStr;

use lately::Field;

use crate::act::{fitted, found, made, observe, place, replicate};
use crate::claims;
use crate::clauses::Clauses;
use crate::held::{Held, Partial, wide};
use crate::refusal::Refusal;
use crate::reply::Reply;
use crate::request::{MOST_SHARDS, Measure, Request};
use crate::server::{Arg, Server};
use crate::table::{self, COMMANDS, Command};
use crate::value::{Added, Told, Value};
use crate::words::{Words, shown};

/// Runs a command: its name first, then its arguments.
pub fn execute(server: &mut impl Server, args: &[&[u8]]) -> Reply {
    match args.first().and_then(|name| table::find(name)) {
        Some(command) => {
            let usual = command.item_alone(args).and_then(|item| add_again(server, item));
            usual.map_or_else(|| execute_as(server, command, args), Reply::Bool)
        }
        None => Reply::Error(Refusal::new("unknown command")),
    }
}

/// The usual `LATELY.ADD key item`, with the answer and everything that [`execute_as`] does; `None`, and nothing is done, where it is not usual.
#[inline(always)]
pub fn add_again(server: &mut impl Server, item: &[u8]) -> Option<bool> {
    let now = server.now_ms();
    let Added { new, traced } = server.find().ok()??.add_again(item, now)?;
    if traced {
        server.repeat();
        server.notify(c"lately.add");
    }
    server.count(u64::from(new), u64::from(!new));
    Some(new)
}

/// Runs a command of the table, whatever name it was called by.
pub fn execute_as(server: &mut impl Server, command: &Command, args: &[&[u8]]) -> Reply {
    run(server, command, args).into()
}

#[inline]
fn run(server: &mut impl Server, command: &Command, args: &[&[u8]]) -> Result<Reply, Refusal> {
    if args.len() < command.least() {
        return Err(Refusal::arity(command.name));
    }
    match command.name {
        table::ADD => add(server, args),
        table::MADD => madd(server, args),
        table::EXISTS => exists(server, args),
        table::MEXISTS => mexists(server, args),
        table::CLAIM => claims::claim(server, args),
        table::COMMIT => claims::commit(server, args),
        table::ABANDON => claims::abandon(server, args),
        table::REM => rem(server, args),
        table::GROW => grow(server, args),
        table::RESERVE => reserve(server, args),
        table::INFO => info(server, args),
        table::PLAN => plan(server, args),
        table::OPTIONS => options(server, args),
        table::HELP => help(args),
        _ => load_chunk(server, args),
    }
}

// ---- creation ----

fn reserve(server: &mut impl Server, args: &[&[u8]]) -> Result<Reply, Refusal> {
    let settings = server.settings();
    let (request, nx) = Request::parse(Words::new(args, 2), &settings)?;
    let request = fitted(server, request);
    if let Some(value) = server.find()? {
        return if nx { Ok(false.into()) } else { Err(exists_already(&request, value)) };
    }
    let value = made(server, request)?;
    place(server, value)?;
    Ok(if nx { true.into() } else { Reply::Ok })
}

fn exists_already(request: &Request, value: &Value) -> Refusal {
    let how = match request.differs(value.request()) {
        None => "with these options".to_owned(),
        Some((asked, there)) => format!("with {there}, and not {asked}"),
    };
    Refusal::new(format_args!("the key exists already, {how}; NX makes that no error"))
}

fn plan(server: &mut impl Server, args: &[&[u8]]) -> Result<Reply, Refusal> {
    let settings = server.settings();
    let (request, _) = Request::parse(Words::new(args, 1), &settings)?;
    let request = fitted(server, request);
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
        ("bits-per-key-peak", Reply::Double(plan.bits_per_key_peak)),
    ]))
}

// ---- items ----

/// Tells the log that a filter has more items than it was made for.
fn warn(server: &mut impl Server) -> Result<(), Refusal> {
    let value = found(server)?;
    let text = value.request().text();
    server.warn(&format!(
        "a filter has more items than its CAPACITY: it calls more and more new items seen (LATELY.INFO key overfull; {text})"
    ));
    Ok(())
}

fn add(server: &mut impl Server, args: &[&[u8]]) -> Result<Reply, Refusal> {
    let given = Clauses::to_the_end(Words::new(args, 3))?;
    let act = |value: &mut Value, how: Told| {
        let added = value.add(args[2], how.at, how.store)?;
        Ok(((added.new, value.is_newly_overfull()), added.traced))
    };
    let ((new, warns), told) = observe(server, &given, None, act)?;
    if let Some(told) = told {
        replicate(server, &given, told, |server| replicate_item(server, c"LATELY.ADD", told));
        server.notify(c"lately.add");
    }
    server.count(u64::from(new), u64::from(!new));
    if warns {
        warn(server)?;
    }
    Ok(new.into())
}

/// Replicates an item in other words than it was given.
fn replicate_item(server: &mut impl Server, command: &'static CStr, told: Told) {
    let at = Arg::Number(told.at.unwrap_or(0));
    let all = [Arg::Given(1), Arg::Given(2), Arg::Word("AT"), at, Arg::Word("STORE")];
    match (told.at, told.store) {
        (Some(_), true) => server.replicate(command, &all),
        (Some(_), false) => server.replicate(command, &all[..4]),
        (None, true) => server.replicate(command, &[all[0], all[1], all[4]]),
        (None, false) => server.replicate(command, &all[..2]),
    }
}

/// Every item is judged by itself: one that a full filter refuses is an error among the answers, and is not replicated.
fn madd(server: &mut impl Server, args: &[&[u8]]) -> Result<Reply, Refusal> {
    let (given, items) = Clauses::before_items(Words::new(args, 2))?;
    let ((answers, warns), told) = observe(server, &given, None, |value, how| {
        let add = |item: &&[u8]| value.add(item, how.at, how.store);
        let answers: Vec<Result<Added, Refusal>> = items.rest().iter().map(add).collect();
        let any = answers.iter().any(is_traced);
        Ok(((answers, value.is_newly_overfull()), any))
    })?;
    if let Some(told) = told {
        if answers.iter().all(is_traced) {
            replicate(server, &given, told, |server| replicate_items(server, &items, &answers, told));
        } else {
            replicate_items(server, &items, &answers, told);
        }
        server.notify(c"lately.add");
    }
    let count = |new: bool| wide(answers.iter().flatten().filter(|added| added.new == new).count());
    server.count(count(true), count(false));
    if warns {
        warn(server)?;
    }
    Ok(Reply::Array(answers.into_iter().map(|answer| answer.map(|added| added.new.into()).into()).collect()))
}

fn is_traced(answer: &Result<Added, Refusal>) -> bool {
    matches!(answer, Ok(added) if added.traced)
}

/// Replicates the items that left a trace.
fn replicate_items(server: &mut impl Server, items: &Words<'_>, answers: &[Result<Added, Refusal>], told: Told) {
    let mut words = vec![Arg::Given(1)];
    words.extend(told.at.iter().flat_map(|at| [Arg::Word("AT"), Arg::Number(*at)]));
    words.extend(told.store.then_some(Arg::Word("STORE")));
    words.push(Arg::Word("ITEMS"));
    let places = items.place()..;
    words.extend(places.zip(answers).filter(|(_, answer)| is_traced(answer)).map(|(place, _)| Arg::Given(place)));
    server.replicate(c"LATELY.MADD", &words);
}

fn exists(server: &mut impl Server, args: &[&[u8]]) -> Result<Reply, Refusal> {
    let given = Clauses::to_the_end(Words::new(args, 3))?;
    let present = present(server, &given, &args[2..3])?;
    Ok(present[0].into())
}

fn mexists(server: &mut impl Server, args: &[&[u8]]) -> Result<Reply, Refusal> {
    let (given, items) = Clauses::before_items(Words::new(args, 2))?;
    let present = present(server, &given, items.rest())?;
    Ok(Reply::Array(present.into_iter().map(Reply::from).collect()))
}

/// Which items are present, now or at the time that is given; changes nothing. Where there is no filter nothing is.
fn present(server: &mut impl Server, given: &Clauses, items: &[&[u8]]) -> Result<Vec<bool>, Refusal> {
    given.expect_reading()?;
    let now = server.now_ms();
    let Some(value) = server.find()? else {
        return Ok(vec![false; items.len()]);
    };
    given.expect_shards(value.request().shard)?;
    let at = value.moment(given.at, now)?;
    items.iter().map(|item| value.contains(item, at)).collect()
}

/// `LATELY.REM key item`: the item is new again. A window table's is replicated whatever the answer is, with the moment at which it was
/// judged: a replica may know an item that this server has forgotten at its `MAXBYTES`.
fn rem(server: &mut impl Server, args: &[&[u8]]) -> Result<Reply, Refusal> {
    let given = Clauses::to_the_end(Words::new(args, 3))?;
    given.expect_reading()?;
    let now = server.now_ms();
    let value = found(server)?;
    given.expect_shards(value.request().shard)?;
    let at = value.moment(given.at, now)?;
    let (removed, traced) = value.remove(args[2], at)?;
    if traced {
        let told = Told { at, store: false };
        replicate(server, &given, told, |server| replicate_item(server, c"LATELY.REM", told));
    }
    if removed {
        server.notify(c"lately.rem");
    }
    Ok(removed.into())
}

/// `LATELY.GROW key s`: from now on the filter of this shard has `s` shards, and this one takes no more items.
fn grow(server: &mut impl Server, args: &[&[u8]]) -> Result<Reply, Refusal> {
    let mut words = Words::new(args, 2);
    let to = words.number("shards", (1, MOST_SHARDS))?;
    words.end()?;
    if found(server)?.grow(to)? {
        server.repeat();
        server.notify(c"lately.grow");
    }
    Ok(Reply::Ok)
}

// ---- what there is ----

fn info(server: &mut impl Server, args: &[&[u8]]) -> Result<Reply, Refusal> {
    Words::new(args, 3).end()?;
    let fields = fields(found(server)?);
    let Some(wanted) = args.get(2) else {
        return Ok(Reply::Map(fields));
    };
    let names: Vec<&str> = fields.iter().map(|(name, _)| *name).collect();
    let unknown = Refusal::out_of_range("field", shown(wanted), format_args!("one of {}", names.join(", ")));
    let found = fields.into_iter().find(|(name, _)| wanted.eq_ignore_ascii_case(name.as_bytes()));
    found.map(|(_, value)| value).ok_or(unknown)
}

/// `LATELY.HELP`: every command with its words, and one line of what it does.
fn help(args: &[&[u8]]) -> Result<Reply, Refusal> {
    Words::new(args, 1).end()?;
    let lines = COMMANDS.iter().flat_map(|command| [command.syntax(), format!("    {}", command.summary)]);
    Ok(Reply::Array(lines.map(Reply::Text).collect()))
}

/// `LATELY.OPTIONS key`: the options of a filter, each by its word, those that were left open too.
fn options(server: &mut impl Server, args: &[&[u8]]) -> Result<Reply, Refusal> {
    Words::new(args, 2).end()?;
    let shown = |(word, value): (&'static str, String)| {
        let number = value.parse().ok();
        let reply = match word {
            "ERROR" => value.parse().map_or(Reply::Text(value), Reply::Double),
            _ if value.is_empty() => true.into(),
            _ => number.map_or(Reply::Text(value), Reply::Int),
        };
        (word, reply)
    };
    Ok(Reply::Map(found(server)?.request().words().into_iter().map(shown).collect()))
}

/// What `LATELY.INFO` reports of the size of a filter.
fn fields_of_measure(value: &Value) -> Vec<(&'static str, Reply)> {
    let (request, stats) = (value.request(), value.stats());
    match request.measure {
        Measure::Window(ms) => vec![
            ("window-ms", Reply::Int(ms)),
            ("reach-ms", Reply::Int(stats.reach_ns / crate::request::NS_PER_MS)),
            ("clock-ms", Reply::Int(stats.clock.0 / crate::request::NS_PER_MS)),
            ("maxstep-ms", Reply::Int(request.max_step_ms)),
            ("lateness-ms", Reply::Int(request.lateness_ms)),
            ("late", Reply::Int(stats.late_ticks)),
            ("max-lateness-ms", Reply::Int(stats.max_lateness_ns.div_ceil(crate::request::NS_PER_MS))),
            ("refused", Reply::Int(value.refused().0)),
            ("last-refused-ms", Reply::Int(value.refused().1)),
        ],
        Measure::Last(keys) => vec![("last", Reply::Int(keys))],
        Measure::Capacity(keys) => vec![
            ("capacity", Reply::Int(keys)),
            ("overfull", value.is_overfull().into()),
            ("strict", request.strict.into()),
        ],
        Measure::Memory(bytes) => vec![("memory", Reply::Int(bytes))],
    }
}

/// What `LATELY.INFO` reports of a filter.
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
        ("seed", Reply::Int(request.seed.unwrap_or(0))),
    ];
    fields.extend(fields_of_measure(value));
    if request.has_claims() {
        fields.extend([
            ("lease-ms", Reply::Int(request.lease_ms)),
            ("max-claims", Reply::Int(request.max_claims)),
            ("open-claims", Reply::Int(stats.open_claims)),
            ("expired-claims", Reply::Int(stats.expired_claims)),
            ("pending", Reply::Int(stats.pending)),
        ]);
    }
    if let Some(keys) = request.expected {
        fields.push(("capacity", Reply::Int(keys)));
    }
    if request.kind.takes(Field::Removable) {
        fields.push(("removable", request.removable.into()));
    }
    if let Some(shard) = request.shard {
        fields.extend([("shard", Reply::Int(shard.index.into())), ("shards", Reply::Int(shard.of.into()))]);
        fields.extend(shard.grown.map(|grown| ("grown", Reply::Int(grown.into()))));
    }
    fields
}

// ---- files ----

/// `LATELY.LOADCHUNK key request offset total bytes`: a piece of a snapshot, in a file that a server wrote, or in a slot that
/// moves here; who follows this server gets it as it comes.
fn load_chunk(server: &mut impl Server, args: &[&[u8]]) -> Result<Reply, Refusal> {
    let &[_, _, request, _, _, bytes] = args else {
        return Err(Refusal::arity(table::LOADCHUNK));
    };
    if !server.obeys() {
        return Err(Refusal::new("LATELY.LOADCHUNK is internal: only append-only files and moving slots use it"));
    }
    let mut words = Words::new(args, 3);
    let offset = words.number("offset", (0, u64::MAX))?;
    let total = words.number("total", (1, u64::MAX))?;
    match server.held()? {
        Some(Held::Filter(_)) => return Err(Refusal::new("the key exists already")),
        // One at 0 begins anew: what came before it was not finished.
        Some(Held::Partial(partial)) if offset > 0 => partial.next(request, total, offset, bytes)?,
        _ if offset > 0 => return lost(server, request, total),
        _ => {
            let mut partial = Partial::new(request, total)?;
            partial.next(request, total, offset, bytes)?;
            server.put(Held::Partial(partial))?;
        }
    }
    // A filter that cannot be put together stays what it is, and who follows this server tries by itself.
    server.repeat();
    let whole = match server.held()? {
        Some(Held::Partial(partial)) => partial.whole()?,
        _ => None,
    };
    whole.map_or(Ok(()), |value| server.put(Held::Filter(value)))?;
    Ok(Reply::Ok)
}

/// What came before this piece is gone: evicted, or dropped by a server that rewrote its file. The key says so from now on, since a
/// filter that went without a word would call everything new.
fn lost(server: &mut impl Server, request: &[u8], total: u64) -> Result<Reply, Refusal> {
    let partial = Partial::new(request, total)?;
    let refusal = partial.refusal();
    server.put(Held::Partial(partial))?;
    server.repeat();
    Err(refusal)
}
