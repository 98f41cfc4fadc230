package main

import (
	"testing"

	"github.com/decred/dcrd/container/apbf"
	"github.com/lately/lately/evaluation/field/go/play"
)

func TestRivals_smallWorkloads_missNothing(t *testing.T) {
	if err := play.Check(rivals()); err != nil {
		t.Fatal(err)
	}
}

// The filter misses keys within its capacity, so the rival has a larger one.
func TestEnough_ofItsCapacity_areFoundWhereTheCapacityAloneMisses(t *testing.T) {
	for _, rate := range []float64{1e-3, 1e-6} {
		if seen := watch(apbf.NewFilter(capacity, rate), 100); seen.missed == 0 || seen.youngest >= capacity {
			t.Errorf("rate %g: nothing is missed within its capacity any more: %+v", rate, seen)
		}
		if seen := watch(apbf.NewFilter(enough(capacity, rate), rate), 100); seen.missed != 0 {
			t.Errorf("rate %g: %+v", rate, seen)
		}
	}
}
