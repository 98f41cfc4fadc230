package lately

// Measurements behind two decisions: locks, and copies of keys. benches/bindings measures the calls.

import (
	"fmt"
	"runtime"
	"testing"
	"unsafe"
)

const batch = 256

// benchKeys are keys of a length.
func benchKeys(length int) [][]byte {
	keys := make([][]byte, batch)
	for i := range keys {
		keys[i] = fmt.Appendf(nil, "%0*d", length, i)
	}
	return keys
}

func must(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// The locks alone, taken by as many goroutines at once as -cpu says.
func BenchmarkLock(b *testing.B) {
	filter := newFilter(b, small)
	b.RunParallel(func(pb *testing.PB) {
		for pb.Next() {
			if err := filter.handle.use(func(cFilter) cStatus { return 0 }); err != nil {
				b.Error(err)
			}
		}
	})
}

// perKey measures a call with 256 keys, told per key.
func perKey(b *testing.B, call func() error) {
	b.ReportAllocs()
	for b.Loop() {
		must(b, call())
	}
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/batch, "ns/key")
}

// What a key costs before it is in the library, in either way that cgo allows:
// batches of Strings copy.
func BenchmarkCopy(b *testing.B) {
	buffer := &Keys{}
	ofLengths(b, func(keys []string) {
		for done := 0; done < len(keys); done += buffer.Len() {
			take(buffer, keys[done:])
		}
	})
}

func BenchmarkPin(b *testing.B) {
	ofLengths(b, func(keys []string) {
		var pinner runtime.Pinner
		for _, key := range keys {
			pinner.Pin(unsafe.StringData(key))
		}
		pinner.Unpin()
	})
}

func ofLengths(b *testing.B, pass func([]string)) {
	for _, length := range []int{8, 16, 40, 1024, longKey - 1} {
		keys := stringsOf(benchKeys(length))
		b.Run(fmt.Sprint(length), func(b *testing.B) {
			perKey(b, func() error { pass(keys); return nil })
		})
	}
}
