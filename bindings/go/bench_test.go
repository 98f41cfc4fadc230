package lately

// What a call costs, compared with an empty C call by the same road: go test -bench .
// (and -unshared for the filters of NewUnshared).

import (
	"fmt"
	"runtime"
	"testing"
	"time"
	"unsafe"
)

const batch = 256

// full returns a filter that knows all keys asked of it, so that the filter's
// own work is small and steady.
func full(b *testing.B, keys [][]byte) *Filter {
	filter := newFilter(b, Options{Kind: TimeLimited, Window: time.Hour, Capacity: 1 << 12, Clock: ManualClock})
	for _, key := range keys {
		must(b, filter.Insert(key))
	}
	return filter
}

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

func BenchmarkEmptyCall(b *testing.B) {
	for b.Loop() {
		abiVersion()
	}
}

// The locks alone.
func BenchmarkLock(b *testing.B) {
	measure(b, func(filter *Filter, _ []byte) error {
		return filter.handle.use(func(cFilter) cStatus { return 0 })
	})
}

// One call per key, by one goroutine and by as many as -cpu says.
func BenchmarkOne(b *testing.B) {
	for name, call := range map[string]func(*Filter, []byte) error{
		"Hash64":   func(_ *Filter, key []byte) error { Hash64(key, 0); return nil },
		"Observe":  func(filter *Filter, key []byte) error { return second(filter.Observe(key)) },
		"AtTick":   func(filter *Filter, key []byte) error { return second(filter.AtTick(1).Observe(key)) },
		"Insert":   (*Filter).Insert,
		"Contains": func(filter *Filter, key []byte) error { return second(filter.Contains(key)) },
	} {
		b.Run(name, func(b *testing.B) { measure(b, call) })
	}
}

func second[T any](_ T, err error) error { return err }

func measure(b *testing.B, call func(*Filter, []byte) error) {
	keys := benchKeys(16)
	filter := full(b, keys)
	b.Run("alone", func(b *testing.B) {
		b.ReportAllocs()
		for i := 0; b.Loop(); i++ {
			must(b, call(filter, keys[i%batch]))
		}
	})
	b.Run("at once", func(b *testing.B) {
		b.RunParallel(func(pb *testing.PB) {
			for i := 0; pb.Next(); i++ {
				if err := call(filter, keys[i%batch]); err != nil {
					b.Error(err)
				}
			}
		})
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

func BenchmarkObserveBatch(b *testing.B) {
	keys := benchKeys(16)
	for _, form := range []string{"keys", "hashes"} {
		filter, all, verdicts := full(b, keys), batchForms[form](keys, none), make([]Verdict, batch)
		b.Run(form, func(b *testing.B) {
			perKey(b, func() error { return second(filter.ObserveBatch(all, nil, verdicts)) })
		})
	}
	filter, all, verdicts := full(b, keys), &Keys{}, make([]Verdict, batch)
	b.Run("keys, filled", func(b *testing.B) {
		perKey(b, func() error {
			all.Reset()
			for _, key := range keys {
				all.Append(key)
			}
			return second(filter.ObserveBatch(all, nil, verdicts))
		})
	})
	for _, length := range []int{16, 40, 1024, longKey} {
		texts := stringsOf(benchKeys(length))
		b.Run(fmt.Sprint("strings of ", length), func(b *testing.B) {
			perKey(b, func() error { return second(filter.ObserveBatch(texts, nil, verdicts)) })
		})
	}
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
