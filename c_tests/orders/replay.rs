//! The oracle: a plain list of keys, with claims, that does one call after the other. [`is_possible`] looks for an order of the calls
//! of all threads in which it answers what the filter answered.

/// A key, by its number.
pub(crate) type Key = usize;

/// How many there are.
pub(crate) const KEYS: usize = 2;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Call {
    Observe(Key),
    Insert(Key),
    Contains(Key),
    Remove(Key),
    Claim(Key),
    /// Of the claim that this thread has of the key; without one the call is not made. `Abandon` as well.
    Commit(Key),
    Abandon(Key),
    /// To so many times after the beginning what every key leaves the window in.
    Advance(u64),
    /// The counters.
    Stats,
    /// Which keys a snapshot has, and how many of them as claims.
    Snapshot,
}

/// A call that was made. Times are those of one counter of all threads.
#[derive(Debug, Clone)]
pub(crate) struct Event {
    pub(crate) call: Call,
    pub(crate) answer: Vec<u64>,
    pub(crate) began: u64,
    pub(crate) ended: u64,
}

#[derive(Clone, Default)]
struct Oracle {
    stored: [bool; KEYS],
    /// By which thread.
    claimed: [Option<usize>; KEYS],
    clock: u64,
    /// New, duplicate, removed, pending, in the order of [`Call::Stats`].
    counts: [u64; 4],
}

impl Oracle {
    fn is_there(&self, key: Key) -> bool {
        self.stored[key] || self.claimed[key].is_some()
    }

    /// Adds 1 to a count, and gives back the number of the verdict.
    fn count(&mut self, which: usize, verdict: u64) -> Vec<u64> {
        self.counts[which] += 1;
        vec![verdict]
    }

    fn answer(&mut self, thread: usize, call: Call) -> Vec<u64> {
        match call {
            Call::Observe(key) if self.is_there(key) => self.count(1, 1),
            Call::Observe(key) => {
                self.stored[key] = true;
                self.count(0, 0)
            }
            Call::Insert(key) => {
                (self.stored[key], self.claimed[key]) = (true, None);
                vec![]
            }
            Call::Contains(key) => vec![u64::from(self.is_there(key))],
            Call::Remove(key) if std::mem::take(&mut self.stored[key]) => self.count(2, 1),
            Call::Remove(_) => vec![0],
            Call::Claim(key) if self.claimed[key].is_some() => self.count(3, 2),
            Call::Claim(key) if self.stored[key] => self.count(1, 1),
            Call::Claim(key) => {
                self.claimed[key] = Some(thread);
                self.count(0, 0)
            }
            Call::Commit(key) => vec![self.commit(thread, key)],
            Call::Abandon(key) => {
                self.claimed[key] = self.claimed[key].filter(|owner| *owner != thread);
                vec![]
            }
            Call::Advance(to) => {
                if to > self.clock {
                    (self.clock, self.stored) = (to, [false; KEYS]);
                }
                vec![]
            }
            Call::Stats => self.counts.iter().copied().chain([self.open_claims()]).collect(),
            Call::Snapshot => (0..KEYS).map(|key| u64::from(self.is_there(key))).chain([self.open_claims()]).collect(),
        }
    }

    fn commit(&mut self, thread: usize, key: Key) -> u64 {
        let is_in_time = self.claimed[key] == Some(thread);
        if !is_in_time && self.stored[key] {
            return 2;
        }
        (self.stored[key], self.claimed[key]) = (true, None);
        u64::from(!is_in_time)
    }

    fn open_claims(&self) -> u64 {
        self.claimed.iter().map(|owner| u64::from(owner.is_some())).sum()
    }
}

/// Whether the oracle, asked in some order, gives the answers of these threads. Each thread's calls stay in their order, and a call
/// that began when another had ended comes after it.
pub(crate) fn is_possible(threads: &[Vec<Event>]) -> bool {
    continues(&Oracle::default(), &threads.iter().map(Vec::as_slice).collect::<Vec<_>>())
}

/// The same from a state of the oracle on; of each thread those calls are left that come later.
fn continues(oracle: &Oracle, left: &[&[Event]]) -> bool {
    let Some(first_end) = left.iter().filter_map(|calls| calls.first()).map(|event| event.ended).min() else {
        return true;
    };
    left.iter().enumerate().any(|(thread, calls)| {
        let Some((event, later)) = calls.split_first() else { return false };
        let mut oracle = oracle.clone();
        if event.began > first_end || oracle.answer(thread, event.call) != event.answer {
            return false;
        }
        let mut left = left.to_vec();
        left[thread] = later;
        continues(&oracle, &left)
    })
}
