//! The commands of claims: an item is tested and claimed, then stored when its work is done, or given up.
//!
//! ```text
//!  CLAIM ---> 1 and a token --COMMIT--> stored        or ABANDON, or its lease runs out: the next CLAIM is 1 again
//!         \-> 0: seen       \-> 2: claimed, and its work not done
//! ```
//! Every call that is not an error is replicated with the moment at which it was judged: equal filters that get equal calls give
//! equal tokens, so a claim made on one primary can be committed on the next.

use std::ffi::CStr;

use lately::{Claim, Committed};

use crate::act::{found, observe, replicate};
use crate::clauses::Clauses;
use crate::refusal::Refusal;
use crate::reply::Reply;
use crate::server::{Arg, Server};
use crate::value::Told;
use crate::words::Words;

/// `LATELY.CLAIM key item`.
pub(crate) fn claim(server: &mut impl Server, args: &[&[u8]]) -> Result<Reply, Refusal> {
    let given = Clauses::to_the_end(Words::new(args, 3))?;
    given.expect_reading()?;
    let (claim, told) = observe(server, &given, Some(args[2]), |value, how| Ok((value.claim(args[2], how.at)?, true)))?;
    let (answer, token) = match claim {
        Claim::New(token) => (1, token.0),
        Claim::Duplicate => (0, 0),
        Claim::Pending => (2, 0),
    };
    if let Some(told) = told {
        replicate(server, &given, told, |server| replicate_words(server, c"LATELY.CLAIM", 2, told));
    }
    if claim != Claim::Pending {
        server.count(u64::from(answer == 1), u64::from(answer == 0));
        server.notify(c"lately.claim");
    }
    Ok(Reply::Array(vec![Reply::Int(answer), Reply::Text(token.to_string())]))
}

/// `LATELY.COMMIT key item token`. A shard whose filter has grown takes it, too: its claim was given out before.
pub(crate) fn commit(server: &mut impl Server, args: &[&[u8]]) -> Result<Reply, Refusal> {
    let token = token(args)?;
    let given = Clauses::to_the_end(Words::new(args, 4))?;
    given.expect_reading()?;
    // What was replicated without a moment is of the clock of its filter.
    let now = if given.at.is_none() && server.obeys() { 0 } else { server.now_ms() };
    let leads = |at| found(server).map(|value| value.lead(at, now).is_some());
    let doubtful = given.at.map_or(Ok(false), leads)?;
    let judged = doubtful && !server.obeys();
    let value = found(server)?;
    given.expect_shards(value.request().shard)?;
    let at = value.moment(given.at, now)?;
    if let Some(at) = given.at.filter(|_| judged) {
        value.check_step(at, now)?;
    }
    let committed = value.commit(args[2], token, at)?;
    let told = value.told(at, given.said());
    replicate(server, &given, told, |server| replicate_words(server, c"LATELY.COMMIT", 3, told));
    server.notify(c"lately.commit");
    let found = match committed {
        Committed::InTime => "IN-TIME",
        Committed::Late => "LATE",
        Committed::Already => "ALREADY",
    };
    Ok(Reply::Text(found.to_owned()))
}

/// `LATELY.ABANDON key item token`.
pub(crate) fn abandon(server: &mut impl Server, args: &[&[u8]]) -> Result<Reply, Refusal> {
    let token = token(args)?;
    Words::new(args, 4).end()?;
    found(server)?.abandon(args[2], token)?;
    server.repeat();
    server.notify(c"lately.abandon");
    Ok(Reply::Ok)
}

fn token(args: &[&[u8]]) -> Result<u64, Refusal> {
    Words::new(args, 3).number("token", (1, u64::MAX))
}

/// Replicates the first words of the command, and the moment.
fn replicate_words(server: &mut impl Server, command: &'static CStr, words: usize, told: Told) {
    let mut all: Vec<Arg<'_>> = (1..=words).map(Arg::Given).collect();
    all.extend(told.at.iter().flat_map(|at| [Arg::Word("AT"), Arg::Number(*at)]));
    server.replicate(command, &all);
}
