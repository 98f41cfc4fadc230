//go:build go1.25

package lately

import (
	"testing"
	"testing/synctest"
	"time"
)

// The time of a bubble passes while all in it sleep.
func TestByTheClockOfABubble(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		options := Window(time.Hour)
		options.Clock = ManualClock
		filter, err := construct(options)
		must(t, err)
		defer filter.Close()
		seen := filter.By(time.Now)
		for _, want := range []bool{true, false, true} {
			first, err := seen.FirstString("order-17")
			expect(t, first, err, want)
			if !want {
				time.Sleep(2 * time.Hour)
			}
		}
	})
}
