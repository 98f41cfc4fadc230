//go:build !lately_gcstress

package lately

// Many goroutines in one shared filter, and one goroutine in filters of both
// sorts.

import (
	"encoding/binary"
	"errors"
	"slices"
	"sync"
	"sync/atomic"
	"testing"
)

// together runs body in that many goroutines, which begin together, and waits.
func together(goroutines int, body func(id int)) {
	var done sync.WaitGroup
	start := make(chan struct{})
	for id := range goroutines {
		done.Add(1)
		go func() {
			defer done.Done()
			<-start
			body(id)
		}()
	}
	close(start)
	done.Wait()
}

const (
	raceRounds = 25
	raceKeys   = 40 // a round: few enough that no goroutine falls behind by a window
)

// race lets goroutines observe the same keys, round by round, and returns how
// many of them were told that a key is New.
func race(t *testing.T, filter *Filter, goroutines int) []atomic.Uint32 {
	newCounts := make([]atomic.Uint32, raceRounds*raceKeys)
	for round := range raceRounds {
		together(goroutines, func(id int) {
			first := round * raceKeys
			verdicts, err := observeAll(filter, first, first+raceKeys, id%2 == 0)
			if err != nil {
				t.Error(err)
			}
			for i, verdict := range verdicts {
				if verdict == New {
					newCounts[first+i].Add(1)
				}
			}
		})
	}
	return newCounts
}

// observeAll observes the numbers from first to before end, in one call or one
// by one.
func observeAll(filter *Filter, first, end int, batch bool) (verdicts []Verdict, err error) {
	if batch {
		var keys Keys
		for key := first; key < end; key++ {
			keys.AppendUint64(uint64(key))
		}
		verdicts = make([]Verdict, end-first)
		_, err = filter.ObserveBatch(&keys, nil, verdicts)
		return verdicts, err
	}
	for key := first; key < end && err == nil; key++ {
		var verdict Verdict
		verdict, err = filter.Observe(binary.LittleEndian.AppendUint64(nil, uint64(key)))
		verdicts = append(verdicts, verdict)
	}
	return verdicts, err
}

func TestOfManyExactlyOneIsToldNew(t *testing.T) {
	for _, r := range rows(t) {
		for _, goroutines := range []int{2, 3, 4, 8, 16} {
			filter := newFilter(t, r.options)
			silent := 0
			told := race(t, filter, goroutines)
			for key := range told {
				switch newCounts := told[key].Load(); newCounts {
				case 0:
					silent++
				case 1:
				default:
					t.Errorf("%s: key %d was New to %d of %d goroutines", r.name, key, newCounts, goroutines)
				}
			}
			// The rows ask for 1 %.
			if silent > raceRounds*raceKeys*3/100 {
				t.Errorf("%s: %d keys were New to none of %d goroutines", r.name, silent, goroutines)
			}
			stats, err := filter.Stats()
			expect(t, stats.NewCount+stats.DuplicateCount, err, uint64(raceRounds*raceKeys*goroutines))
		}
	}
}

func TestOneGoroutineIsToldTheSameByBothSorts(t *testing.T) {
	for _, r := range rows(t) {
		shared, err := NewFilter(r.options)
		must(t, err)
		alone, err := NewUnshared(r.options)
		must(t, err)
		begin(t, shared, r.options)
		begin(t, alone, r.options)
		keys, _ := stream(20_000)
		for i, key := range keys {
			want, err := alone.Observe(key)
			must(t, err)
			got, err := shared.Observe(key)
			if err != nil || got != want {
				t.Fatalf("%s: key %d is %v, %v, and %v of the unshared filter", r.name, i, got, err, want)
			}
		}
		sameStats(t, alone, shared)
		must(t, shared.Close())
		must(t, alone.Close())
	}
}

func TestEveryVerbRunsBesideEveryOther(t *testing.T) {
	filter := newFilter(t, small)
	together(8, func(id int) {
		verbs := someVerbs(filter)
		for i := range 2000 {
			// Between a Clear and the next tick a manual clock has no time.
			if err := verbs[(i+id)%len(verbs)](); err != nil && !errors.Is(err, ErrClock) {
				t.Error(err)
			}
		}
	})
}

// Goroutines that run at once spread over the doors, and each keeps to its own.
func TestGoroutinesGoInByDifferentDoors(t *testing.T) {
	if *unshared {
		t.Log("an unshared filter has one door")
		return
	}
	filter := newFilter(t, small)
	var mu sync.Mutex
	var used []*door
	together(64, func(int) {
		door := filter.handle.door()
		for range 100 {
			if filter.handle.door() != door {
				t.Error("a goroutine changed its door")
			}
		}
		mu.Lock()
		defer mu.Unlock()
		if !slices.Contains(used, door) {
			used = append(used, door)
		}
	})
	if len(used) < doors/4 {
		t.Errorf("64 goroutines went in by %d doors of %d", len(used), doors)
	}
}
