package lately

// PlanResult is the plan of a request. Fields that a kind does not have are 0, and a
// rate that nothing fixes is NaN.
type PlanResult struct {
	// Bytes of the cells at the planned number of keys; 0 when the request
	// names none.
	Bytes uint64
	// BitsPerKey of the window, margin included.
	BitsPerKey float64
	// K is bits per key (TL, AP), or cells per row (Q) or line (WT).
	K uint64
	// L is full generations in the window.
	L uint64
	// Fill of a full slice, or of a table (WT).
	Fill float64
	// Slices in the steady state, K + L; 1 table (WT).
	Slices uint64
	// Blocks (TS), or groups of lines (WT).
	Blocks uint64
	// Rows (Q), lines (WT), or bits of a slice (AP).
	Rows uint64
	// Load is keys per chain (TS).
	Load float64
	// Margin is the share of the size that allows for uneven arrivals.
	Margin float64
	// ErrorRateWorst is the rate of false duplicates at the worst instant.
	ErrorRateWorst float64
	// ErrorRateMean is the same, averaged over a generation.
	ErrorRateMean float64
	// MissRate is the rate of missed duplicates at WindowKeys; NaN when that
	// is not given.
	MissRate float64
	// WindowKeys is the window in keys, or the keys that fit into Memory; 0
	// when the request names neither.
	WindowKeys uint64
	// CacheLinesPerObserve that an observation of a new key touches, about.
	CacheLinesPerObserve float64
	// FingerprintBits (Q, WT).
	FingerprintBits uint64
	// Chains of a block (TS).
	Chains uint64
	// BlockBytes of a block (TS) or line (WT).
	BlockBytes uint64
	// BitsPerKeyPeak is the bits per key of the window at the peak of growth:
	// while the first window's keys come at a steady rate from nothing, with no
	// Capacity given (WT with Window). Of all others BitsPerKey.
	BitsPerKeyPeak float64
}

// Plan returns the plan of a request; nothing is built.
func Plan(o Options) (PlanResult, error) {
	if err := o.ready(); err != nil {
		return PlanResult{}, err
	}
	return plan(&o)
}

// ready reports whether the library fits the header of this package.
func (o *Options) ready() error {
	if libraryError != nil {
		return libraryError
	}
	return o.checked()
}
