//! What a run keeps and tells of itself: the state, the metrics, the report, and what it could not keep.

use super::{Run, wall_clock};
use crate::exit::Exit;
use crate::judge::Counts;
use crate::metrics::Run as Figures;
use crate::report::Report;
use crate::state::{Kept, State};
use crate::top::Counted;
use crate::waiting::Waiting;

impl Run {
    /// Saves the state, if all that was judged got out: no record is left out.
    pub(super) fn save(&mut self) -> Result<(), Exit> {
        if self.lost {
            return Ok(());
        }
        let (kept, state) = self.kept();
        state.map_or(Ok(()), |state| state.save(&kept))
    }

    /// The same during the run, when a failure is reported and does not end it.
    pub(super) fn save_on_the_way(&mut self) {
        let lost = self.lost;
        let (kept, state) = self.kept();
        let said = state.filter(|_| !lost).and_then(|state| state.save_on_the_way(&kept));
        said.into_iter().for_each(|said| self.notes.say(said));
    }

    fn kept(&mut self) -> (Kept<'_>, Option<&mut State>) {
        let kept = Kept { filter: &self.judge.filter, far: self.judge.far(), waiting: self.waiting.as_ref() };
        (kept, self.state.as_mut())
    }

    pub(super) fn write_metrics(&mut self) -> Result<(), Exit> {
        let figures = Figures::new(self.read, self.notes.bad, self.counts(), wall_clock().unwrap_or(0));
        let Some(metrics) = &mut self.metrics else { return Ok(()) };
        metrics.write(self.judge.stats().0, &self.asked, &figures)
    }

    /// The same on the way, where a failure is reported once and does not end the run.
    pub(super) fn write_metrics_on_the_way(&mut self) {
        let written = self.write_metrics();
        let said = self.metrics.as_mut().and_then(|metrics| metrics.news(written));
        said.into_iter().for_each(|said| self.notes.say(said));
    }

    /// Says which promise of the filter is broken, when that begins.
    pub(super) fn tell_broken(&mut self, is_pause: bool) {
        let Some((stats, worst)) = self.judge.news(is_pause) else { return };
        if let Some(what) = self.promises.news(&self.asked, &stats, worst) {
            self.notes.at(self.line, what);
        }
    }

    pub(crate) fn report(&mut self) -> Report {
        let (counts, took) = (self.counts(), self.began.elapsed());
        Report::new(self.read, self.notes.bad, counts, self.judge.stats(), self.asked, took)
    }

    fn counts(&self) -> Counts {
        let (failed, waiting) =
            (self.jobs.as_ref().map(|jobs| jobs.failed), self.waiting.as_ref().map(Waiting::figures));
        Counts { failed, waiting, ..self.judge.counts() }
    }

    pub(crate) fn top(&self, n: u64) -> Vec<Counted> {
        self.top.iter().flat_map(|top| top.first(usize::try_from(n).unwrap_or(usize::MAX))).collect()
    }
}
