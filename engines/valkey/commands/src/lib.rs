//! What the module of Valkey and Redis does, without a server: it can be tested by integers for time and a map for keys.
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
