//! The metrics of a run: names, texts of help, and where each figure is.
//! Generated from packaging/metrics/metrics.tsv by `BLESS=1 cargo test -p packaging --test metrics`.

use super::Metric;
use crate::units::real;

/// What the run has counted.
#[rustfmt::skip]
pub(super) const RUN: [Metric; 8] = [
    Metric { name: "lately_records_total", figure: |run| real(run.read), help: "Records that were read." },
    Metric { name: "lately_bad_records_total", figure: |run| real(run.bad), help: "Records without a readable key or time." },
    Metric { name: "lately_too_late_records_total", figure: |run| real(run.too_late), help: "Records older than the clock by more than the window and the lateness." },
    Metric { name: "lately_stray_records_total", figure: |run| real(run.strays), help: "Records far ahead of the clock that the next record did not confirm." },
    Metric { name: "lately_gaps_total", figure: |run| real(run.gaps), help: "Steps of the clock over a gap that refused records proved to be real." },
    Metric { name: "lately_resets_total", figure: |run| real(run.resets), help: "Times that the filter was emptied because its clock was wrong." },
    Metric { name: "lately_left_early_total", figure: |run| real(run.early), help: "Summaries and held records that came before their time because their part of the memory was full." },
    Metric { name: "lately_written_seconds", figure: |run| real(run.now_ns) / 1e9, help: "When this file was written, in seconds since 1970." },
];
