//! The commands without a server, in one program.
#![allow(unreachable_pub, clippy::as_conversions, reason = "a test")]

mod claims;
mod commands;
mod fake;
mod hostile;
mod replication;
mod shards;
