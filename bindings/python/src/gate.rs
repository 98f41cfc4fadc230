//! The gate before a fork: `os.fork` waits until no thread is inside a filter without the GIL.
//!
//! A child has only the thread that forked. If another one had been inside a filter, its lock would stay taken in the
//! child. Calls that keep the GIL cannot run during a fork. Calls that release it pass this gate, and
//! `os.register_at_fork` closes it before a fork and opens it after.

use std::sync::atomic::{AtomicUsize, Ordering::SeqCst};
use std::thread::sleep;
use std::time::Duration;

use pyo3::prelude::*;

/// Threads that are inside without the GIL.
static INSIDE: AtomicUsize = AtomicUsize::new(0);

/// Forks that wait or happen now.
static FORKS: AtomicUsize = AtomicUsize::new(0);

const AGAIN: Duration = Duration::from_micros(50);

struct Inside;

impl Drop for Inside {
    fn drop(&mut self) {
        INSIDE.fetch_sub(1, SeqCst);
    }
}

fn enter() -> Inside {
    loop {
        let inside = {
            INSIDE.fetch_add(1, SeqCst);
            Inside
        };
        if FORKS.load(SeqCst) == 0 {
            return inside;
        }
        drop(inside);
        sleep(AGAIN);
    }
}

/// Runs `work` without the GIL, never during a fork. `work` must not ask for the GIL.
pub(crate) fn detached<T: Send>(py: Python<'_>, work: impl FnOnce() -> T + Send) -> T {
    py.detach(|| {
        let _inside = enter();
        work()
    })
}

/// Called before a fork: waits until no thread is inside.
#[pyfunction]
pub(crate) fn fork_soon() {
    FORKS.fetch_add(1, SeqCst);
    while INSIDE.load(SeqCst) > 0 {
        sleep(AGAIN);
    }
}

/// Called after a fork, in the parent.
#[pyfunction]
pub(crate) fn fork_over() {
    FORKS.fetch_sub(1, SeqCst);
}

/// Called after a fork, in the child, which has one thread.
#[pyfunction]
pub(crate) fn fork_child() {
    INSIDE.store(0, SeqCst);
    FORKS.store(0, SeqCst);
}
