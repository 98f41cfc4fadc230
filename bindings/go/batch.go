package lately

import "fmt"

// ObserveBatch observes all keys in order, in one call of the library. The
// verdicts, of which there must be room for every key, are those of single
// calls. The ticks are nil, or one for each key; without them the clock is read
// once.
//
// It returns how many keys were processed: all of them unless there is an
// error; the verdicts of those before it are valid.
func (f *Filter) ObserveBatch(keys *Keys, ticks []Tick, verdicts []Verdict) (int, error) {
	if err := keys.fit(ticks, &verdicts); err != nil {
		return 0, err
	}
	return f.owned().many(observing, keys.inC(), ticks, verdicts)
}

// InsertBatch inserts all keys in order; see [Filter.ObserveBatch].
func (f *Filter) InsertBatch(keys *Keys, ticks []Tick) (int, error) {
	if err := keys.fit(ticks, nil); err != nil {
		return 0, err
	}
	return f.owned().many(inserting, keys.inC(), ticks, nil)
}

// ContainsBatch asks for all keys and changes nothing; see
// [Filter.ObserveBatch].
func (f *Filter) ContainsBatch(keys *Keys, ticks []Tick, verdicts []Verdict) (int, error) {
	if err := keys.fit(ticks, &verdicts); err != nil {
		return 0, err
	}
	return f.owned().many(containing, keys.inC(), ticks, verdicts)
}

// ObserveHashes is ObserveBatch for hashes that [Filter.Hash] or [Hash64] made.
// A keyed filter takes none.
func (f *Filter) ObserveHashes(hashes []uint64, ticks []Tick, verdicts []Verdict) (int, error) {
	if err := fits(len(hashes), ticks, &verdicts); err != nil {
		return 0, err
	}
	return f.owned().many(observing, hashesInC(hashes), ticks, verdicts)
}

// InsertHashes is InsertBatch for hashes; see [Filter.ObserveHashes].
func (f *Filter) InsertHashes(hashes []uint64, ticks []Tick) (int, error) {
	if err := fits(len(hashes), ticks, nil); err != nil {
		return 0, err
	}
	return f.owned().many(inserting, hashesInC(hashes), ticks, nil)
}

// ContainsHashes is ContainsBatch for hashes; see [Filter.ObserveHashes].
func (f *Filter) ContainsHashes(hashes []uint64, ticks []Tick, verdicts []Verdict) (int, error) {
	if err := fits(len(hashes), ticks, &verdicts); err != nil {
		return 0, err
	}
	return f.owned().many(containing, hashesInC(hashes), ticks, verdicts)
}

// fit reports whether there are keys, and slices that are long enough for them.
func (k *Keys) fit(ticks []Tick, verdicts *[]Verdict) error {
	if k == nil {
		return &Error{Code: ErrNull, Message: "keys is nil: pass a *Keys, which may be empty"}
	}
	return fits(k.Len(), ticks, verdicts)
}

// fits reports whether the slices for n keys are long enough: the library
// sees pointers only.
func fits(n int, ticks []Tick, verdicts *[]Verdict) error {
	if ticks != nil && len(ticks) != n {
		return lengthError("ticks", len(ticks), n)
	}
	if verdicts != nil && len(*verdicts) < n {
		return lengthError("verdicts", len(*verdicts), n)
	}
	return nil
}

func lengthError(what string, have, want int) error {
	return &Error{Code: ErrOffsets, Message: fmt.Sprintf("%s has %d entries for %d keys", what, have, want)}
}
