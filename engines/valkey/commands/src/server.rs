//! What the commands need of a server. The module is one; the tests have another, made of a map.

use std::ffi::CStr;

use crate::held::Held;
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
    fn held(&mut self) -> Result<Option<&mut Held>, Refusal>;
    /// The filter under the key of the command.
    ///
    /// # Errors
    /// Something else is there, or a part of a filter.
    #[inline(always)]
    fn find(&mut self) -> Result<Option<&mut Value>, Refusal> {
        match self.held()? {
            None => Ok(None),
            Some(Held::Filter(value)) => Ok(Some(value)),
            Some(Held::Partial(partial)) => Err(partial.refusal()),
        }
    }
    /// Puts this under the key, which has nothing or a part of a filter.
    ///
    /// # Errors
    /// The server does not take it.
    fn put(&mut self, held: Held) -> Result<(), Refusal>;
    /// Sends the command that runs to the replicas and the append-only file, as it was given.
    fn repeat(&mut self);
    /// Sends them another.
    fn replicate(&mut self, command: &'static CStr, args: &[Arg<'_>]);
    /// Tells watchers and listeners that the key has changed: nothing else does.
    fn notify(&mut self, event: &'static CStr);
    /// The size of memory that the server has for this number of bytes, and no more than those.
    fn size_within(&mut self, bytes: u64) -> u64;
    /// Counts items that were observed, for `INFO lately`.
    fn count(&mut self, new: u64, duplicates: u64);
}
