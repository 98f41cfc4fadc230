package lately

// Dates as ticks: from 1970 to the end of 64 bits, and nothing outside.

import (
	"math"
	"testing"
	"time"
)

func TestDatesBecomeTicks(t *testing.T) {
	last := time.Date(2554, 7, 21, 23, 34, 33, 709551614, time.UTC)
	for _, c := range []struct {
		date time.Time
		tick Tick
	}{
		{time.Unix(0, 0), 0},
		{time.Unix(0, 1), 1},
		{time.Date(2026, 1, 2, 3, 4, 5, 6, time.FixedZone("here", 3600)), 1767319445000000006},
		{time.Date(2262, 4, 11, 23, 47, 17, 0, time.UTC), 9223372037000000000}, // past UnixNano
		{last, math.MaxUint64 - 1},
	} {
		tick, err := TickOf(c.date)
		expect(t, tick, err, c.tick)
		if !tick.Time().Equal(c.date) {
			t.Errorf("%d is %v, not %v", tick, tick.Time(), c.date)
		}
	}
}

func TestDatesWithoutATickAreNamed(t *testing.T) {
	for text, date := range map[string]time.Time{
		"1969-12-31T23:59:59.999999999Z": time.Unix(0, -1),
		"0001-01-01T00:00:00Z":           {},
		"2554-07-21T23:34:33.709551616Z": time.Date(2554, 7, 21, 23, 34, 33, 709551616, time.UTC),
		"2554-07-21T23:34:34Z":           time.Date(2554, 7, 21, 23, 34, 34, 0, time.UTC),
		"9999-01-01T00:00:00Z":           time.Date(9999, 1, 1, 0, 0, 0, 0, time.UTC),
	} {
		_, err := TickOf(date)
		refused(t, err, ErrTick, "", text, "1970-01-01 to 2554-07-21")
	}
}

// A tick may be 2^64 - 1 ns below the clock, and the longest Duration is half of that.
func TestALatenessBeyondTheLongestDurationIsThatDuration(t *testing.T) {
	o := Window(time.Minute)
	o.Clock = ManualClock
	filter := newFilter(t, o)
	must(t, filter.AtTick(math.MaxUint64-1).Advance())
	for tick, want := range map[Tick]time.Duration{math.MaxUint64 - 6: 5, 0: math.MaxInt64} {
		must(t, filter.StatsReset())
		must(t, filter.AtTick(tick).Insert([]byte("a")))
		stats, err := filter.Stats()
		expect(t, stats.MaxLateness, err, want)
	}
}
