//go:build !lately_gcstress

package lately

// What filters leave behind, seen from the outside: the kernel's figures of
// this process.

import (
	"fmt"
	"os"
	"runtime"
	"testing"
	"time"
)

// mapped returns the bytes that are mapped.
func mapped(t *testing.T) (bytes int) {
	t.Helper()
	_, err := fmt.Sscan(read(t, "/proc/self/statm"), &bytes)
	must(t, err)
	return bytes * os.Getpagesize()
}

const (
	mib   = 1 << 20
	least = 64 * mib
)

// vast is a filter of slices so large, over 32 MiB each, that the allocator maps
// each by itself, whatever came before, and gives it back to the system at once.
var vast = Options{Kind: TimeLimited, Window: time.Minute, Clock: ManualClock, Capacity: 512 << 20, K: 2, L: 2, Fill: 0.5}

// dropped builds filters that nobody closes.
func dropped(t *testing.T, n int) {
	t.Helper()
	for range n {
		filter, err := construct(vast)
		must(t, err)
		stats, err := filter.Stats()
		must(t, err)
		if stats.Bytes < least {
			t.Fatalf("%d bytes are not vast", stats.Bytes)
		}
	}
}

// Each holder keeps the filter, and the last one that goes gives its bytes back.
func TestTheLastOwnerFrees(t *testing.T) {
	if *unshared {
		t.Log("an unshared filter has one owner")
		return
	}
	first, err := NewFilter(vast)
	must(t, err)
	second, err := first.Share()
	must(t, err)
	must(t, first.Close())
	held := mapped(t)
	must(t, second.Close())
	if freed := mapped(t); held-freed < least {
		t.Errorf("%d MiB were mapped with an owner, %d MiB are without", held/mib, freed/mib)
	}
}

func TestFilterNotClosedIsFreedByTheCollector(t *testing.T) {
	runtime.GC()
	before := mapped(t)
	const filters = 16
	dropped(t, filters)
	limit := before + 2*least
	deadline := time.Now().Add(10 * time.Second)
	for after := before; ; time.Sleep(time.Millisecond) {
		runtime.GC()
		if after = mapped(t); after <= limit {
			return
		}
		if time.Now().After(deadline) {
			t.Fatalf("%d MiB were mapped before, %d MiB are after %d filters were dropped", before/mib, after/mib, filters)
		}
	}
}
