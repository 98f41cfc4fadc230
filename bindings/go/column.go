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

// fit reports whether there is a column, whose bitmap has a bit for each key.
func (c *Column) fit() error {
	if c == nil {
		return nilKeys("*Column")
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
	return nil
}

func columnError(message string) error {
	return &Error{Code: ErrOffsets, Message: message}
}
