package lately

import "time"

// Filter is a duplicate filter. One of [NewFilter] is for any number of
// goroutines at once: if several observe one new key concurrently, exactly one
// gets [New]. One of [NewUnshared] lets one goroutine in at a time, and the
// others wait.
//
// Close may be called at any time from any goroutine: it waits for the calls
// that run. Every later call returns [ErrClosed], as does every call on a zero
// Filter and on a nil *Filter.
// A copy of a Filter value is the same filter; [Filter.Clone] makes another.
//
// Calls read [SystemClock], or use a [ManualClock] as it is. [Filter.At] and
// [Filter.AtTick] make calls at the time of a record, and [Filter.By] makes calls by a clock
// of the program.
type Filter struct {
	handle *handle
	now    func() time.Time // of [Filter.By]
}

// NewFilter builds the filter that the options ask for, for any number of
// goroutines at once.
func NewFilter(o Options) (*Filter, error) {
	return made(&o, true)
}

// NewUnshared is [NewFilter] for one goroutine at a time: calls of others are safe,
// and wait. It saves the locks, usually 8 to 40 KiB, and some time per call.
func NewUnshared(o Options) (*Filter, error) {
	return made(&o, false)
}

func made(o *Options, shared bool) (*Filter, error) {
	if err := o.ready(); err != nil {
		return nil, err
	}
	filter, err := build(o, shared)
	return owner(filter, shared, err)
}

// owner makes a Filter of a filter of the library that it then owns.
func owner(filter cFilter, shared bool, err error) (*Filter, error) {
	if err != nil {
		return nil, err
	}
	return &Filter{handle: hold(filter, shared)}, nil
}

// owned is the handle for a call. A nil or zero Filter has none, so that every call on it is
// an [ErrClosed].
func (f *Filter) owned() *handle {
	if f == nil || f.now != nil {
		return f.moved()
	}
	return f.handle
}

// held is the handle, without moving the clock of [Filter.By].
func (f *Filter) held() *handle {
	if f == nil {
		return nil
	}
	return f.handle
}

// Close frees the filter and its memory at once, after the calls that other
// goroutines may be in; of a filter that was shared with [Filter.Share] the
// last Close frees. It may be called any number of times and never fails.
func (f *Filter) Close() error {
	f.held().close()
	return nil
}

// Clear empties the filter and forgets clock and counters; options, seed and
// secret stay.
func (f *Filter) Clear() error {
	return f.owned().clear()
}

// Clone makes a second filter that is equal in everything: content, clock,
// counters, seed and secret, and shared or unshared as this one is. It has its
// own Close.
func (f *Filter) Clone() (*Filter, error) {
	clone, err := f.owned().clone()
	return f.alike(owner(clone, f.held().shared(), err))
}

// Share returns one more owner of the same filter, with its own Close; the
// last Close frees the memory. Use it if parts of a program stop using the
// filter at different times. Goroutines that end together do not need it and use one *Filter. For a
// filter of [NewUnshared] it returns [ErrUnsupported].
func (f *Filter) Share() (*Filter, error) {
	held, err := f.held().retain()
	return f.alike(owner(held, true, err))
}

// alike gives another filter the clock of this one.
func (f *Filter) alike(other *Filter, err error) (*Filter, error) {
	if err == nil {
		other.now = f.now
	}
	return other, err
}

// Options returns the options that make a filter like this one, with what its plan
// chose: K, Fill, ErrorRate and so on. No secret is among them.
func (f *Filter) Options() (Options, error) {
	return f.owned().options()
}

// Expect is nil if the options would make a filter like this one, whatever is in it
// and whatever its secret. Else it is an [ErrOptionsDiffer], and Error.Field the
// first option that differs.
func (f *Filter) Expect(o Options) error {
	return f.owned().expect(&o)
}

// Stats returns the statistics of the filter. Its cost is O(slices).
func (f *Filter) Stats() (Stats, error) {
	return f.owned().stats()
}

// StatsReset sets the counters of verdicts and of late and refused ticks to 0.
func (f *Filter) StatsReset() error {
	return f.owned().statsReset()
}

// Hash returns the hash of the key in every unkeyed filter with
// this one's seed. For a keyed filter it returns [ErrUnsupported].
func (f *Filter) Hash(key []byte) (uint64, error) {
	return f.owned().hash(key)
}

// Secret returns the secret of a keyed filter, given or drawn. Keep it as you
// would a password. For an unkeyed filter it returns [ErrUnsupported].
func (f *Filter) Secret() (Secret, error) {
	return f.owned().secret()
}
