package lately

import (
	"fmt"
	"slices"
	"testing"
	"time"
)

// removable is a window of the default kind on a manual clock.
func removable() Options {
	o := Window(time.Minute)
	o.Clock, o.ErrorRate = ManualClock, 1e-9
	return o
}

func expectRemoved(t *testing.T, filter *Filter, want uint64) {
	t.Helper()
	stats, err := filter.Stats()
	expect(t, stats.Removed, err, want)
}

// A batch of any form removes what single calls in order would: a key that is given twice once.
func TestRemoveBatchIsSoManySingleRemovals(t *testing.T) {
	keys, ticks := stream(600)
	last := slices.Max(ticks)
	var texts Strings
	var numbers Uint64s
	var hashes Hashes
	for _, key := range keys {
		texts, hashes = append(texts, string(key)), append(hashes, Hash64(key, 0))
	}
	for i := range 600 {
		numbers = append(numbers, uint64(i%250))
	}
	column := columnOf(keys, 7, 3, false)
	for name, keys := range map[string]Batch{
		"keys": packed(keys), "strings": texts, "slices": Slices(keys), "hashes": hashes, "numbers": numbers, "column": column,
	} {
		for _, unshared := range []bool{false, true} {
			for _, at := range [][]Tick{nil, ticks, slices.Repeat([]Tick{last + Tick(time.Minute)}, 600)} {
				single, many := newFilter(t, removable()), newFilter(t, removable())
				if unshared {
					var err error
					many, err = NewUnshared(removable())
					must(t, err)
					defer many.Close()
				}
				for _, filter := range []*Filter{single, many} {
					_, err := filter.InsertBatch(keys, slices.Repeat([]Tick{last}, 600))
					must(t, err)
				}
				got := make([]bool, 600)
				done, err := many.RemoveBatch(keys, at, got)
				expect(t, done, err, 600)
				want := singly(t, single, keys, at)
				if !slices.Equal(got, want) {
					t.Errorf("%s, unshared %v, %v ticks: not what single removals return", name, unshared, len(at))
				}
				sameStats(t, single, many)
				removed := uint64(0)
				for _, was := range want {
					if was {
						removed++
					}
				}
				if removed == 0 || removed == 600 {
					t.Errorf("%s: %d of 600 removed", name, removed)
				}
				expectRemoved(t, many, removed)
			}
		}
	}
}

// singly removes the keys one by one.
func singly(t *testing.T, filter *Filter, keys Batch, at []Tick) (removed []bool) {
	for i := range 600 {
		now := Now
		if at != nil {
			now = at[i]
		}
		moment := filter.AtTick(now)
		was, err := false, error(nil)
		switch keys := keys.(type) {
		case *Keys:
			was, err = moment.Remove(keys.bytes[keys.offsets[i]:keys.offsets[i+1]])
		case Strings:
			was, err = moment.RemoveString(keys[i])
		case Slices:
			was, err = moment.Remove(keys[i])
		case Hashes:
			var one [1]bool
			var ticks []Tick
			if at != nil {
				ticks = at[i : i+1]
			}
			_, err = filter.RemoveBatch(keys[i:i+1], ticks, one[:])
			was = one[0]
		case Uint64s:
			bytes := eight(keys[i])
			was, err = moment.Remove(bytes[:])
		case *Column:
			if i%7 != 0 {
				was, err = moment.RemoveString(fmt.Sprint(i * i % 300))
			}
		}
		must(t, err)
		removed = append(removed, was)
	}
	return removed
}

// At its tick a key of the age of the window is there, and one of a generation more is not. The clock stays.
func TestRemoveIsJudgedAtItsTick(t *testing.T) {
	filter := newFilter(t, removable())
	from := time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)
	for _, key := range []string{"a", "b", "c"} {
		must(t, filter.At(from).InsertString(key))
	}
	removed, err := filter.At(from.Add(time.Minute)).Remove([]byte("a"))
	expect(t, removed, err, true)
	removed, err = filter.At(from.Add(70 * time.Second)).RemoveString("b")
	expect(t, removed, err, false)
	removed, err = filter.RemoveString("c")
	expect(t, removed, err, true)
	expectRemoved(t, filter, 2)
	stats, err := filter.Stats()
	expect(t, stats.Clock.Time(), err, from)
	_, err = filter.At(time.Date(1969, 1, 1, 0, 0, 0, 0, time.UTC)).Remove([]byte("a"))
	refused(t, err, ErrTick, "")
	_, err = newFilter(t, Last(10)).AtTick(1).Remove([]byte("a"))
	refused(t, err, ErrClock, "")
}

func TestRemoveBatchesMustFit(t *testing.T) {
	unset, err := NewFilter(removable())
	must(t, err)
	defer unset.Close()
	two := packed([][]byte{nil, nil})
	_, err = unset.RemoveBatch(two, nil, make([]bool, 2))
	refused(t, err, ErrClock, "")
	filter := newFilter(t, removable())
	_, err = filter.RemoveBatch(two, nil, make([]bool, 1))
	refused(t, err, ErrOffsets, "", "removed has 1 entries for 2 keys")
	_, err = filter.RemoveBatch(two, make([]Tick, 3), make([]bool, 2))
	refused(t, err, ErrOffsets, "", "ticks has 3 entries for 2 keys")
	_, err = filter.RemoveBatch(nil, nil, nil)
	refused(t, err, ErrNull, "")
	done, err := filter.RemoveBatch(Strings{}, nil, nil)
	expect(t, done, err, 0)
	_, err = newFilter(t, small).RemoveBatch(Strings{}, []Tick{}, nil)
	refused(t, err, ErrUnsupported, "")
	expectRemoved(t, filter, 0)
}

func TestAClaimStaysOpenWhenItsKeyIsRemoved(t *testing.T) {
	o := removable()
	o.Lease = time.Second
	filter := newFilter(t, o)
	claim, err := filter.AtTick(1).ClaimString("a")
	must(t, err)
	removed := []bool{true}
	_, err = filter.RemoveBatch(Strings{"a"}, nil, removed)
	expect(t, removed[0], err, false)
	found, err := claim.Commit()
	expect(t, found, err, CommitInTime)
	_, err = filter.RemoveBatch(Strings{"a"}, nil, removed)
	expect(t, removed[0], err, true)
	expectRemoved(t, filter, 1)
}
