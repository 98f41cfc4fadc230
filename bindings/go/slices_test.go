package lately

// Keys that lie anywhere have the verdicts of single calls, wherever the library
// is called for some of them.

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"
)

// mixed is keys that repeat, among them empty, nil and long ones, with ticks:
// more than are copied at once.
func mixed() (keys [][]byte, texts []string, ticks []Tick) {
	for i := range 3 * someKeys {
		key := fmt.Appendf(nil, "%0*d", 1+i%90, i*i%977)
		switch {
		case i%101 == 0:
			key = nil
		case i%103 == 0:
			key = []byte{}
		case i%211 == 0:
			key = fmt.Appendf(nil, "%0*d", longKey-1+i%3, i%5)
		}
		keys, texts, ticks = append(keys, key), append(texts, string(key)), append(ticks, Tick(i)*Tick(time.Millisecond))
	}
	return keys, texts, ticks
}

func TestSlicesAndStrings_keysOfAnySort_haveTheVerdictsOfSingleCalls(t *testing.T) {
	keys, texts, ticks := mixed()
	single, bytes, strings := newFilter(t, small), newFilter(t, small), newFilter(t, small)
	var want []Verdict
	for i, key := range keys {
		verdict, err := single.AtTick(ticks[i]).Observe(key)
		must(t, err)
		want = append(want, verdict)
	}
	got := make([]Verdict, len(keys)+1)
	got[len(keys)] = 7
	done, err := bytes.ObserveBatch(Slices(keys), ticks, got)
	expect(t, done, err, len(keys))
	if !slices.Equal(got, append(want, 7)) {
		t.Error("ObserveSlices: not the verdicts of single calls")
	}
	clear(got)
	done, err = strings.ObserveBatch(Strings(texts), ticks, got)
	expect(t, done, err, len(keys))
	if !slices.Equal(got[:len(keys)], want[:len(keys)]) {
		t.Error("ObserveStrings: not the verdicts of single calls")
	}
	sameStats(t, single, bytes, strings)
}

func TestInsertedSlicesAndStrings_areFound(t *testing.T) {
	keys, texts, ticks := mixed()
	a, b := newFilter(t, small), newFilter(t, small)
	done, err := a.InsertBatch(Slices(keys), ticks)
	expect(t, done, err, len(keys))
	done, err = b.InsertBatch(Strings(texts), ticks)
	expect(t, done, err, len(keys))
	sameStats(t, a, b)
	got := make([]Verdict, len(keys))
	done, err = a.ContainsBatch(Strings(texts), nil, got)
	expect(t, done, err, len(keys))
	other := make([]Verdict, len(keys))
	done, err = b.ContainsBatch(Slices(keys), ticks, other)
	expect(t, done, err, len(keys))
	if slices.Contains(got, New) || slices.Contains(other, New) {
		t.Error("an inserted key is New")
	}
	sameStats(t, a, b)
}

// stopsAt refuses the tick of key i, and expects the batch to stop there.
func stopsAt(t *testing.T, i int) {
	keys, texts, ticks := mixed()
	o := small
	o.MaxStep = time.Minute
	ticks[i] = ticks[i-1] + Tick(time.Hour)
	single, filter := newFilter(t, o), newFilter(t, o)
	verdicts := slices.Repeat([]Verdict{7}, len(keys))
	done, err := filter.ObserveBatch(Strings(texts), ticks, verdicts)
	refused(t, err, ErrTick, "")
	if done != i || slices.Contains(verdicts[:i], 7) || slices.Index(verdicts, 7) != i {
		t.Errorf("done %d, first without a verdict %d, want %d", done, slices.Index(verdicts, 7), i)
	}
	for j := range i {
		verdict, err := single.AtTick(ticks[j]).Observe(keys[j])
		expect(t, verdict, err, verdicts[j])
	}
}

func TestSlices_aRefusedTick_stopsThere(t *testing.T) {
	for _, i := range []int{1, 211, 422, someKeys - 1, someKeys, someKeys + 1, 2*someKeys + 17, 3*someKeys - 1} {
		stopsAt(t, i)
	}
}

func TestSlices_thatDoNotFit_areRefused(t *testing.T) {
	filter := newFilter(t, small)
	two := [][]byte{{1}, {1}}
	_, err := filter.ObserveBatch(Slices(two), nil, make([]Verdict, 1))
	refused(t, err, ErrOffsets, "", "verdicts has 1 entries for 2 keys")
	_, err = filter.ObserveBatch(Strings([]string{"a"}), nil, nil)
	refused(t, err, ErrOffsets, "", "verdicts has 0 entries for 1 keys")
	_, err = filter.ContainsBatch(Slices(two), make([]Tick, 3), make([]Verdict, 2))
	refused(t, err, ErrOffsets, "", "ticks has 3 entries for 2 keys")
	_, err = filter.InsertBatch(Slices(two), []Tick{})
	refused(t, err, ErrOffsets, "", "ticks has 0 entries")
	stats, err := filter.Stats()
	expect(t, stats.Items+stats.DuplicateCount, err, 0)
}

func TestSlices_noKeys_areFine(t *testing.T) {
	filter, timeless := newFilter(t, small), newFilter(t, Last(100))
	for _, ticks := range [][]Tick{nil, {}} {
		done, err := filter.ObserveBatch(Slices(nil), ticks, nil)
		expect(t, done, err, 0)
		done, err = filter.InsertBatch(Strings([]string{}), ticks)
		expect(t, done, err, 0)
	}
	_, err := timeless.ObserveBatch(Strings(nil), []Tick{}, nil)
	refused(t, err, ErrClock, "")
}

func TestSlices_ofAClosedFilter_areRefused(t *testing.T) {
	filter := newFilter(t, small)
	must(t, filter.Close())
	for _, closed := range []*Filter{filter, nil, {}} {
		_, err := closed.ObserveBatch(Strings([]string{strings.Repeat("long", longKey)}), nil, make([]Verdict, 1))
		refused(t, err, ErrClosed, "")
		_, err = closed.InsertBatch(Slices(nil), nil)
		refused(t, err, ErrClosed, "")
	}
}

func TestTake_longKeysAndManyKeys_takeBoundedMemory(t *testing.T) {
	var buffer Keys
	take(&buffer, []string{strings.Repeat("x", longKey)})
	expect(t, buffer.Len(), nil, 0)
	take(&buffer, slices.Repeat([]string{strings.Repeat("x", longKey-1)}, 100))
	expect(t, len(buffer.bytes) < someBytes+longKey && buffer.Len() < 10, nil, true)
	take(&buffer, make([][]byte, 2*someKeys))
	expect(t, buffer.Len(), nil, someKeys)
}
