//! What the field's driver in Rust shares with the evaluation: streams, lines, and rivals that need no package.
//!
//! | module | what it is |
//! | --- | --- |
//! | `stream` | the workloads, and their keys from a seed: the same in every language |
//! | `line` | what a driver prints |
//! | `play` | shows a stream to a rival, times it, counts its mistakes |
//! | `rival` | what a rival is, and the list of those that need no package |
//! | `simple` | lately, and what an engineer writes in an hour |

pub mod line;
pub mod play;
pub mod rival;
mod simple;
pub mod stream;
