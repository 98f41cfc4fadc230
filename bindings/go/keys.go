package lately

import "encoding/binary"

// Keys is many keys back to back in one buffer, which is how a batch crosses
// to the library in one call. The zero Keys is empty and ready; Reset keeps
// the memory for the next batch.
type Keys struct {
	bytes []byte
	// ends of the keys, after the start of the first: none, or one more than
	// there are keys.
	offsets []uint64
}

// KeysOf makes Keys of a buffer that exists: key i is the bytes from
// offsets[i] to before offsets[i+1]. Offsets that decrease or leave the bytes
// are an [ErrOffsets] of the batch. Both slices are the Keys' from now on.
func KeysOf(bytes []byte, offsets []uint64) *Keys {
	return &Keys{bytes: bytes, offsets: offsets}
}

// Len returns the number of keys.
func (k *Keys) Len() int {
	if k == nil {
		return 0
	}
	return max(len(k.offsets)-1, 0)
}

// Reset empties the Keys and keeps their memory.
func (k *Keys) Reset() {
	k.bytes, k.offsets = k.bytes[:0], k.offsets[:0]
}

// Append adds a key, whose bytes are copied.
func (k *Keys) Append(key []byte) {
	k.begin()
	k.bytes = append(k.bytes, key...)
	k.end()
}

// AppendString adds the bytes of a string.
func (k *Keys) AppendString(key string) {
	k.begin()
	k.bytes = append(k.bytes, key...)
	k.end()
}

// AppendUint64 adds a number as [Uint64] makes it a key.
func (k *Keys) AppendUint64(key uint64) {
	k.begin()
	k.bytes = binary.LittleEndian.AppendUint64(k.bytes, key)
	k.end()
}

// Uint64 is a number as a key, for the calls on one key: its 8 bytes, the lowest first,
// on every machine. It allocates nothing where it is the argument of a call.
func Uint64(key uint64) []byte {
	bytes := make([]byte, 8)
	binary.LittleEndian.PutUint64(bytes, key)
	return bytes
}

// begin gives the first key its start, and drops bytes past the last key, which
// those of KeysOf may have.
func (k *Keys) begin() {
	if n := len(k.offsets); n > 0 {
		k.bytes = k.bytes[:min(k.offsets[n-1], uint64(len(k.bytes)))]
		return
	}
	k.offsets = append(k.offsets, uint64(len(k.bytes)))
}

func (k *Keys) end() {
	k.offsets = append(k.offsets, uint64(len(k.bytes)))
}
