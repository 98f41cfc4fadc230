//! What all commands that add share: the filter of the key, or a new one; the time of the command; what is judged.

use crate::clauses::Clauses;
use crate::held::Held;
use crate::refusal::Refusal;
use crate::request::Request;
use crate::server::{Arg, Server};
use crate::value::{Told, Value};

/// A request as its filter will be: memory of a size that the server has. What comes from a primary or a file was judged there.
pub(crate) fn fitted(server: &mut impl Server, request: Request) -> Request {
    if server.obeys() { request } else { request.fitted(|bytes| server.size_within(bytes)) }
}

/// A filter of a request, under no key yet.
pub(crate) fn made(server: &mut impl Server, request: Request) -> Result<Value, Refusal> {
    if !server.obeys() {
        let settings = server.settings();
        request.check_limit(&settings)?;
    }
    let seed = if request.seed.is_none() { server.random() } else { 0 };
    Value::new(request.seeded(seed))
}

/// Puts a filter under the key, which has none.
pub(crate) fn place(server: &mut impl Server, value: Value) -> Result<(), Refusal> {
    let text = value.request().text();
    server.put(Held::Filter(value))?;
    let words: Vec<Arg<'_>> = text.split(' ').map(Arg::Word).collect();
    server.replicate(c"LATELY.RESERVE", &[&[Arg::Given(1)], words.as_slice()].concat());
    server.notify(c"lately.reserve");
    Ok(())
}

/// Judges a command that adds, settles its time, once for all its items, and acts: on the filter that is there, or on the
/// the one of the configuration for a key that has none. Only what left a trace comes under the key, so that a command
/// that is refused changes nothing. `act` returns the outcome, and whether it left a trace; then replicas get what is given back with
/// it. A shard that has grown refuses all but an item that is to be `claimed` and that it knows.
pub(crate) fn observe<S: Server, T>(
    server: &mut S,
    given: &Clauses,
    claimed: Option<&[u8]>,
    act: impl FnOnce(&mut Value, Told) -> Result<(T, bool), Refusal>,
) -> Result<(T, Option<Told>), Refusal> {
    let now = server.now_ms();
    let Some(value) = server.find()? else {
        return observe_first(server, given, now, act);
    };
    // Whether a primary judged it before is asked only where that matters: a server takes long to say so.
    let matters = value.has_grown() || given.at.map_or(value.follows(now), |at| value.lead(at, now).is_some());
    let (value, obeys) = if matters {
        let obeys = server.obeys();
        (found(server)?, obeys)
    } else {
        (value, false)
    };
    // What was replicated without a moment is of the clock of its filter.
    let follows = obeys && given.at.is_none();
    let at = settle(value, given, claimed, if follows { 0 } else { now }, matters && !obeys)?;
    let (done, traced) = act(value, Told { at, store: given.store || follows && value.follower_stores() })?;
    let seconds = given.at.filter(|at| value.newly_looks_like_seconds(*at, now));
    let told = traced.then(|| value.told(at, given.said()));
    seconds.into_iter().for_each(|at| warn_of_seconds(server, at));
    Ok((done, told))
}

/// Tells the log of a time that looks like seconds. Nothing is refused: dates of 1970 may be meant.
fn warn_of_seconds(server: &mut impl Server, at: u64) {
    if !server.obeys() {
        server.warn(&format!(
            "AT {at} is in ms, which is in the 1970s: write AT {at}s if it is in seconds (this is said once for each filter)"
        ));
    }
}

/// The same where there is no filter.
fn observe_first<S: Server, T>(
    server: &mut S,
    given: &Clauses,
    now: u64,
    act: impl FnOnce(&mut Value, Told) -> Result<(T, bool), Refusal>,
) -> Result<(T, Option<Told>), Refusal> {
    let settings = server.settings();
    if settings.auto_reserve.trim().is_empty() {
        return Err(Refusal::missing());
    }
    let request = fitted(server, Request::parse_text(&settings.auto_reserve, &settings)?);
    let mut value = made(server, request)?;
    let at = settle(&mut value, given, None, now, true)?;
    let (done, traced) = act(&mut value, Told { at, store: given.store })?;
    let seconds = given.at.filter(|at| value.newly_looks_like_seconds(*at, now));
    let told = traced.then(|| value.told(at, given.said()));
    if traced {
        place(server, value)?;
    }
    seconds.into_iter().for_each(|at| warn_of_seconds(server, at));
    Ok((done, told))
}

/// Replicates a command that left a trace: as it was given, if that is complete, or else in the words of `otherwise`.
pub(crate) fn replicate<S: Server>(server: &mut S, given: &Clauses, told: Told, otherwise: impl FnOnce(&mut S)) {
    if told == given.said() { server.repeat() } else { otherwise(server) }
}

/// The time of a command that adds. Times and shards are judged where the command is given, and nowhere else: what comes
/// from a primary or a file is never refused.
fn settle(
    value: &mut Value,
    given: &Clauses,
    claimed: Option<&[u8]>,
    now: u64,
    judged: bool,
) -> Result<Option<u64>, Refusal> {
    given.expect_shards(value.request().shard)?;
    value.expect_store(given.store)?;
    let moment = value.moment(given.at, now)?;
    if judged {
        value.expect_takes(claimed, moment)?;
        given.at.map_or(Ok(()), |at| value.check_step(at, now))?;
    }
    Ok(moment)
}

pub(crate) fn found<S: Server>(server: &mut S) -> Result<&mut Value, Refusal> {
    server.find()?.ok_or_else(Refusal::missing)
}
