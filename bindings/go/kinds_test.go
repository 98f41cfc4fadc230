package lately

// The options of the files that every language reads.

import (
	"strconv"
	"strings"
	"testing"
	"time"
)

// setters says in Go what the files of tests/vectors say as OPTION=NUMBER.
var setters = map[string]func(*Options, uint64, float64){
	// <options>
	"kind":             func(o *Options, n uint64, _ float64) { o.Kind = Kind(n) },
	"clock":            func(o *Options, n uint64, _ float64) { o.Clock = Clock(n) },
	"repeat":           func(o *Options, n uint64, _ float64) { o.Repeat = Repeat(n) },
	"on_limit":         func(o *Options, n uint64, _ float64) { o.OnLimit = OnLimit(n) },
	"window_ns":        func(o *Options, n uint64, _ float64) { o.Window = time.Duration(n) },
	"window_keys":      func(o *Options, n uint64, _ float64) { o.WindowKeys = n },
	"capacity":         func(o *Options, n uint64, _ float64) { o.Capacity = n },
	"error_rate":       func(o *Options, _ uint64, x float64) { o.ErrorRate = x },
	"miss_rate":        func(o *Options, _ uint64, x float64) { o.MissRate = x },
	"memory":           func(o *Options, n uint64, _ float64) { o.Memory = n },
	"max_step_ns":      func(o *Options, n uint64, _ float64) { o.MaxStep = time.Duration(n) },
	"k":                func(o *Options, n uint64, _ float64) { o.K = uint32(n) },
	"l":                func(o *Options, n uint64, _ float64) { o.L = uint32(n) },
	"max_slices":       func(o *Options, n uint64, _ float64) { o.MaxSlices = uint32(n) },
	"fill":             func(o *Options, _ uint64, x float64) { o.Fill = x },
	"variant":          func(o *Options, n uint64, _ float64) { o.Variant = Variant(n) },
	"fingerprint_bits": func(o *Options, n uint64, _ float64) { o.FingerprintBits = uint32(n) },
	"semi_sort":        func(o *Options, n uint64, _ float64) { o.SemiSort = n == 1 },
	"removable":        func(o *Options, n uint64, _ float64) { o.Removable = n == 1 },
	"block_bytes":      func(o *Options, n uint64, _ float64) { o.BlockBytes = uint32(n) },
	"chains":           func(o *Options, n uint64, _ float64) { o.Chains = uint32(n) },
	"load":             func(o *Options, _ uint64, x float64) { o.Load = x },
	"keyed":            func(o *Options, n uint64, _ float64) { o.Keyed = n == 1 },
	"seed":             func(o *Options, n uint64, _ float64) { o.Seed = n },
	"secret_lo":        func(o *Options, n uint64, _ float64) { _, hi := o.Secret.Words(); o.Secret = SecretOf(n, hi) },
	"secret_hi":        func(o *Options, n uint64, _ float64) { lo, _ := o.Secret.Words(); o.Secret = SecretOf(lo, n) },
	"age_bits":         func(o *Options, n uint64, _ float64) { o.AgeBits = uint32(n) },
	"lateness_ns":      func(o *Options, n uint64, _ float64) { o.Lateness = time.Duration(n) },
	"lease_ns":         func(o *Options, n uint64, _ float64) { o.Lease = time.Duration(n) },
	"max_claims":       func(o *Options, n uint64, _ float64) { o.MaxClaims = n },
	// </options>
}

// optionsOf is the request of the words OPTION=NUMBER.
func optionsOf(t *testing.T, words []string) (o Options) {
	t.Helper()
	for _, word := range words {
		name, value, _ := strings.Cut(word, "=")
		set, known := setters[name]
		if !known {
			t.Fatalf("no option %q", name)
		}
		number, _ := strconv.ParseUint(value, 10, 64)
		fraction, err := strconv.ParseFloat(value, 64)
		must(t, err)
		set(&o, number, fraction)
	}
	return o
}
