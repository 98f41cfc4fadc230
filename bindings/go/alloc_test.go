//go:build !lately_gcstress

package lately

// No call allocates: what the garbage collector never sees, it never stops for.

import (
	"testing"
	"time"
)

// expectNone fails for every call that allocates.
func expectNone(t *testing.T, calls map[string]func()) {
	for name, call := range calls {
		if allocations := testing.AllocsPerRun(100, call); allocations != 0 {
			t.Errorf("%s: %v allocations per call", name, allocations)
		}
	}
}

func TestNoCallAllocates(t *testing.T) {
	filter, aged := newFilter(t, small), newFilter(t, Last(1000))
	key, text := []byte("a key of some length, longer than any small buffer"), "a key of some length, longer than any"
	now, date := Tick(0), time.Unix(0, 0)
	keys, hashes, removed := &Keys{}, make([]uint64, batch), make([]bool, batch)
	verdicts, ticks := make([]Verdict, batch), make([]Tick, batch)
	refill(keys)
	expectNone(t, map[string]func(){
		"Observe":           func() { filter.Observe(key) },
		"ObserveString":     func() { filter.ObserveString(text) },
		"Observe, a number": func() { filter.Observe(Uint64(7)) },
		"ObserveTick":       func() { filter.AtTick(now).Observe(key) },
		"ObserveAt":         func() { filter.At(date).Observe(key) },
		"Insert":            func() { filter.Insert(key) },
		"Contains":          func() { filter.Contains(key) },
		"AdvanceTick":       func() { filter.AtTick(now).Advance() },
		"Stats":             func() { filter.Stats() },
		"Options":           func() { filter.Options() },
		"StatsReset":        func() { filter.StatsReset() },
		"Hash":              func() { filter.Hash(key) },
		"Hash64":            func() { Hash64(key, 1) },
		"ObserveBatch":      func() { filter.ObserveBatch(keys, nil, verdicts) },
		"ObserveBatchTicks": func() { filter.ObserveBatch(keys, ticks, verdicts) },
		"InsertBatch":       func() { filter.InsertBatch(keys, nil) },
		"ContainsBatch":     func() { filter.ContainsBatch(keys, nil, verdicts) },
		"RemoveBatch":       func() { aged.RemoveBatch(keys, nil, removed) },
		"ObserveHashes":     func() { filter.ObserveBatch(Hashes(hashes), nil, verdicts) },
		"InsertHashes":      func() { filter.InsertBatch(Hashes(hashes), nil) },
		"ContainsHashes":    func() { filter.ContainsBatch(Hashes(hashes), nil, verdicts) },
		"ObserveAge":        func() { aged.ObserveAge(key) },
		"ContainsAge":       func() { aged.ContainsAge(key) },
		"Keys, refilled":    func() { refill(keys) },
	})
	stats, err := filter.Stats()
	if err != nil || stats.Items == 0 {
		t.Errorf("the calls did nothing: %+v, %v", stats, err)
	}
}

// refill makes the keys of a batch, of each kind some.
func refill(keys *Keys) {
	keys.Reset()
	for i := range batch / 4 {
		keys.AppendUint64(uint64(i))
		keys.AppendString("text")
		keys.Append([]byte{byte(i)})
		keys.Append(nil)
	}
}
