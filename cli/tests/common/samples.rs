//! Real logs where they are at hand (`../shared/data`), else generated ones of the same shape, so that no test is
//! ever left out.

use std::io::Read;
use std::path::{Path, PathBuf};

use super::random::Random;

fn shared(name: &str) -> Option<Vec<u8>> {
    let path: PathBuf = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../shared/data").join(name);
    std::fs::read(path).ok()
}

/// DNS queries: real ones if they are there, and always generated ones.
pub fn dns() -> Vec<(&'static str, Vec<u8>)> {
    let real = shared("zeek-dns.log.gz").map(|packed| {
        let mut text = Vec::new();
        flate2::read::GzDecoder::new(packed.as_slice()).read_to_end(&mut text).expect("the sample unpacks");
        ("real dns", text)
    });
    real.into_iter().chain([("generated dns", generated_dns())]).collect()
}

/// Requests to a web server, likewise.
pub fn web() -> Vec<(&'static str, Vec<u8>)> {
    let real = shared("apache.log").map(|text| ("real web", text));
    real.into_iter().chain([("generated web", generated_web())]).collect()
}

/// 100,000 lines, tab-separated with header lines; retries within seconds, answers that are logged late.
fn generated_dns() -> Vec<u8> {
    let mut random = Random::new(7);
    let mut text = String::from(
        "#separator \\x09\n#fields\tts\tuid\tid.orig_h\tid.orig_p\tid.resp_h\tid.resp_p\tproto\ttrans_id\trtt\tquery\n#types\ttime\tstring\taddr\tport\taddr\tport\tenum\tcount\tinterval\tstring\n",
    );
    let (mut now, mut asked) = (1_521_911_720_000_000_u64, Vec::new());
    for i in 0..100_000_u64 {
        now += random.below(40_000);
        let fresh = asked.is_empty() || !random.once_in(2);
        if fresh {
            let (host, port) = (random.below(250), 1024 + random.below(60_000));
            asked.push(format!(
                "10.47.1.{host}\t{port}\t10.0.0.100\t53\tudp\t{}\t0.0008\tname{i}.example",
                random.below(65_536)
            ));
        }
        let query = &asked[asked.len() - 1 - usize::try_from(random.below(50)).unwrap().min(asked.len() - 1)];
        let at = if random.once_in(10) { now - random.below(3_000_000) } else { now };
        text += &format!("{}.{:06}\tC{i:x}\t{query}\n", at / 1_000_000, at % 1_000_000);
    }
    (text + "#close\t2018-03-24\n").into_bytes()
}

/// 20,000 lines of the combined log format, some out of order, with quotes inside quotes and spaces in brackets.
fn generated_web() -> Vec<u8> {
    let mut random = Random::new(8);
    let (mut text, mut now) = (String::new(), 10 * 3600_u64);
    for i in 0..20_000_u64 {
        now += random.below(5);
        let at = now - random.below(60);
        let clock = format!("{:02}:{:02}:{:02}", at / 3600 % 24, at / 60 % 60, at % 60);
        let (host, page) = (random.below(200), random.below(40));
        let page = if random.once_in(3) { format!("/new/{i}") } else { format!("/page{page}?q=\\\"a b\\\"") };
        let day = 17 + at / 86_400;
        text += &format!(
            "83.149.9.{host} - - [{day}/May/2015:{clock} +0000] \"GET {page} HTTP/1.1\" 200 {i} \"-\" \"A [b] c\"\n"
        );
    }
    text.into_bytes()
}
