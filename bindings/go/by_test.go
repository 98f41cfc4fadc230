package lately

import (
	"errors"
	"testing"
	"time"
)

// fake is a clock that a test moves.
type fake struct{ now time.Time }

func (c *fake) Now() time.Time { return c.now }

// by returns a filter and a fake clock that it goes by.
func by(t *testing.T) (*Filter, *fake) {
	o := Window(time.Minute)
	o.Clock = ManualClock
	clock := &fake{time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)}
	return newFilter(t, o).By(clock.Now), clock
}

func TestByIsTheSameFilterAndItsClock(t *testing.T) {
	seen, clock := by(t)
	expectFirst := func(of *Filter, want bool) {
		t.Helper()
		first, err := of.FirstString("a")
		expect(t, first, err, want)
	}
	expectFirst(seen, true)
	plain := seen.By(nil)
	expectFirst(plain, false)
	// A clone goes by the same clock, and so does one more owner.
	clone, err := seen.Clone()
	must(t, err)
	defer clone.Close()
	start := clock.now
	clock.now = start.Add(2 * time.Minute)
	expectFirst(clone, true)
	if other, err := seen.Share(); !*unshared {
		must(t, err)
		defer other.Close()
		expectFirst(other, true)
	}
	expectClock := func(of *Filter, want time.Time) {
		t.Helper()
		stats, err := of.Stats()
		expect(t, stats.Clock.Time(), err, want)
	}
	// A clock that goes back moves nothing, and an owner by no clock stays where it is.
	clock.now = start
	expectClock(clone, start.Add(2*time.Minute))
	clock.now = start.Add(3 * time.Minute)
	expectClock(seen, clock.now)
	clock.now = start.Add(4 * time.Minute)
	expectClock(plain, start.Add(3*time.Minute))
	// A snapshot has the clock's time.
	expectClock(restored(t, saved(t, seen), 0, LoadOptions{}), clock.now)
	// Either closes both.
	must(t, seen.Close())
	_, err = plain.First(nil)
	refused(t, err, ErrClosed, "")
}

func TestByAClockThatCannotBe(t *testing.T) {
	seen, clock := by(t)
	clock.now = time.Time{}
	for name, err := range calls(t, seen) {
		if !needNoFilter[name] && name != "Share" && !errors.Is(err, ErrTick) && !errors.Is(err, ErrClosed) {
			t.Errorf("%s by a clock in the year 1 answers %v", name, err)
		}
	}
	_, err := newFilter(t, Window(time.Minute)).By(time.Now).First(nil)
	refused(t, err, ErrClock, "")
	var none *Filter
	_, err = none.By(time.Now).First(nil)
	refused(t, err, ErrClosed, "")
	must(t, none.By(time.Now).Close())
}
