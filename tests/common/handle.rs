//! Either handle of a filter, so that one oracle judges both: that of one owner, or the shared one, undivided or divided among its
//! locks.

use lately::{
    Age, Claim, Committed, Error, Filter, Keys, Observe, Options, SharedFilter, Stopped, Tick, Token, Verdict,
};

/// The handles. The last two are of one type.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Way {
    Own,
    Shared,
    Divided,
}

pub(crate) const WAYS: [Way; 3] = [Way::Own, Way::Shared, Way::Divided];

impl Way {
    pub(crate) fn of(self, filter: Filter) -> Box<dyn Handle> {
        match self {
            Self::Own => Box::new(filter),
            Self::Shared => Box::new(SharedFilter::of(filter).expect("memory for a lock")),
            Self::Divided => Box::new(super::divided(filter)),
        }
    }

    pub(crate) fn build(self, options: &Options) -> Box<dyn Handle> {
        self.of(super::build(options))
    }
}

/// A request in each handle.
pub(crate) fn all(options: &Options) -> [Box<dyn Handle>; 3] {
    WAYS.map(|way| way.build(options))
}

/// The handle of one owner, or the divided one.
pub(crate) fn of(filter: Filter, is_divided: bool) -> Box<dyn Handle> {
    if is_divided { Way::Divided.of(filter) } else { Way::Own.of(filter) }
}

/// The verbs of a batch.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Verb {
    Observe,
    Insert,
    Contains,
}

/// The verbs that [`Observe`] does not have. Without `now` a call is judged at the clock as it is.
pub(crate) trait Handle: Observe {
    fn observe_age(&mut self, key: &[u8], now: Option<Tick>) -> Result<(Verdict, Option<Age>), Error>;
    fn contains_age(&self, key: &[u8], now: Option<Tick>) -> Result<Option<Age>, Error>;
    fn claim(&mut self, key: &[u8], now: Option<Tick>) -> Result<Claim, Error>;
    fn commit(&mut self, key: &[u8], token: Token, now: Option<Tick>) -> Result<Committed, Error>;
    fn abandon(&mut self, key: &[u8], token: Token) -> Result<(), Error>;
    fn batch(&mut self, verb: Verb, keys: Keys<'_>, ticks: Option<&[Tick]>, to: &mut [Verdict]) -> Result<(), Stopped>;
    fn slices(&mut self, verb: Verb, keys: &[&[u8]], ticks: Option<&[Tick]>, to: &mut [Verdict])
    -> Result<(), Stopped>;
    fn remove_batch(&mut self, keys: Keys<'_>, ticks: Option<&[Tick]>, to: &mut [bool]) -> Result<(), Stopped>;
    fn remove_slices(&mut self, keys: &[&[u8]], to: &mut [bool]) -> Result<(), Stopped>;
    fn snapshot(&self) -> Vec<u8>;
}

macro_rules! handle {
    ($($handle:ty),+) => {
        $(impl Handle for $handle {
            fn observe_age(&mut self, key: &[u8], now: Option<Tick>) -> Result<(Verdict, Option<Age>), Error> {
                match now {
                    Some(now) => self.observe_age_at(key, now),
                    None => <$handle>::observe_age(self, key),
                }
            }

            fn contains_age(&self, key: &[u8], now: Option<Tick>) -> Result<Option<Age>, Error> {
                match now {
                    Some(now) => self.contains_age_at(key, now),
                    None => <$handle>::contains_age(self, key),
                }
            }

            fn claim(&mut self, key: &[u8], now: Option<Tick>) -> Result<Claim, Error> {
                match now {
                    Some(now) => self.claim_at(key, now),
                    None => <$handle>::claim(self, key),
                }
            }

            fn commit(&mut self, key: &[u8], token: Token, now: Option<Tick>) -> Result<Committed, Error> {
                match now {
                    Some(now) => self.commit_at(key, token, now),
                    None => <$handle>::commit(self, key, token),
                }
            }

            fn abandon(&mut self, key: &[u8], token: Token) -> Result<(), Error> {
                <$handle>::abandon(self, key, token)
            }

            fn batch(
                &mut self,
                verb: Verb,
                keys: Keys<'_>,
                ticks: Option<&[Tick]>,
                to: &mut [Verdict],
            ) -> Result<(), Stopped> {
                match verb {
                    Verb::Observe => self.observe_batch(keys, ticks, to),
                    Verb::Insert => self.insert_batch(keys, ticks),
                    Verb::Contains => self.contains_batch(keys, ticks, to),
                }
            }

            fn slices(
                &mut self,
                verb: Verb,
                keys: &[&[u8]],
                ticks: Option<&[Tick]>,
                to: &mut [Verdict],
            ) -> Result<(), Stopped> {
                match verb {
                    Verb::Observe => self.observe_slices(keys, ticks, to),
                    Verb::Insert => self.insert_slices(keys, ticks),
                    Verb::Contains => self.contains_slices(keys, ticks, to),
                }
            }

            fn remove_batch(&mut self, keys: Keys<'_>, ticks: Option<&[Tick]>, to: &mut [bool]) -> Result<(), Stopped> {
                <$handle>::remove_batch(self, keys, ticks, to)
            }

            fn remove_slices(&mut self, keys: &[&[u8]], to: &mut [bool]) -> Result<(), Stopped> {
                <$handle>::remove_slices(self, keys, None, to)
            }

            fn snapshot(&self) -> Vec<u8> {
                let mut bytes = Vec::new();
                self.write_snapshot(&mut bytes).expect("a Vec takes all");
                bytes
            }
        })+
    };
}

handle!(Filter, SharedFilter);

impl dyn Handle + '_ {
    /// One call: an insertion that is taken is `New`.
    pub(crate) fn single(&mut self, verb: Verb, key: &[u8], now: Option<Tick>) -> Result<Verdict, Error> {
        match (verb, now) {
            (Verb::Observe, Some(now)) => self.observe_at(key, now),
            (Verb::Observe, None) => self.observe(key),
            (Verb::Insert, Some(now)) => self.insert_at(key, now).map(|()| Verdict::New),
            (Verb::Insert, None) => self.insert(key).map(|()| Verdict::New),
            (Verb::Contains, Some(now)) => self.contains_at(key, now),
            (Verb::Contains, None) => Ok(self.contains(key)),
        }
    }

    /// Observes a key of 8 bytes, at a tick that is taken or as the next call.
    pub(crate) fn observed(&mut self, key: u64, at: impl Into<Option<u64>>) -> Verdict {
        self.single(Verb::Observe, &key.to_le_bytes(), at.into().map(Tick)).expect("a call that is taken")
    }

    /// What observing it would answer.
    pub(crate) fn found(&self, key: u64, at: impl Into<Option<u64>>) -> Verdict {
        let key = key.to_le_bytes();
        at.into()
            .map_or_else(|| self.contains(&key), |at| self.contains_at(&key, Tick(at)).expect("a tick that is taken"))
    }
}

/// The bytes of a filter.
pub(crate) fn snapshot(filter: &dyn Handle) -> Vec<u8> {
    filter.snapshot()
}
