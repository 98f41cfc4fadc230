//! The client as a command. The words are those of the command in Python.

mod claims;

use std::error::Error;
use std::io::Read;

use claims::Claim;
use lately_shards::{Server, add, grow, on, reserve, shard_of};
use redis::cluster::ClusterClient;

fn main() -> Result<(), Box<dyn Error>> {
    let args: Vec<String> = std::env::args().skip(1).collect();
    if args[0] == "check" {
        return check(std::str::from_utf8(&input()?)?);
    }
    let mut server = match args[0].strip_prefix("cluster://") {
        Some(address) => Server::Cluster(ClusterClient::new(vec![format!("redis://{address}")])?.get_connection()?),
        None => Server::One(redis::Client::open(args[0].as_str())?.get_connection()?),
    };
    let (name, shards, rest) = (&args[2], args[3].parse()?, &args[4..]);
    match args[1].as_str() {
        "add" => {
            let input = input()?;
            add(&mut server, name, shards, old(rest)?, &items(&input))?.iter().for_each(|answer| println!("{answer}"));
        }
        verb @ ("commit" | "abandon") => {
            let input = input()?;
            for item in items(&input) {
                let claim = Claim::of(&mut server, name, shards, old(rest)?, item)?;
                let answer = claim.answer;
                let found = if verb == "commit" && answer == 1 { claim.commit()? } else { String::new() };
                println!("{answer} {found}");
            }
        }
        "reserve" => reserve(&mut server, name, shards, &rest.join(" "))?,
        "grow" => grow(&mut server, name, shards, rest[0].parse()?)?,
        _ => drop(server.all::<u64>(&(0..shards).map(|i| on("UNLINK", name, shards, i)).collect::<Vec<_>>())?),
    }
    Ok(())
}

fn old(rest: &[String]) -> Result<Option<u64>, std::num::ParseIntError> {
    rest.first().map(|old| old.parse()).transpose()
}

fn items(input: &[u8]) -> Vec<&[u8]> {
    input.strip_suffix(b"\n").unwrap_or(input).split(|byte| *byte == b'\n').collect()
}

fn input() -> std::io::Result<Vec<u8>> {
    let mut input = Vec::new();
    std::io::stdin().read_to_end(&mut input)?;
    Ok(input)
}

/// Compares the shard function with its vectors.
fn check(rows: &str) -> Result<(), Box<dyn Error>> {
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
