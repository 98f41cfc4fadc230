//go:build !lately_gcstress

package lately

// Many goroutines in one filter. That exactly one gets New of a key is tested in c_tests/shared.c and, of the lock of an
// unshared filter, by TestCallsOfASharedFilterRunSideBySide.

import (
	"slices"
	"sync"
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
