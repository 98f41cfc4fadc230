//! One filter over the shards NAME:S:0 .. NAME:S:S-1 of a Valkey or Redis, or of a cluster of them. Needs redis-rs.

use redis::cluster::{ClusterConnection, cluster_pipe};
use redis::{Cmd, Connection, FromRedisValue, RedisResult, cmd, pipe};
use std::collections::BTreeMap;

pub enum Server {
    One(Connection),
    Cluster(ClusterConnection),
}

impl Server {
    /// The answers to commands that are sent in one pipeline.
    pub fn call<T: FromRedisValue>(&mut self, commands: &[Cmd]) -> RedisResult<Vec<T>> {
        match self {
            Self::One(to) => commands.iter().fold(&mut pipe(), |pipe, one| pipe.add_command(one.clone())).query(to),
            Self::Cluster(to) => {
                commands.iter().fold(&mut cluster_pipe(), |pipe, one| pipe.add_command(one.clone())).query(to)
            }
        }
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

/// One command for each shard, in one pipeline; the answers in the order of the items. If an item or a shard
/// refuses, that is an error; the others are added all the same.
pub fn ask(server: &mut Server, verb: &str, name: &str, shards: u64, items: &[&[u8]]) -> RedisResult<Vec<u64>> {
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
    let replies: Vec<Vec<u64>> = server.call(&places.iter().map(command).collect::<Vec<_>>())?;
    let mut answers = vec![0; items.len()];
    let places = places.into_values().flatten();
    places.zip(replies.into_iter().flatten()).for_each(|(place, answer)| answers[place] = answer);
    Ok(answers)
}

/// 1 for each item that is new. While a filter grows from `old` shards, what those know is not new.
pub fn add(server: &mut Server, name: &str, shards: u64, old: Option<u64>, items: &[&[u8]]) -> RedisResult<Vec<u64>> {
    let seen = old.map_or(Ok(vec![0; items.len()]), |old| ask(server, "LATELY.MEXISTS", name, old, items))?;
    let new = ask(server, "LATELY.MADD", name, shards, items)?;
    Ok(new.iter().zip(seen).map(|(new, seen)| new * (1 - seen)).collect())
}

/// Makes the shards, each with the words of a request such as WINDOW 600000.
pub fn reserve(server: &mut Server, name: &str, shards: u64, request: &str) -> RedisResult<()> {
    let words: Vec<&str> = request.split_whitespace().collect();
    let one = |i| {
        on("LATELY.RESERVE", name, shards, i).arg(&words).arg("SHARD").arg(i).arg("OF").arg(shards).arg("NX").clone()
    };
    server.call::<u64>(&(0..shards).map(one).collect::<Vec<_>>()).map(drop)
}

/// Makes the new shards as the old ones were made; then `add` with `old` for one window, then the old ones can go.
pub fn grow(server: &mut Server, name: &str, old: u64, shards: u64) -> RedisResult<()> {
    let request: Vec<String> = server.call(&[on("LATELY.INFO", name, old, 0).arg("request").clone()])?;
    reserve(server, name, shards, request[0].split(" SHARD ").next().unwrap_or_default())
}
