//go:build !lately_gcstress

package lately

// Many goroutines in one filter.

import (
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

// Goroutines observe the same keys at once, in batches and one by one: exactly one gets New for each.
func TestOfManyExactlyOneIsToldNew(t *testing.T) {
	const goroutines, keys = 8, 1000
	filter := newFilter(t, Last(2*goroutines*keys))
	var numbers Uint64s
	for key := range uint64(keys) {
		numbers = append(numbers, key)
	}
	told := make([]atomic.Uint32, keys)
	together(goroutines, func(id int) {
		verdicts, err := make([]Verdict, keys), error(nil)
		if id%2 == 0 {
			_, err = filter.ObserveBatch(numbers, nil, verdicts)
		}
		for i := 0; id%2 == 1 && i < keys && err == nil; i++ {
			verdicts[i], err = filter.Observe(Uint64(numbers[i]))
		}
		if err != nil {
			t.Error(err)
		}
		for i, verdict := range verdicts {
			if verdict == New {
				told[i].Add(1)
			}
		}
	})
	for key := range told {
		expect(t, told[key].Load(), nil, 1)
	}
	stats, err := filter.Stats()
	expect(t, stats.NewCount+stats.DuplicateCount, err, goroutines*keys)
}

// Goroutines that run at once spread over the locks, and each keeps to its own.
func TestGoroutinesGoInByDifferentDoors(t *testing.T) {
	if *unshared {
		t.Log("an unshared filter has one lock")
		return
	}
	filter := newFilter(t, small)
	var mu sync.Mutex
	var used []*lock
	together(64, func(int) {
		mine := filter.handle.lock()
		for range 100 {
			if filter.handle.lock() != mine {
				t.Error("a goroutine changed its lock")
			}
		}
		mu.Lock()
		defer mu.Unlock()
		if !slices.Contains(used, mine) {
			used = append(used, mine)
		}
	})
	if len(used) < lockCount/4 {
		t.Errorf("64 goroutines used %d locks of %d", len(used), lockCount)
	}
}
