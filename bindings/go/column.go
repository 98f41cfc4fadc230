package lately

import "fmt"

// Column is many keys in the layout of Apache Arrow's binary and string arrays,
// which the library reads in place: key i is the bytes from offset i up to
// offset i+1. Of an array a of arrow-go, a *array.String or *array.Binary:
//
//	keys := lately.Column{
//		Bytes:          a.Data().Buffers()[2].Bytes(),
//		Offsets32:      a.ValueOffsets(),
//		Validity:       a.NullBitmapBytes(),
//		ValidityOffset: a.Data().Offset(),
//	}
type Column struct {
	// Bytes is the buffer of values.
	Bytes []byte
	// Offsets32 and Offsets64 are one more than there are keys: not below 0, not
	// decreasing, none beyond Bytes. The first need not be 0. Give one of the two.
	Offsets32 []int32
	Offsets64 []int64
	// Validity is the bitmap of the keys that are present, the lowest bit of a
	// byte first; nil if all are.
	Validity []byte
	// ValidityOffset is the bit of the first key, where there is a bitmap.
	ValidityOffset int
}

// Len returns the number of keys.
func (c *Column) Len() int {
	if c == nil {
		return 0
	}
	return max(len(c.Offsets32)-1, len(c.Offsets64)-1, 0)
}

// ObserveColumn is [Filter.ObserveBatch] for a column, and copies nothing. The
// verdict of an absent key is [AbsentKey]; it is not observed, its tick is ignored,
// and it counts as processed.
func (f *Filter) ObserveColumn(keys *Column, ticks []Tick, verdicts []Verdict) (int, error) {
	if err := keys.fit(ticks, &verdicts); err != nil {
		return 0, err
	}
	return f.owned().many(observing, keys.inC(), ticks, verdicts)
}

// InsertColumn is [Filter.InsertBatch] for a column; see [Filter.ObserveColumn].
func (f *Filter) InsertColumn(keys *Column, ticks []Tick) (int, error) {
	if err := keys.fit(ticks, nil); err != nil {
		return 0, err
	}
	return f.owned().many(inserting, keys.inC(), ticks, nil)
}

// ContainsColumn is [Filter.ContainsBatch] for a column; see
// [Filter.ObserveColumn].
func (f *Filter) ContainsColumn(keys *Column, ticks []Tick, verdicts []Verdict) (int, error) {
	if err := keys.fit(ticks, &verdicts); err != nil {
		return 0, err
	}
	return f.owned().many(containing, keys.inC(), ticks, verdicts)
}

// fit reports whether there is a column, whose bitmap has a bit for each key, and
// slices that are long enough for it.
func (c *Column) fit(ticks []Tick, verdicts *[]Verdict) error {
	if c == nil {
		return &Error{Code: ErrNull, Message: "keys is nil: pass a *Column, which may be empty"}
	}
	if c.Offsets32 != nil && c.Offsets64 != nil {
		return columnError("Offsets32: cannot be combined with Offsets64")
	}
	spare := 8*len(c.Validity) - c.Len()
	switch {
	case c.ValidityOffset < 0:
		return columnError(outOfRange("ValidityOffset", c.ValidityOffset, "at least 0"))
	case c.Validity != nil && spare < 0:
		return columnError(fmt.Sprintf("Validity has %d bits for %d keys", 8*len(c.Validity), c.Len()))
	case c.Validity != nil && c.ValidityOffset > spare:
		return columnError(outOfRange("ValidityOffset", c.ValidityOffset, fmt.Sprintf("0 to %d with %d keys", spare, c.Len())))
	}
	return fits(c.Len(), ticks, verdicts)
}

func columnError(message string) error {
	return &Error{Code: ErrOffsets, Message: message}
}
