//! The options of items: `AT time`, `OF s`, `STORE`, `ITEMS`; and whether a filter is the one that they mean.

use crate::refusal::Refusal;
use crate::request::{LAST_MS, Shard};
use crate::value::Told;
use crate::words::Words;

/// The options of a command that has items.
#[derive(Default)]
pub(crate) struct Clauses {
    pub(crate) at: Option<u64>,
    pub(crate) of: Option<u32>,
    /// Whether a known item is stored once more, though the filter counts ages from the first sighting.
    pub(crate) store: bool,
}

impl Clauses {
    fn takes(&mut self, words: &mut Words<'_>) -> Result<bool, Refusal> {
        if self.at.is_none() && words.takes("AT") {
            self.at = Some(words.quantity("AT", (0, LAST_MS))?);
        } else if self.of.is_none() && words.takes("OF") {
            self.of = Some(words.number("OF", (1, u32::MAX))?);
        } else if !self.store && words.takes("STORE") {
            self.store = true;
        } else {
            return Ok(false);
        }
        Ok(true)
    }

    /// The options that stand alone to the end.
    pub(crate) fn to_the_end(mut words: Words<'_>) -> Result<Self, Refusal> {
        let mut clauses = Self::default();
        while words.peek().is_some() {
            if !clauses.takes(&mut words)? {
                words.end()?;
            }
        }
        Ok(clauses)
    }

    /// The options before `ITEMS`, and where the items begin.
    pub(crate) fn before_items(mut words: Words<'_>) -> Result<(Self, Words<'_>), Refusal> {
        let mut clauses = Self::default();
        while clauses.takes(&mut words)? {}
        if !words.takes("ITEMS") {
            words.end()?;
            return Err(Refusal::syntax("ITEMS item .. is needed"));
        }
        if words.peek().is_none() {
            return Err(Refusal::syntax("ITEMS takes one item at least"));
        }
        Ok((clauses, words))
    }

    /// The clauses of the command that concern its items.
    pub(crate) const fn said(&self) -> Told {
        Told { at: self.at, store: self.store }
    }

    /// An error if an option is there that only commands which add take.
    pub(crate) fn expect_reading(&self) -> Result<(), Refusal> {
        if self.store { Err(Refusal::conflict("STORE", "needs LATELY.ADD or LATELY.MADD")) } else { Ok(()) }
    }

    /// Whether a filter is the one that the caller means.
    pub(crate) fn expect_shards(&self, shard: Option<Shard>) -> Result<(), Refusal> {
        let Some(of) = self.of else {
            return Ok(());
        };
        match shard {
            Some(shard) if shard.of == of => Ok(()),
            Some(shard) => Err(Refusal::new(format_args!("OF {of}: this is shard {} of {}", shard.index, shard.of))),
            None => Err(Refusal::new(format_args!("OF {of}: this filter is no shard"))),
        }
    }
}
