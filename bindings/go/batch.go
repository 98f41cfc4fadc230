package lately

import (
	"fmt"
	"unsafe"
)

// Batch is many keys for one call of the library: *[Keys], back to back in a buffer;
// [Strings] and [Slices], wherever they lie; *[Column], in Arrow's layout; [Uint64s];
// or [Hashes].
type Batch interface {
	batch() // these alone: one call of Go's has a way to C for each
}

// Strings are the bytes of strings as keys; see [Slices].
type Strings []string

// Slices are keys that lie anywhere; a nil one is an empty key. They go to the library
// some at a time, each time with one reading of the clock.
type Slices [][]byte

// Uint64s are numbers as keys, as [Uint64] makes them. Nothing is copied.
type Uint64s []uint64

// Hashes are keys that [Filter.Hash] or [Hash64] hashed. A keyed filter takes none, and
// neither does one with Options.Lease.
type Hashes []uint64

func (*Keys) batch()   {}
func (*Column) batch() {}
func (Strings) batch() {}
func (Slices) batch()  {}
func (Uint64s) batch() {}
func (Hashes) batch()  {}

// ObserveBatch observes all keys in order, in one call of the library. The
// verdicts, of which there must be room for every key, are those of single
// calls. The ticks are nil, or one for each key; without them the clock is read
// once.
//
// It returns how many keys were processed: all of them unless there is an
// error; the verdicts of those before it are valid.
//
// The verdict of a key that a [Column] lacks is [AbsentKey]; it is not observed, its
// tick is ignored, and it counts as processed.
func (f *Filter) ObserveBatch(keys Batch, ticks []Tick, verdicts []Verdict) (int, error) {
	return f.batch(observing, keys, ticks, verdicts)
}

// InsertBatch inserts all keys in order; see [Filter.ObserveBatch].
func (f *Filter) InsertBatch(keys Batch, ticks []Tick) (int, error) {
	return f.batch(inserting, keys, ticks, nil)
}

// ContainsBatch asks for all keys and changes nothing; see
// [Filter.ObserveBatch].
func (f *Filter) ContainsBatch(keys Batch, ticks []Tick, verdicts []Verdict) (int, error) {
	return f.batch(containing, keys, ticks, verdicts)
}

// RemoveBatch forgets all keys in order, as [Filter.Remove] would one by one, and puts
// into removed, which must have room for every key, whether it was there: a key that is
// given twice was there once, and one that a [Column] lacks was not. The ticks are nil,
// or one for each key, at which [Moment.Remove] would judge it; they do not move the
// clock. It returns as [Filter.ObserveBatch] does, and [ErrUnsupported] for a filter that
// cannot remove.
func (f *Filter) RemoveBatch(keys Batch, ticks []Tick, removed []bool) (int, error) {
	return f.batch(removing, keys, ticks, asVerdicts(removed))
}

// asVerdicts is the memory of bools, each of which is a byte.
func asVerdicts(flags []bool) []Verdict {
	return unsafe.Slice((*Verdict)(unsafe.Pointer(unsafe.SliceData(flags))), len(flags))
}

// batch does a batch of any form.
func (f *Filter) batch(do work, keys Batch, ticks []Tick, verdicts []Verdict) (int, error) {
	var in cKeys
	switch keys := keys.(type) {
	case Strings:
		return inParts(f, do, []string(keys), ticks, verdicts)
	case Slices:
		return inParts(f, do, [][]byte(keys), ticks, verdicts)
	case Uint64s:
		in = numbersInC(keys)
	case Hashes:
		in = hashesInC(keys)
	case *Column:
		if err := keys.fit(); err != nil {
			return 0, err
		}
		in = keys.inC()
	case *Keys:
		if keys == nil {
			return 0, nilKeys("*Keys")
		}
		in = keys.inC()
	default:
		return 0, nilKeys("Batch")
	}
	if err := fits(do, in.count, ticks, verdicts); err != nil {
		return 0, err
	}
	return f.owned().many(do, in, ticks, verdicts)
}

func nilKeys(of string) error {
	return &Error{Code: ErrNull, Message: "keys is nil: pass a " + of + ", which may be empty"}
}

// fits reports whether the slices for n keys are long enough: the library
// sees pointers only.
func fits(do work, n int, ticks []Tick, verdicts []Verdict) error {
	if ticks != nil && len(ticks) != n {
		return lengthError("ticks", len(ticks), n)
	}
	if do != inserting && len(verdicts) < n {
		out := "verdicts"
		if do == removing {
			out = "removed"
		}
		return lengthError(out, len(verdicts), n)
	}
	return nil
}

func lengthError(what string, have, want int) error {
	return &Error{Code: ErrOffsets, Message: fmt.Sprintf("%s has %d entries for %d keys", what, have, want)}
}
