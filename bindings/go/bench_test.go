package lately

// What a call costs, beside an empty C call by the same road: go test -bench .

import (
	"fmt"
	"testing"
	"time"
)

const batch = 256

// full returns a filter that knows all keys asked of it, so that the filter's
// own work is small and steady.
func full(b *testing.B, keys [][]byte) *Filter {
	filter, err := NewFilter(Options{Kind: TimeLimited, Window: time.Hour, Capacity: 1 << 12, Clock: ManualClock})
	if err != nil {
		b.Fatal(err)
	}
	b.Cleanup(func() { filter.Close() })
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
		if _, err := filter.handle.enter(); err != nil {
			b.Fatal(err)
		}
		filter.handle.leave()
	}
}

func BenchmarkHash64(b *testing.B) {
	key := benchKeys()[0]
	b.ReportAllocs()
	for b.Loop() {
		Hash64(key, 0)
	}
}

func BenchmarkObserve(b *testing.B) {
	keys := benchKeys()
	filter := full(b, keys)
	b.ReportAllocs()
	i := 0
	for b.Loop() {
		if _, err := filter.Observe(keys[i%batch]); err != nil {
			b.Fatal(err)
		}
		i++
	}
}
