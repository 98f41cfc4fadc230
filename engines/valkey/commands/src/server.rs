//! What the commands need of a server. The module is one; the tests have another, made of a map.

use crate::refusal::Refusal;
use crate::request::Settings;
use crate::value::Value;

/// An argument of a command that is replicated.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Arg<'a> {
    /// The argument at this place of the command that runs.
    Given(usize),
    /// A word.
    Word(&'a str),
    /// A number.
    Number(u64),
}

/// The server that runs a command on one key.
pub trait Server {
    /// Milliseconds since 1970-01-01 UTC.
    fn now_ms(&mut self) -> u64;
    /// A number that cannot be predicted.
    fn random(&mut self) -> u64;
    /// Writes a warning to the log.
    fn warn(&mut self, text: &str);
    /// The configuration.
    fn settings(&mut self) -> Settings;
    /// Whether the command comes from the primary, from a file, or with a slot that moves here: then it was judged before,
    /// and is not judged again.
    fn obeys(&mut self) -> bool;
    /// What lies under the key of the command.
    ///
    /// # Errors
    /// Something else does.
    fn find(&mut self) -> Result<Option<&mut Value>, Refusal>;
    /// Puts a value under the key, which has none.
    ///
    /// # Errors
    /// The server does not take it.
    fn put(&mut self, value: Value) -> Result<(), Refusal>;
    /// Sends the command that runs to the replicas and the append-only file, as it was given.
    fn repeat(&mut self);
    /// Sends them another.
    fn replicate(&mut self, command: &str, args: &[Arg<'_>]);
    /// Tells watchers and listeners that the key has changed: nothing else does.
    fn notify(&mut self, event: &'static str);
    /// Counts items that were observed, for `INFO lately`.
    fn count(&mut self, new: u64, duplicates: u64);
    /// The filter of the key, which comes in pieces: takes the bytes that belong at `offset` of `total`, and gives all of
    /// them back when they are there.
    ///
    /// # Errors
    /// The pieces are not in order, or there is no memory.
    fn gather(&mut self, offset: u64, total: u64, bytes: &[u8]) -> Result<Option<Vec<u8>>, Refusal>;
}
