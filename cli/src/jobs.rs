//! New records whose command runs, or has ended and waits for its turn: they leave in the order in which they came.

use std::collections::VecDeque;
use std::sync::Arc;
use std::sync::mpsc::{Receiver, Sender, channel};
use std::thread;
use std::time::Duration;

use crate::exec::{self, Ended, Record};

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
    script: Arc<str>,
    /// The nanoseconds that a command may take.
    limit: Option<u64>,
    /// Commands that may run at once, and those that do.
    most: usize,
    running: usize,
    ended: Receiver<(u64, Ended)>,
    sender: Sender<(u64, Ended)>,
    queue: VecDeque<(Job, Option<Ended>)>,
    /// The number of the first of them.
    first: u64,
    pub(crate) failed: u64,
}

impl Jobs {
    pub(crate) fn new(script: &str, most: usize, limit: Option<u64>) -> Self {
        let (sender, ended) = channel();
        let (script, queue) = (script.into(), VecDeque::new());
        Self { script, limit, most, running: 0, ended, sender, queue, first: 0, failed: 0 }
    }

    pub(crate) fn has_room(&self) -> bool {
        self.running < self.most && self.queue.len() < self.most.saturating_mul(WAITING)
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
        let (script, record) = (Arc::clone(&self.script), Arc::clone(&job.record));
        let (sender, limit) = (self.sender.clone(), self.limit);
        let started = thread::Builder::new().stack_size(exec::STACK).spawn(move || {
            // If the run has ended, there is no receiver.
            let _ = sender.send((id, exec::run(&script, &record, limit)));
        });
        if let Err(error) = started {
            let _ = self.sender.send((id, Ended::NotRun(error)));
        }
        self.running += 1;
        self.queue.push_back((job, None));
    }

    /// Waits until a command ends, or for this time; returns whether one did.
    pub(crate) fn wait(&mut self, patience: Duration) -> bool {
        let Ok((id, ended)) = self.ended.recv_timeout(patience) else { return false };
        self.running -= 1;
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
