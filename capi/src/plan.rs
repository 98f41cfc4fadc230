//! Plans in C: what a request comes to, without a filter.

use library::{Filter, PlanSummary};

use crate::boundary::Fault;
use crate::error::{explained, lately_error};
use crate::growing::{Growing, In, Out};
use crate::options::{lately_options, request};
use crate::status::lately_status;

/// The plan for a request, before anything is allocated. Fields that do not apply to a kind are 0, and a rate that
/// nothing fixes is NaN. Set `struct_size` (LATELY_PLAN_RESULT_INIT does); later versions append fields and change none.
#[derive(Clone, Copy)]
#[cfg_attr(feature = "testing", derive(Debug, PartialEq))]
#[repr(C)]
pub struct lately_plan_result {
    /// sizeof(lately_plan_result), set by the caller.
    pub struct_size: usize,
    /// Bytes of the cells at the planned number of keys; 0 when the request names none.
    pub bytes: u64,
    /// Bits per key of the window, margin included.
    pub bits_per_key: f64,
    /// Bits per key (TL, AP), or cells per row (Q) or line (WT).
    pub k: u64,
    /// Full generations in the window.
    pub l: u64,
    /// Fill of a full slice, or of a table (WT).
    pub fill: f64,
    /// Slices in the steady state, k + l; 1 (WT).
    pub slices: u64,
    /// Blocks (TS).
    pub blocks: u64,
    /// Rows (Q), lines (WT), or bits of a slice (AP).
    pub rows: u64,
    /// Keys per chain (TS).
    pub load: f64,
    /// The share of the size that allows for uneven arrivals.
    pub margin: f64,
    /// Rate of false duplicates at the worst instant; TS with `removable`: the mean under endless churn.
    pub error_rate_worst: f64,
    /// Rate of false duplicates averaged over a generation.
    pub error_rate_mean: f64,
    /// Rate of missed duplicates at `window_keys`, of QQHT at most; NaN when that is not given.
    pub miss_rate: f64,
    /// The window in keys, or the keys that fit into `memory`; 0 when the request names neither.
    pub window_keys: u64,
    /// Cache lines that one observation of a new key touches, about.
    pub cache_lines_per_observe: f64,
    /// Bits of a fingerprint (Q, WT).
    pub fingerprint_bits: u64,
    /// Chains of a block (TS).
    pub chains: u64,
    /// Bytes of a block (TS) or line (WT).
    pub block_bytes: u64,
    /// WT with `window_ns`: bits per key at the peak of growth; else `bits_per_key`.
    pub bits_per_key_peak: f64,
}

// SAFETY: size_t, integers and doubles, no padding, any bytes are a value.
unsafe impl Growing for lately_plan_result {
    const NAME: &'static str = "lately_plan_result";
}

#[cfg(target_pointer_width = "64")]
const _: () = assert!(size_of::<lately_plan_result>() == 20 * 8);

impl From<PlanSummary> for lately_plan_result {
    fn from(plan: PlanSummary) -> Self {
        Self {
            struct_size: size_of::<Self>(),
            bytes: plan.bytes,
            bits_per_key: plan.bits_per_key,
            k: plan.k,
            l: plan.l,
            fill: plan.fill,
            slices: plan.slices,
            blocks: plan.blocks,
            rows: plan.rows,
            load: plan.load,
            margin: plan.margin,
            error_rate_worst: plan.error_rate_worst,
            error_rate_mean: plan.error_rate_mean,
            miss_rate: plan.miss_rate,
            window_keys: plan.window_keys,
            cache_lines_per_observe: plan.cache_lines_per_observe,
            fingerprint_bits: plan.fingerprint_bits,
            chains: plan.chains,
            block_bytes: plan.block_bytes,
            bits_per_key_peak: plan.bits_per_key_peak,
        }
    }
}

/// Plans a request: the integers, bytes and rates that follow from it. Builds no filter.
///
/// - `options` (in): not NULL, set up by `lately_options_init`.
/// - `plan` (out): not NULL, with `struct_size` set; written only on LATELY_OK.
/// - `error` (out): the reason of a failure; may be NULL, else with `struct_size` set.
///
/// Status: LATELY_ERR_OPTION, with `error->field`.
/// Cost: a search, up to some milliseconds.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn lately_plan(
    options: In<lately_options>,
    plan: Out<lately_plan_result>,
    error: Out<lately_error>,
) -> lately_status {
    explained(error, || planned(options, plan))
}

fn planned(options: In<lately_options>, plan: Out<lately_plan_result>) -> Result<(), Fault> {
    plan.size()?;
    plan.write(&Filter::plan(&request(options)?)?.into())
}
