//! One filter over the shards NAME:S:0 .. NAME:S:S-1 of a Valkey or Redis, or of a cluster of them. Needs redis-rs.

use redis::cluster::ClusterConnection;
use redis::{Cmd, Connection, ConnectionLike, FromRedisValue, RedisError, RedisResult, cmd, pipe};
use std::collections::BTreeMap;

pub enum Server {
    One(Connection),
    Cluster(ClusterConnection),
}

impl Server {
    /// The answers to commands, each by itself: in one pipeline, except for a cluster, whose pipelines of this library tell
    /// nothing of the others where one is refused.
    pub fn call<T: FromRedisValue>(&mut self, commands: &[Cmd]) -> RedisResult<Vec<RedisResult<T>>> {
        let to = match self {
            Self::One(to) => to,
            Self::Cluster(to) => return Ok(commands.iter().map(|one| one.query(to)).collect()),
        };
        let packed = commands.iter().fold(&mut pipe(), |pipe, one| pipe.add_command(one.clone())).get_packed_pipeline();
        let replies = to.req_packed_commands(&packed, 0, commands.len())?;
        Ok(replies.into_iter().map(|reply| T::from_owned_redis_value(reply.extract_error()?)).collect())
    }

    /// The same, where one that is refused is an error of all.
    pub fn all<T: FromRedisValue>(&mut self, commands: &[Cmd]) -> RedisResult<Vec<T>> {
        self.call(commands)?.into_iter().collect()
    }
}

/// Which shard an item belongs to: the same in every language.
pub fn shard_of(item: &[u8], shards: u64) -> u64 {
    let fnv = |h: u64, byte: &u8| (h ^ u64::from(*byte)).wrapping_mul(0x100_0000_01B3);
    let h = item.iter().fold(0xCBF2_9CE4_8422_2325, fnv);
    let h = (h ^ (h >> 32)).wrapping_mul(0x9E37_79B9_7F4A_7C15);
    (h ^ (h >> 32)) % shards
}

/// A command on a shard.
pub fn on(verb: &str, name: &str, shards: u64, shard: u64) -> Cmd {
    let mut command = cmd(verb);
    command.arg(format!("{name}:{shards}:{shard}"));
    command
}

/// One command for each shard; the answers in the order of the items, none where the shard has grown, and how many shards
/// there are then. If an item or a shard refuses, that is an error; the others are added all the same.
pub fn ask(server: &mut Server, verb: &str, name: &str, shards: u64, items: &[&[u8]]) -> RedisResult<Asked> {
    let mut places = BTreeMap::<u64, Vec<usize>>::new();
    items.iter().enumerate().for_each(|(i, item)| places.entry(shard_of(item, shards)).or_default().push(i));
    let command = |(shard, rows): (&u64, &Vec<usize>)| {
        let mut command = on(verb, name, shards, *shard);
        command.arg("OF").arg(shards).arg("ITEMS");
        for i in rows {
            command.arg(items[*i]);
        }
        command
    };
    let replies = server.call::<Vec<u64>>(&places.iter().map(command).collect::<Vec<_>>())?;
    let mut asked = (vec![None; items.len()], None);
    for (rows, reply) in places.into_values().zip(replies) {
        match reply {
            Err(refusal) if refusal.code() == Some("GROWN") => asked.1 = grown(&refusal),
            reply => rows.into_iter().zip(reply?).for_each(|(place, answer)| asked.0[place] = Some(answer)),
        }
    }
    Ok(asked)
}

/// Answers, and how many shards there are if there are others by now.
pub type Asked = (Vec<Option<u64>>, Option<u64>);

/// How many shards a filter has that has grown, if it is refused for that.
pub fn grown(refusal: &RedisError) -> Option<u64> {
    refusal.detail()?.split(' ').next()?.parse().ok()
}

/// 1 for each item that is new. While a filter grows from `old` shards, what those know is not new. If it has grown since,
/// the rest goes to the new shards.
pub fn add(server: &mut Server, name: &str, shards: u64, old: Option<u64>, items: &[&[u8]]) -> RedisResult<Vec<u64>> {
    let seen = old.map_or(Ok((vec![], None)), |old| ask(server, "LATELY.MEXISTS", name, old, items))?.0;
    let (mut news, grown) = ask(server, "LATELY.MADD", name, shards, items)?;
    if let Some(grown) = grown {
        mark(server, name, shards, grown)?;
        let rest: Vec<&[u8]> =
            items.iter().zip(&news).filter(|(_, new)| new.is_none()).map(|(item, _)| *item).collect();
        let more = add(server, name, grown, Some(shards), &rest)?;
        news.iter_mut().filter(|new| new.is_none()).zip(more).for_each(|(new, answer)| *new = Some(answer));
    }
    let seen = seen.into_iter().chain(std::iter::repeat(Some(0)));
    Ok(news.into_iter().zip(seen).map(|(new, seen)| new.unwrap_or(0) * (1 - seen.unwrap_or(0))).collect())
}

/// Makes the shards, each with the words of a request such as WINDOW 600000.
pub fn reserve(server: &mut Server, name: &str, shards: u64, request: &str) -> RedisResult<()> {
    let words: Vec<&str> = request.split_whitespace().collect();
    let one = |i| {
        on("LATELY.RESERVE", name, shards, i).arg(&words).arg("SHARD").arg(i).arg("OF").arg(shards).arg("NX").clone()
    };
    server.all::<u64>(&(0..shards).map(one).collect::<Vec<_>>()).map(drop)
}

/// The old shards take no more items: whatever they do not know by now can be new in the new ones alone.
pub fn mark(server: &mut Server, name: &str, old: u64, shards: u64) -> RedisResult<()> {
    let one = |i| on("LATELY.GROW", name, old, i).arg(shards).clone();
    server.all::<()>(&(0..old).map(one).collect::<Vec<_>>()).map(drop)
}

/// Makes the new shards as the old ones were made, each with its part of what is counted or measured, and marks the old
/// ones; then `add` with `old` for one window, then the old ones can go.
pub fn grow(server: &mut Server, name: &str, old: u64, shards: u64) -> RedisResult<()> {
    let request: Vec<String> = server.all(&[on("LATELY.INFO", name, old, 0).arg("request").clone()])?;
    let mut words: Vec<String> = request[0].split(' ').take_while(|word| *word != "SHARD").map(String::from).collect();
    for i in 1..words.len() {
        if let ("CAPACITY" | "MEMORY" | "MAXCLAIMS", Ok(n)) = (words[i - 1].as_str(), words[i].parse::<u64>()) {
            words[i] = (n * old).div_ceil(shards).to_string();
        }
    }
    reserve(server, name, shards, &words.join(" "))?;
    mark(server, name, old, shards)
}
