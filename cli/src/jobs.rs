//! New records whose command runs, or has ended and waits for its turn: they leave in the order in which they came.

use std::collections::VecDeque;
use std::sync::Arc;
use std::time::Duration;

use crate::exec::{Commands, Ended, Record};

/// Records that may wait for an earlier one, for each command that may run at once: where commands take unequally long, the
/// others continue meanwhile.
const WAITING: usize = 8;

pub(crate) struct Job {
    pub(crate) record: Arc<Record>,
    pub(crate) key: Vec<u8>,
    pub(crate) time: u64,
    pub(crate) line: u64,
    /// Whether it is far ahead of a clock that waits for the record behind it.
    pub(crate) is_far: bool,
}

pub(crate) struct Jobs {
    commands: Commands,
    /// Each with how its command ended.
    queue: VecDeque<(Job, Option<Ended>)>,
    /// The number of the first of them.
    first: u64,
    most: usize,
    /// Records whose command failed.
    pub(crate) failed: u64,
}

impl Jobs {
    pub(crate) fn new(script: &str, most: usize, limit: Option<Duration>) -> Self {
        let most_waiting = most.saturating_mul(WAITING);
        Self {
            commands: Commands::new(script, most, limit),
            queue: VecDeque::new(),
            first: 0,
            most: most_waiting,
            failed: 0,
        }
    }

    pub(crate) fn has_room(&self) -> bool {
        self.commands.has_room() && self.queue.len() < self.most
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.queue.is_empty()
    }

    /// Whether a record with this key is among them: what becomes of another one is known when it has left.
    pub(crate) fn has_key(&self, key: &[u8]) -> bool {
        self.queue.iter().any(|(job, _)| job.key == key)
    }

    pub(crate) fn start(&mut self, job: Job) {
        let id = self.first + u64::try_from(self.queue.len()).unwrap_or(u64::MAX);
        self.commands.start(id, Arc::clone(&job.record));
        self.queue.push_back((job, None));
    }

    /// Waits until a command ends, or for this time; returns whether one did.
    pub(crate) fn wait(&mut self, patience: Duration) -> bool {
        let Some((id, ended)) = self.commands.wait(patience) else { return false };
        let at = usize::try_from(id - self.first).ok();
        if let Some((_, slot)) = at.and_then(|at| self.queue.get_mut(at)) {
            *slot = Some(ended);
        }
        true
    }

    /// The first of them, if its command has ended; and why it failed, if it did.
    pub(crate) fn next_ended(&mut self) -> Option<(Job, Option<String>)> {
        while self.wait(Duration::ZERO) {}
        self.queue.front().filter(|(_, ended)| ended.is_some())?;
        let (job, ended) = self.queue.pop_front()?;
        self.first += 1;
        let failure = ended.and_then(|ended| ended.failure());
        self.failed += u64::from(failure.is_some());
        Some((job, failure))
    }
}
