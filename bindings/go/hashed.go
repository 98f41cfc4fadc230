package lately

import (
	"encoding/binary"
)

// ObserveHash is [Filter.Observe] of the key that has this hash, which
// [Filter.Hash] or [Hash64] made. A keyed filter takes none: [ErrUnsupported].
func (f *Filter) ObserveHash(hash uint64) (Verdict, error) {
	return f.hashed(observing, hash, nil)
}

// InsertHash is [Filter.Insert] of the key that has this hash; see
// [Filter.ObserveHash].
func (f *Filter) InsertHash(hash uint64) error {
	_, err := f.hashed(inserting, hash, nil)
	return err
}

// ContainsHash is [Filter.Contains] of the key that has this hash; see
// [Filter.ObserveHash].
func (f *Filter) ContainsHash(hash uint64) (Verdict, error) {
	return f.hashed(containing, hash, nil)
}

// hashed does one key of a hash, a batch of one.
func (f *Filter) hashed(do work, hash uint64, ticks []Tick) (Verdict, error) {
	var verdict [1]Verdict
	_, err := f.owned().many(do, hashesInC([]uint64{hash}), ticks, verdict[:])
	return verdict[0], err
}

// eight are the bytes of a number as a key: the lowest first, on every machine.
func eight(key uint64) (bytes [8]byte) {
	binary.LittleEndian.PutUint64(bytes[:], key)
	return bytes
}

// ObserveUint64 is [Filter.Observe] of a number: of its 8 bytes, the lowest
// first.
func (f *Filter) ObserveUint64(key uint64) (Verdict, error) {
	bytes := eight(key)
	return f.owned().observe(bytes[:], Now)
}

// InsertUint64 is [Filter.Insert] of a number; see [Filter.ObserveUint64].
func (f *Filter) InsertUint64(key uint64) error {
	bytes := eight(key)
	return f.owned().insert(bytes[:], Now)
}

// ContainsUint64 is [Filter.Contains] of a number; see [Filter.ObserveUint64].
func (f *Filter) ContainsUint64(key uint64) (Verdict, error) {
	bytes := eight(key)
	return f.owned().contains(bytes[:], Now)
}
