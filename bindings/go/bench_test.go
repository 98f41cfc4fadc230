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
	filter, err := construct(Options{Kind: TimeLimited, Window: time.Hour, Capacity: 1 << 12, Clock: ManualClock})
	if err != nil {
		b.Fatal(err)
	}
	b.Cleanup(func() { filter.Close() })
	must(b, filter.AtTick(0).Advance())
	for _, key := range keys {
		must(b, filter.Insert(key))
	}
	return filter
}

func benchKeys() [][]byte {
	keys := make([][]byte, batch)
	for i := range keys {
		keys[i] = fmt.Appendf(nil, "key-%012d", i)
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
	b.ReportAllocs()
	for b.Loop() {
		abiVersion()
	}
}

func BenchmarkLock(b *testing.B) {
	filter := full(b, nil)
	b.ReportAllocs()
	for b.Loop() {
		if err := filter.handle.use(func(cFilter) cStatus { return 0 }); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkHash64(b *testing.B) {
	key := benchKeys()[0]
	b.ReportAllocs()
	for b.Loop() {
		Hash64(key, 0)
	}
}

// single measures one call per key.
func single(b *testing.B, call func(*Filter, []byte) error) {
	keys := benchKeys()
	filter := full(b, keys)
	b.ReportAllocs()
	i := 0
	for b.Loop() {
		if err := call(filter, keys[i%batch]); err != nil {
			b.Fatal(err)
		}
		i++
	}
}

func BenchmarkObserve(b *testing.B) {
	single(b, func(filter *Filter, key []byte) error {
		_, err := filter.Observe(key)
		return err
	})
}

// What a call costs when as many goroutines as -cpu says make it at once.
func BenchmarkObserveAtOnce(b *testing.B) {
	keys := benchKeys()
	filter := full(b, keys)
	b.RunParallel(func(pb *testing.PB) {
		for i := 0; pb.Next(); i++ {
			if _, err := filter.Observe(keys[i%batch]); err != nil {
				b.Error(err)
			}
		}
	})
}

// The doors alone, likewise.
func BenchmarkLockAtOnce(b *testing.B) {
	filter := full(b, nil)
	b.RunParallel(func(pb *testing.PB) {
		for pb.Next() {
			if err := filter.handle.use(func(cFilter) cStatus { return 0 }); err != nil {
				b.Error(err)
			}
		}
	})
}

func BenchmarkObserveTick(b *testing.B) {
	single(b, func(filter *Filter, key []byte) error {
		_, err := filter.AtTick(1).Observe(key)
		return err
	})
}

func BenchmarkInsert(b *testing.B) {
	single(b, (*Filter).Insert)
}

func BenchmarkContains(b *testing.B) {
	single(b, func(filter *Filter, key []byte) error {
		_, err := filter.Contains(key)
		return err
	})
}

// batched measures a call of 256 keys, told per key.
func batched(b *testing.B, call func(*Filter, *Keys, []uint64, []Verdict) error) {
	keys := benchKeys()
	filter, all, verdicts := full(b, keys), packed(keys), make([]Verdict, batch)
	var hashes []uint64
	for _, key := range keys {
		hashes = append(hashes, Hash64(key, 0))
	}
	b.ReportAllocs()
	for b.Loop() {
		if err := call(filter, all, hashes, verdicts); err != nil {
			b.Fatal(err)
		}
	}
	perKey(b)
}

func BenchmarkObserveBatch(b *testing.B) {
	batched(b, func(filter *Filter, keys *Keys, _ []uint64, verdicts []Verdict) error {
		_, err := filter.ObserveBatch(keys, nil, verdicts)
		return err
	})
}

func BenchmarkObserveHashes(b *testing.B) {
	batched(b, func(filter *Filter, _ *Keys, hashes []uint64, verdicts []Verdict) error {
		_, err := filter.ObserveBatch(Hashes(hashes), nil, verdicts)
		return err
	})
}

func BenchmarkFillAndObserveBatch(b *testing.B) {
	source := benchKeys()
	batched(b, func(filter *Filter, keys *Keys, _ []uint64, verdicts []Verdict) error {
		keys.Reset()
		for _, key := range source {
			keys.Append(key)
		}
		_, err := filter.ObserveBatch(keys, nil, verdicts)
		return err
	})
}

// perKey tells what a call of 256 keys took for each.
func perKey(b *testing.B) {
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/batch, "ns/key")
}

// benchTexts are keys of a length.
func benchTexts(length int) []string {
	texts := make([]string, batch)
	for i := range texts {
		texts[i] = fmt.Sprintf("%0*d", length, i)
	}
	return texts
}

func BenchmarkObserveStrings(b *testing.B) {
	for _, length := range []int{16, 40, 1024, longKey} {
		b.Run(fmt.Sprint(length), func(b *testing.B) {
			filter, keys, verdicts := full(b, nil), benchTexts(length), make([]Verdict, batch)
			b.ReportAllocs()
			for b.Loop() {
				if _, err := filter.ObserveBatch(Strings(keys), nil, verdicts); err != nil {
					b.Fatal(err)
				}
			}
			perKey(b)
		})
	}
}

// What a key costs before it is in the library, in either way that cgo allows:
// ObserveStrings copies.
func BenchmarkCopy(b *testing.B) {
	for _, length := range []int{8, 16, 40, 1024, longKey - 1} {
		b.Run(fmt.Sprint(length), func(b *testing.B) {
			keys, buffer := benchTexts(length), &Keys{}
			for b.Loop() {
				for done := 0; done < len(keys); done += buffer.Len() {
					take(buffer, keys[done:])
				}
			}
			perKey(b)
		})
	}
}

func BenchmarkPin(b *testing.B) {
	for _, length := range []int{8, 16, 40, 1024, longKey - 1} {
		b.Run(fmt.Sprint(length), func(b *testing.B) {
			keys := benchTexts(length)
			for b.Loop() {
				var pinner runtime.Pinner
				for _, key := range keys {
					pinner.Pin(unsafe.StringData(key))
				}
				pinner.Unpin()
			}
			perKey(b)
		})
	}
}
