//go:build !lately_gcstress

package lately

// A snapshot while goroutines observe, and one while others close.

import (
	"errors"
	"sync/atomic"
	"testing"
)

const (
	writers = 7
	keysOf1 = 300 // in all so few that none leaves a window
)

// keyOf is the i-th key of a goroutine.
func keyOf(id, i int) []byte {
	var keys Keys
	keys.AppendUint64(uint64(id*keysOf1 + i))
	return keys.bytes
}

// missing takes one snapshot and counts the keys that were observed before it
// began and are not in it; last tells that all had been.
func missing(t *testing.T, filter *Filter, done *[writers]atomic.Int64) (count int, last bool) {
	var before [writers]int
	last = true
	for id := range before {
		before[id] = int(done[id].Load())
		last = last && before[id] == keysOf1
	}
	copied := restored(t, saved(t, filter), 0, LoadOptions{})
	for id, n := range before {
		for i := range n {
			verdict, err := copied.Contains(keyOf(id, i))
			must(t, err)
			if verdict == New {
				count++
			}
		}
	}
	must(t, copied.Close())
	return count, last
}

func TestASnapshotHoldsAllThatWasObservedBefore(t *testing.T) {
	for _, r := range rows(t) {
		filter := newFilter(t, r.options)
		var done [writers]atomic.Int64
		together(writers+1, func(id int) {
			if id < writers {
				for i := range keysOf1 {
					if _, err := filter.Observe(keyOf(id, i)); err != nil {
						t.Error(err)
					}
					done[id].Store(int64(i + 1))
				}
				return
			}
			for last := false; !last; {
				var count int
				if count, last = missing(t, filter, &done); count > 0 {
					t.Errorf("%s: a snapshot lacks %d keys", r.name, count)
				}
			}
		})
	}
}

func TestASnapshotBesideCloseIsWholeOrErrClosed(t *testing.T) {
	for range 25 {
		filter := newFilter(t, small)
		must(t, filter.InsertString("a"))
		together(4, func(id int) {
			if id == 0 {
				must(t, filter.Close())
				return
			}
			snapshot, err := filter.Snapshot()
			if err == nil {
				verdict, err := restored(t, snapshot, 0, LoadOptions{}).ContainsString("a")
				expect(t, verdict, err, Duplicate)
			} else if !errors.Is(err, ErrClosed) {
				t.Error(err)
			}
		})
	}
}
