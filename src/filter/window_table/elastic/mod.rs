//! One table that grows and shrinks in place, a line at a time: what the window table is to become.
//!
//! **Law.** A key seen within the window is always found, at its very edge, at any rate, after any growth; one older than the
//! window by more than a generation, never. A key never seen is called a duplicate with at most the requested rate at any
//! moment, whatever the traffic does. Exceptions: memory that is refused, which `stats` report, and keys aimed by one who
//! knows the seed, which cost memory.
//!
//! **Layout.** A key has two lines, one on each side, and one cell in one of them. Each side grows by linear hashing.
//!
//! ```text
//!  side 0   [ split .. split | whole .. whole | second halves ]      P lines of 2^(D + 1) are split
//!  side 1   [ whole .. .. .. .. .. .. whole ]                        one more when the cells pass the limit
//!
//!  cell     tag: generation of the last sighting | fingerprint | bits known: so many as there was room for
//!  split    the lowest bit known says which half a cell goes to, and is gone; no cell is ever asked for its key
//! ```
//! Every instant of a window may use the same share of the error rate (`policy`), so cells that are stored while the table is
//! small for its traffic know more bits, and pay for it with fewer cells in their line (`width`).
//!
//! **Price.** 512 (1 + 1 / 2G) / (F C) bits a key when settled (`plan`), two cache lines and now and then two more.
//!
//! **Paper.** Linear hashing (Litwin 1980); partners of a cuckoo filter (Fan et al. 2014); fingerprints of variable length
//! (Pagh, Segev, Wieder 2013; InfiniFilter 2023). Tags, and the budget by time, are ours.

mod cell;
mod directory;
#[cfg(test)]
mod exact;
mod grow;
mod key;
mod line;
mod plan;
mod policy;
mod room;
mod saved;
mod stash;
mod table;
mod tally;
mod tend;
#[cfg(test)]
mod tests;
mod width;
