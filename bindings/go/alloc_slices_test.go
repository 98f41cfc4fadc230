//go:build !lately_gcstress && !race

package lately

// Keys that lie anywhere are copied into a buffer that is used again. The race
// detector and a collection make sync.Pool drop buffers.

import "testing"

func TestSlices_ofAnyLength_allocateNothing(t *testing.T) {
	keys, ticks := mixed()
	texts, filter, local := stringsOf(keys), newFilter(t, small), [4]Verdict{}
	verdicts := make([]Verdict, len(keys))
	expectNone(t, map[string]func(){
		"ObserveSlices":   func() { filter.ObserveBatch(Slices(keys), ticks, verdicts) },
		"ObserveStrings":  func() { filter.ObserveBatch(texts, nil, verdicts) },
		"InsertSlices":    func() { filter.InsertBatch(Slices(keys), nil) },
		"ContainsStrings": func() { filter.ContainsBatch(texts, ticks, verdicts) },
		"a local array": func() {
			var verdicts [4]Verdict
			filter.ObserveBatch(texts[:4], nil, verdicts[:])
			local = verdicts
		},
	})
	stats, err := filter.Stats()
	if err != nil || stats.DuplicateCount == 0 || local[3] > Duplicate {
		t.Errorf("the calls did nothing: %+v, %v", stats, err)
	}
}
