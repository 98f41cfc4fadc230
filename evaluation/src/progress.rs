//! How far a run is, on a terminal only.

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};

/// A bar of units of work; hidden when standard error is no terminal.
#[derive(Debug, Clone)]
pub(crate) struct Progress(ProgressBar);

impl Progress {
    /// A bar with a name, drawn at most a few times a second.
    pub(crate) fn new(name: &str) -> Self {
        let bar = ProgressBar::with_draw_target(Some(0), ProgressDrawTarget::stderr_with_hz(5));
        let style = ProgressStyle::with_template("{msg} {bar:30} {pos}/{len} runs, {elapsed}, {eta} left");
        bar.set_style(style.unwrap_or_else(|_| ProgressStyle::default_bar()));
        bar.set_message(name.to_owned());
        Self(bar)
    }

    /// Never drawn: for tests.
    #[cfg(test)]
    pub(crate) fn hidden() -> Self {
        Self(ProgressBar::hidden())
    }

    pub(crate) fn expect(&self, units: u64) {
        self.0.inc_length(units);
    }

    pub(crate) fn done(&self) {
        self.0.inc(1);
    }

    /// Takes the bar away.
    pub(crate) fn end(&self) {
        self.0.finish_and_clear();
    }
}
