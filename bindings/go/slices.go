package lately

import (
	"sync"
	"unsafe"
)

// Keys that lie anywhere: Strings and Slices.
//
// C takes an array of pointers and lengths. By cgo's rules each key must be pinned
// for it: runtime.Pinner takes 53 ns a key, and 138 for keys below 16 bytes, which
// share blocks. A copy takes 3 ns for 16 bytes, 4 for 40 and 19 for 1,024 (BenchmarkPin,
// BenchmarkCopy). So keys are copied into a buffer that is used again, some at a
// time, and C reads only long keys in place.

const (
	someBytes = 1 << 15 // of keys that are copied for one call of the library
	someKeys  = 1 << 10
	longKey   = 1 << 12 // from here on one more call costs less than the copy
)

type bytesOrString interface{ []byte | string }

func inParts[K bytesOrString](f *Filter, do work, keys []K, ticks []Tick, verdicts []Verdict) (done int, err error) {
	if err := fits(do, len(keys), ticks, verdicts); err != nil {
		return 0, err
	}
	buffer := buffers.Get().(*Keys)
	defer buffers.Put(buffer)
	for {
		some := buffer
		if take(buffer, keys[done:]); done < len(keys) && buffer.Len() == 0 {
			key := keys[done]
			some = &Keys{whole(&key), []uint64{0, uint64(len(key))}}
		}
		n, err := f.owned().many(do, some.inC(), part(ticks, done, some.Len()), part(verdicts, done, some.Len()))
		if done += n; err != nil || done == len(keys) {
			return done, err
		}
	}
}

// buffers keep their memory from call to call: about 44 KiB each.
var buffers = sync.Pool{New: func() any { return new(Keys) }}

// take copies the first keys: none if the first one is long.
func take[K bytesOrString](buffer *Keys, keys []K) {
	bytes, offsets := buffer.bytes[:0], append(buffer.offsets[:0], 0)
	for _, key := range keys[:min(len(keys), someKeys)] {
		if len(key) >= longKey || len(bytes) >= someBytes {
			break
		}
		bytes = append(bytes, key...)
		offsets = append(offsets, uint64(len(bytes)))
	}
	buffer.bytes, buffer.offsets = bytes, offsets
}

// whole returns the bytes of a key, which must not be written to. A slice begins
// as a string does, with a pointer and a length.
func whole[K bytesOrString](key *K) []byte {
	return view(*(*string)(unsafe.Pointer(key)))
}

// part returns n elements; nil of nil.
func part[T any](all []T, first, n int) []T {
	if all == nil {
		return nil
	}
	return all[first : first+n]
}
