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
	// <options>
	// All kinds, required: which kind of filter.
	Kind Kind
	// WT with Window, TL: which clock is used; default: the system's.
	Clock Clock
	// WT, TL, AP: how a repeat is treated; default: it renews the age of its key.
	Repeat Repeat
	// WT with Window, TL: what gives way at Memory; default: the oldest keys, and a WT takes nothing else.
	OnLimit OnLimit
	// TL, required: the window. WT: this or WindowKeys, and not both. A key past the window may still be a Duplicate for
	// one generation (TL, AP: Window / l, of which the plan has l), and now and then, TL, for one more.
	Window time.Duration
	// WT: the window in observations and insertions, whatever their verdicts. AP, required unless Memory is given: the
	// window in insertions. Q: the distance, in keys, to which MissRate applies.
	WindowKeys uint64
	// WT with Window, TL: keys expected in the first window; without it the filter finds out. TS, required unless Memory
	// is given: planned load.
	Capacity uint64
	// All kinds: rate of false duplicates, in (0, 0.5]; default 1e-6 (Q: 1e-3) where nothing else fixes it.
	ErrorRate float64
	// Q: rate of missed duplicates, in (0, 1).
	MissRate float64
	// All kinds: the most bytes that the cells and the table of claims take, up to 2^56: more, such as -1, is an error.
	// Without it a filter with a window of time grows with its traffic.
	Memory uint64
	// WT and TL, with a manual clock: the most that a tick may lead the filter's clock by. After a longer pause every tick
	// is refused until the caller calls Advance. Without it one record from the far future moves the clock there, and
	// later keys are judged at that time until real time catches up.
	MaxStep time.Duration
	// TL, AP: bits per key. Q: cells per row.
	K uint32
	// TL, AP: full generations in the window. TL, with fewer than K: the first two windows of a stream can be above
	// ErrorRate, with 1 later ones too; no plan chooses that.
	L uint32
	// TL, AP: bound of the search on K + L, 2 to 1024, default 32; live slices can be more.
	MaxSlices uint32
	// TL, AP: fill of a full slice, in [0.1, 0.9].
	Fill float64
	// Q: the member of the family; default: the queued one that stores duplicates.
	Variant Variant
	// Q: bits of a fingerprint, 1 to 16.
	FingerprintBits uint32
	// Q: whether rows are sorted to save bits.
	SemiSort bool
	// TS: whether keys can be removed. Then the plan is for endless churn: at the planned load the mean rate stays within
	// ErrorRate, as keys leave by chance or the oldest first, for 2.1 to 6.6 bits more per key (1e-2 to 1e-6). Keys that
	// never leave raise the rate: Stats.ErrorRate is the current one, and docs/reference/costs.md has the law.
	Removable bool
	// TS: bytes of a block, 32 or 64 (default).
	BlockBytes uint32
	// TS: chains of a block.
	Chains uint32
	// TS: keys per chain.
	Load float64
	// All kinds: whether keys are hashed under a secret, so that no one can aim at collisions.
	Keyed bool
	// All kinds: seed of the hash, default 0: filters with the same seed are equal everywhere.
	Seed uint64
	// All kinds, with Keyed: the secret; without it one is drawn from the operating system. The zero Secret is none.
	Secret Secret
	// WT: bits of the age of a key, 2 to 5, default 3, with Lateness 4 or 5. The window (and the lateness) is
	// 2^AgeBits - 1 generations, and a key is found one generation too long at most.
	AgeBits uint32
	// WT with Window and a manual clock: how late a record may be, 0 to 24/7 of Window. A record that is at most this far
	// below the clock is judged at its own time: never New if its key was seen within the window before that, or later. It
	// takes the memory of a window that is longer by as much.
	Lateness time.Duration
	// WT, TL, AP: how long a claim stays open, 1 to the window. With WindowKeys it is up to 365 days, by the system's
	// clock. A filter without a lease takes no claims, one with it no hashes. [Filter.Claim] takes one.
	Lease time.Duration
	// WT, TL, AP, with Lease: the most open claims, 1 to 2^24, default 65,536. They take at most 40 bytes each, from the
	// start and within Memory.
	MaxClaims uint64
	// </options>
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
	spans := [...]struct {
		field  string
		span   time.Duration
		bounds string
	}{
		// <spans>
		{"Window", o.Window, "above 0"},
		{"MaxStep", o.MaxStep, "at least 0"},
		{"Lateness", o.Lateness, "at least 0"},
		{"Lease", o.Lease, "above 0"},
		// </spans>
	}
	for _, of := range spans {
		if of.span < 0 {
			return optionError(of.field, of.span, of.bounds)
		}
	}
	return nil
}
