//! The real streams beside the project (`../shared/data`), where they are at hand: keys as 64-bit hashes, in order.

use std::fs;
use std::io::Read;
use std::path::{Path, PathBuf};

use crate::num;

/// A stream with a name for tables.
#[derive(Debug)]
pub(crate) struct Real {
    pub(crate) name: &'static str,
    pub(crate) keys: Vec<u64>,
}

/// Reads one, if it is there.
type Reader = fn() -> Option<Vec<u64>>;

/// Those of the three that are there.
pub(crate) fn streams() -> Vec<Real> {
    const ALL: [(&str, Reader); 3] = [("DNS queries", dns), ("web log", web), ("object accesses", objects)];
    ALL.iter().filter_map(|&(name, read)| Some(Real { name, keys: read()? })).collect()
}

fn file(name: &str) -> Option<Vec<u8>> {
    let folder: PathBuf = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../shared/data");
    fs::read(folder.join(name)).ok()
}

fn hashed(fields: &[&str]) -> u64 {
    lately::hash64(fields.join("\t").as_bytes(), 0)
}

/// Address, port, transaction and question of each query of a Zeek log.
fn dns() -> Option<Vec<u64>> {
    const FIELDS: [usize; 4] = [2, 3, 7, 9];
    let (packed, mut text) = (file("zeek-dns.log.gz")?, String::new());
    flate2::read::MultiGzDecoder::new(packed.as_slice()).read_to_string(&mut text).ok()?;
    let key = |line: &str| {
        let fields: Vec<&str> = line.split('\t').collect();
        Some(hashed(&FIELDS.map(|i| fields.get(i).copied().unwrap_or(""))))
    };
    Some(text.lines().filter(|line| !line.starts_with('#')).filter_map(key).collect())
}

/// Address and request of each line of a web server's log.
fn web() -> Option<Vec<u64>> {
    let text = String::from_utf8_lossy(&file("apache.log")?).into_owned();
    let key = |line: &str| Some(hashed(&[line.split(' ').next()?, line.split('"').nth(1)?]));
    Some(text.lines().filter_map(key).collect())
}

/// Object ids of a shop's database layer, big-endian words of 32 bits.
fn objects() -> Option<Vec<u64>> {
    let (packed, mut raw) = (file("cache2k-orm-busy.trace.xz")?, Vec::new());
    lzma_rs::xz_decompress(&mut packed.as_slice(), &mut raw).ok()?;
    let id = |word: &[u8]| word.iter().fold(0, |id, &byte| (id << 8) | u64::from(byte));
    Some(raw.chunks_exact(4).map(id).collect())
}

/// How many different keys.
pub(crate) fn distinct(keys: &[u64]) -> u64 {
    num::wide(keys.iter().collect::<std::collections::HashSet<_>>().len())
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The counts stand beside the data. A clone without the data has nothing to read, and says so by an empty list.
    #[test]
    fn what_is_there_is_what_was_described() {
        for real in streams() {
            let (records, different) = match real.name {
                "DNS queries" => (53_615, 23_343),
                "web log" => (10_000, 7_914),
                _ => (5_000_000, 76_349),
            };
            assert_eq!((num::wide(real.keys.len()), distinct(&real.keys)), (records, different), "{}", real.name);
        }
    }
}
