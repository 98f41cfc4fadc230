//! Claims on the shards of `lib.rs`, made with LEASE: an item is stored when its work is done, and new again if it failed.
//!
//! ```text
//! let order = Claim::of(&mut server, "seen", 4, None, b"order-17")?;
//! if order.answer == 1 {
//!     work()?;
//!     order.commit()?;
//! }
//! ```

use lately_shards::{Server, grown, mark, on, shard_of};
use redis::{Cmd, RedisResult};

/// An item that was claimed. Dropped, it abandons what was not committed.
pub struct Claim<'a> {
    /// 1 if it is yours, 0 if it was seen, 2 if another works on it.
    pub answer: u64,
    server: &'a mut Server,
    place: (&'a str, u64),
    item: &'a [u8],
    token: String,
    open: bool,
}

impl<'a> Claim<'a> {
    /// Claims an item. While a filter grows from `old` shards, those are asked first: they know what is stored or claimed there.
    /// If it has grown since, the new shards are asked.
    pub fn of(
        server: &'a mut Server,
        name: &'a str,
        shards: u64,
        old: Option<u64>,
        item: &'a [u8],
    ) -> RedisResult<Self> {
        let mut now = None;
        for of in old.into_iter().chain([shards]) {
            let ask = command("LATELY.CLAIM", (name, of), item).arg("OF").arg(of).clone();
            match server.all::<(u64, String)>(&[ask]) {
                Err(refusal) if refusal.code() == Some("GROWN") => now = grown(&refusal),
                reply => {
                    let (answer, token) = reply?.swap_remove(0);
                    return Ok(Self { answer, server, place: (name, of), item, token, open: answer == 1 });
                }
            }
        }
        let now = now.unwrap_or(shards);
        mark(server, name, shards, now)?;
        Self::of(server, name, now, Some(shards), item)
    }

    /// Stores the item: IN-TIME, LATE after the lease, or ALREADY where another stored it.
    pub fn commit(mut self) -> RedisResult<String> {
        let found = self.end("LATELY.COMMIT")?;
        self.open = false;
        Ok(found)
    }

    fn end(&mut self, verb: &str) -> RedisResult<String> {
        let command = command(verb, self.place, self.item).arg(&self.token).clone();
        self.server.all(&[command]).map(|mut replies| replies.swap_remove(0))
    }
}

impl Drop for Claim<'_> {
    /// The next claim of the item is 1. If that cannot be said, its lease ends it.
    fn drop(&mut self) {
        if self.open {
            let _ = self.end("LATELY.ABANDON");
        }
    }
}

/// A command on the shard of an item.
fn command(verb: &str, (name, shards): (&str, u64), item: &[u8]) -> Cmd {
    on(verb, name, shards, shard_of(item, shards)).arg(item).clone()
}
