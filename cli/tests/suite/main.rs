//! The tests of the command, as one program: `cargo test -p lately-cli --test suite state::` runs those of `state.rs`.

#[path = "../common/mod.rs"]
mod common;

mod ages;
mod clock;
#[cfg(unix)]
mod exec;
mod forms;
mod generate;
mod keyed;
mod kinds;
#[cfg(unix)]
mod live;
mod process;
mod promises;
mod records;
#[cfg(target_os = "linux")]
mod resident;
mod sets_and_quotients;
mod silence;
mod sparse;
mod state;
#[cfg(target_os = "linux")]
mod unobtainable;
mod waiting;
mod words;
mod wrong;
