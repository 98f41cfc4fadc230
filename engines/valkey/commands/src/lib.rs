//! What the module of Valkey and Redis does, without a server: it can be tested by integers for time and a map for keys.
//!
//! | file | what it knows |
//! | --- | --- |
//! | `words` | the arguments of a command, one after the other |
//! | `refusal` | errors, in the server's style |
//! | `request` | what `LATELY.RESERVE` asks for, resolved to its last number, as words and back |
//! | `value` | a request and its filter; time, verbs, bytes |
//! | `held` | what lies under a key: a `value`, or the part of one that has come so far |
//! | `server` | what the commands need of a server, as one trait |
//! | `clauses` | the clauses of a command: `AT ms`, `OF s`, `STORE`, `ITEMS` |
//! | `act` | what all commands that add share: the filter, the time, what is judged |
//! | `verbs` | the commands: parse, act, reply, return what is replicated |
//! | `claims` | the commands of claims: an item is tested now and stored when its work is done |
//! | `table` | the commands by name, with what the server learns of them |
//! | `shard` | which shard an item belongs to, the same in every client |
//!
//! Time is settled once for each command, by the primary: what is replicated carries it, and every number of a request. So
//! a primary, its replicas and a replay of the append-only file have the same state, bit for bit. Only a window table of time
//! replicates less: the repeats that change what it finds. They find the same items, and their counters differ.

mod act;
mod claims;
mod clauses;
mod held;
mod refusal;
mod reply;
mod request;
mod server;
mod shard;
mod table;
mod value;
mod verbs;
mod words;

pub use held::{Held, Partial, bytes_of_part};
pub use refusal::Refusal;
pub use reply::Reply;
pub use request::{Request, Settings};
pub use server::{Arg, Server};
pub use shard::shard_of;
pub use table::{Argument, COMMANDS, Command, Shape, Touch};
pub use value::Value;
pub use verbs::{add_again, execute, execute_as};
