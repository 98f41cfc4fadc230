package lately

import "time"

// Kind is a kind of filter. The zero Kind is not valid.
type Kind uint32

const (
	// TimeLimited: the window is the last Options.Window of time. A key seen
	// within it is never New.
	TimeLimited Kind = 1
	// AgePartitioned: the window is the last Options.WindowKeys insertions.
	// A key among them is never New.
	AgePartitioned Kind = 2
	// TinySet: a set of Options.Capacity keys, with removal if
	// Options.Removable. A key that is in it is never New.
	TinySet Kind = 3
	// Quotient: fixed memory for an endless stream. False and missed duplicates,
	// at known rates.
	Quotient Kind = 4
	// WindowTable: the window is the last Options.Window of time, or the last
	// Options.WindowKeys observations and insertions. A key within it is never
	// New. It can also tell how long ago a key was seen: [Filter.ObserveAge].
	// [Window] and [Last] ask for it.
	WindowTable Kind = 5
)

// The names of the kinds, by their numbers.
var kinds = []string{"", "TimeLimited", "AgePartitioned", "TinySet", "Quotient", "WindowTable"}

// Clock is the clock that a filter uses.
type Clock uint32

const (
	// SystemClock: the system's monotonic clock, read once per call or batch
	// (default).
	SystemClock Clock = 1
	// ManualClock: the caller, tick by tick, in nanoseconds.
	ManualClock Clock = 2
)

// Repeat is how a repeat is treated.
type Repeat uint32

const (
	// Refresh: every sighting is stored, so age counts from the last one
	// (default).
	Refresh Repeat = 1
	// KeepFirst: only what is new is stored, so age counts from the sighting
	// that was answered New.
	KeepFirst Repeat = 2
)

// OnLimit is what gives way at the memory limit.
type OnLimit uint32

const (
	// ForgetOldest: the window shortens to Stats.Reach (default).
	ForgetOldest OnLimit = 1
	// RaiseErrorRate: the error rate rises to Stats.ErrorRate.
	// TimeLimited only: a WindowTable refuses it.
	RaiseErrorRate OnLimit = 2
)

// Variant is a member of the quotient family.
type Variant uint32

const (
	// QHT: quotient hash table.
	QHT Variant = 1
	// QHTD: the same, storing duplicates.
	QHTD Variant = 2
	// QQHT: queued.
	QQHT Variant = 3
	// QQHTD: queued, storing duplicates (default).
	QQHTD Variant = 4
)

// Options is a request for a filter. Name the kind, set what you know, and
// leave the rest at zero, which is "not given": the plan finds it. A struct
// cannot tell a field that was set to 0 from one that was not: a Memory that
// came to 0, as that of a filter without a limit does, is not refused here, and
// a program that computes it has to look. Above 2^56 it is an error. Nothing is
// clamped: what is out of range, not one of the kind, or contradicts another
// is an [ErrOption] that names the field.
//
// [Window] and [Last] make those of the default for a window.
//
// Kinds: WT window table, TL time-limited, AP age-partitioned, TS TinySet,
// Q quotient.
type Options struct {
	// Kind is required.
	Kind Kind
	// Clock: WT with Window, TL.
	Clock Clock
	// Repeat: WT, TL, AP.
	Repeat Repeat
	// OnLimit: WT with Window (ForgetOldest only), TL.
	OnLimit OnLimit
	// Window is the span of time in which a duplicate must be found: TL,
	// required; WT, this or WindowKeys.
	//
	// A key past the window may still be a Duplicate for up to Window / l (l is
	// in the plan), and, TL, now and then one Window / l longer.
	Window time.Duration
	// WindowKeys is the window in insertions: AP, required unless Memory is
	// given. WT: in observations and insertions, whatever their verdicts. Q: the
	// distance, in keys, to which MissRate applies.
	WindowKeys uint64
	// Capacity is the number of keys expected in the first window: TL, WT with
	// Window (without it the filter finds out). TS: the planned load, required
	// unless Memory is given.
	Capacity uint64
	// ErrorRate is the rate of false duplicates, in (0, 0.5]; 1e-6
	// (Q: 1e-3) where nothing else fixes it.
	ErrorRate float64
	// MissRate is the rate of missed duplicates, in (0, 1): Q.
	MissRate float64
	// Memory is the most bytes that the cells take. Without it a filter with a
	// Window grows with its traffic.
	Memory uint64
	// MaxStep is the most that a tick may lead the filter's clock by: WT and TL
	// with ManualClock. After a longer pause every tick is refused until the
	// caller calls Advance. Without it one record from the far future moves the
	// clock there, and later keys are judged at that time until real time
	// catches up.
	MaxStep time.Duration
	// K is bits per key: TL, AP. Q: cells per row.
	K uint32
	// L is the number of full generations in the window: TL, AP.
	L uint32
	// MaxSlices bounds the search on K + L, 2 to 1024, default 32; it never
	// bounds the live slices: TL, AP.
	MaxSlices uint32
	// Fill is that of a full slice, in [0.1, 0.9]: TL, AP.
	Fill float64
	// Variant: Q.
	Variant Variant
	// FingerprintBits is 1 to 16: Q.
	FingerprintBits uint32
	// SemiSort sorts rows to save bits: Q.
	SemiSort bool
	// Removable: keys can be removed. TS. It costs 2.1 to 6.6 bits a
	// key more, and the error rate of its plan is the mean under endless churn
	// of random keys or the oldest. Keys that never leave raise it, to 1.6 to
	// 5.3 times as much after the others were replaced a hundred times, and more
	// in blocks of 32 bytes; Stats.ErrorRate is the present one.
	Removable bool
	// BlockBytes is 32 or 64 (default): TS.
	BlockBytes uint32
	// Chains is the number of chains in a block: TS.
	Chains uint32
	// Load is keys per chain: TS.
	Load float64
	// Keyed hashes keys under a secret, so that an attacker cannot aim at collisions.
	Keyed bool
	// Seed is that of the hash: filters with the same seed are equal
	// everywhere.
	Seed uint64
	// Secret is that of a keyed filter; the zero Secret is drawn from the
	// operating system.
	Secret Secret
	// AgeBits are the bits of the age of a key, 2 to 5, default 3, with a
	// Lateness 4 or 5: the window (and the lateness) is 2^AgeBits - 1 generations,
	// and a key is forgotten at most one generation late: WT.
	AgeBits uint32
	// Lateness is how late a record may be, 0 to 24/7 of Window: WT with a Window
	// and ManualClock. A record that is at most this far below the clock is judged
	// at its own time: never New if its key was seen within the window before
	// that, or later. It takes the memory of a window that is longer by as much.
	Lateness time.Duration
	// Lease is how long a claim stays open, 1 ns to Window; with WindowKeys up to
	// 365 days, by the system's clock: WT, TL, AP. With it a filter takes claims
	// ([Filter.Claim]) and no hashes.
	Lease time.Duration
	// MaxClaims is the most open claims, 1 to 2^24, default 65,536, of at most 40
	// bytes each within Memory: with Lease.
	MaxClaims uint64
}

// Window returns the options of the default for a window of time: no key seen
// within d is ever [New].
func Window(d time.Duration) Options {
	return Options{Kind: WindowTable, Window: d}
}

// Last returns the options of the default for a window of keys: no key among
// the last n observations and insertions is ever [New].
func Last(n uint64) Options {
	return Options{Kind: WindowTable, WindowKeys: n}
}

// Secret is the 128-bit secret of a keyed filter: [SecretOf] makes one of two
// words. The zero Secret is none. It never prints itself, not even where it lies in
// an unexported field of another package's struct, of which fmt calls no method.
type Secret struct {
	// Behind two pointers: fmt prints the fields of a struct that it finds in an
	// unexported field, and what one pointer leads to if the verb does not fit.
	words **[2]uint64
}

// SecretOf is the secret with these two words, the low one first.
func SecretOf(lo, hi uint64) Secret {
	if lo == 0 && hi == 0 {
		return Secret{}
	}
	words := &[2]uint64{lo, hi}
	return Secret{&words}
}

// Words returns the two words, the low one first: 0 and 0 of the zero Secret.
func (s Secret) Words() (lo, hi uint64) {
	if s.words == nil {
		return 0, 0
	}
	return (*s.words)[0], (*s.words)[1]
}

// IsZero reports whether this is the zero Secret, which is none.
func (s Secret) IsZero() bool { return s.words == nil }

// Equal reports whether two secrets have the same words, in a time that does not
// depend on them. (== compares pointers.)
func (s Secret) Equal(other Secret) bool {
	lo, hi := s.Words()
	otherLo, otherHi := other.Words()
	return lo^otherLo|hi^otherHi == 0
}

// checked finds what the library cannot be told, a negative span of time, and what it cannot name as this package does.
func (o *Options) checked() error {
	if err := o.choices(); err != nil {
		return err
	}
	if o.Window < 0 {
		return optionError("Window", o.Window, "above 0")
	}
	if o.MaxStep < 0 {
		return optionError("MaxStep", o.MaxStep, "at least 0")
	}
	if o.Lateness < 0 {
		return optionError("Lateness", o.Lateness, "at least 0")
	}
	if o.Lease < 0 {
		return optionError("Lease", o.Lease, "above 0")
	}
	return nil
}
