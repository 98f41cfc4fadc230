//! One filter over the shards NAME:S:0 .. NAME:S:S-1 of a Valkey or Redis, or of a cluster of them.
//! The commands are those of the client in Python.

use std::io::Read;

use redis::{Cmd, ConnectionLike, RedisResult, cluster::ClusterClient, cmd};

/// Which shard an item belongs to: the same in every language.
fn shard_of(item: &[u8], shards: u64) -> u64 {
    let fnv = |h: u64, byte: &u8| (h ^ u64::from(*byte)).wrapping_mul(0x100_0000_01B3);
    let h = item.iter().fold(0xCBF2_9CE4_8422_2325, fnv);
    let h = (h ^ (h >> 32)).wrapping_mul(0x9E37_79B9_7F4A_7C15);
    (h ^ (h >> 32)) % shards
}

type Server = dyn ConnectionLike;

/// One command with all items of a shard for each shard; the answers in the order of the items.
fn ask(server: &mut Server, verb: &str, name: &str, shards: u64, items: &[&[u8]]) -> RedisResult<Vec<u64>> {
    let mut places = vec![Vec::new(); shards as usize];
    for (i, item) in items.iter().enumerate() {
        places[shard_of(item, shards) as usize].push(i);
    }
    let mut answers = vec![0; items.len()];
    for (shard, places) in places.iter().enumerate().filter(|(_, places)| !places.is_empty()) {
        let mut command: Cmd = cmd(verb);
        command.arg(format!("{name}:{shards}:{shard}")).arg("OF").arg(shards).arg("ITEMS");
        places.iter().for_each(|i| drop(command.arg(items[*i])));
        let replies: Vec<u64> = command.query(server)?;
        places.iter().zip(replies).for_each(|(i, answer)| answers[*i] = answer);
    }
    Ok(answers)
}

/// 1 for each item that is new. While a filter grows, what its old shards know is not new.
fn add(server: &mut Server, name: &str, shards: u64, old: Option<u64>, items: &[&[u8]]) -> RedisResult<Vec<u64>> {
    let seen = old.map_or(Ok(vec![0; items.len()]), |old| ask(server, "LATELY.MEXISTS", name, old, items))?;
    let new = ask(server, "LATELY.MADD", name, shards, items)?;
    Ok(new.iter().zip(seen).map(|(new, seen)| new * (1 - seen)).collect())
}

fn reserve(server: &mut Server, name: &str, shards: u64, words: &str) -> RedisResult<()> {
    (0..shards).try_for_each(|i| {
        let key = format!("{name}:{shards}:{i}");
        let words: Vec<&str> = words.split_whitespace().collect();
        cmd("LATELY.RESERVE").arg(key).arg(words).arg("SHARD").arg(i).arg("OF").arg(shards).arg("NX").exec(server)
    })
}

/// The new shards, made as the old ones were.
fn grow(server: &mut Server, name: &str, old: u64, new: u64) -> RedisResult<()> {
    let request: String = cmd("LATELY.INFO").arg(format!("{name}:{old}:0")).arg("request").query(server)?;
    reserve(server, name, new, request.split(" SHARD ").next().unwrap_or_default())
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let mut input = Vec::new();
    if args[0] == "check" || args[1] == "add" {
        std::io::stdin().read_to_end(&mut input)?;
    }
    if args[0] == "check" {
        return check(std::str::from_utf8(&input)?);
    }
    let server: &mut Server = match args[0].strip_prefix("cluster://") {
        Some(address) => &mut ClusterClient::new(vec![format!("redis://{address}")])?.get_connection()?,
        None => &mut redis::Client::open(args[0].as_str())?.get_connection()?,
    };
    let (name, shards, rest) = (&args[2], args[3].parse()?, &args[4..]);
    match args[1].as_str() {
        "add" => {
            let items: Vec<&[u8]> = input.strip_suffix(b"\n").unwrap_or(&input).split(|byte| *byte == b'\n').collect();
            let old = rest.first().map(|old| old.parse()).transpose()?;
            add(server, name, shards, old, &items)?.iter().for_each(|answer| println!("{answer}"));
        }
        "reserve" => reserve(server, name, shards, &rest.join(" "))?,
        "grow" => grow(server, name, shards, rest[0].parse()?)?,
        _ => (0..shards).try_for_each(|i| cmd("UNLINK").arg(format!("{name}:{shards}:{i}")).exec(server))?,
    }
    Ok(())
}

fn check(rows: &str) -> Result<(), Box<dyn std::error::Error>> {
    for row in rows.lines().filter(|row| !row.starts_with('#')) {
        let words: Vec<&str> = row.split(' ').collect();
        let hex = words[2].trim_matches('-');
        let item: Result<Vec<u8>, _> =
            (0..hex.len() / 2).map(|i| u8::from_str_radix(&hex[2 * i..2 * i + 2], 16)).collect();
        if shard_of(&item?, words[0].parse()?) != words[1].parse::<u64>()? {
            return Err(format!("wrong: {row}").into());
        }
    }
    Ok(())
}
