package lately

import (
	"bytes"
	"errors"
	"math/rand/v2"
	"testing"
	"time"
)

// fake is a clock that a test moves.
type fake struct{ now time.Time }

func (c *fake) Now() time.Time { return c.now }

// by returns a filter and a fake clock that it goes by.
func by(t *testing.T, o Options) (*Filter, *fake) {
	o.Clock = ManualClock
	filter, err := construct(o)
	must(t, err)
	clock := &fake{time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)}
	seen := filter.By(clock.Now)
	t.Cleanup(func() { seen.Close() })
	return seen, clock
}

// Each verdict against a map of the last sightings, one call at a time and in batches. A key
// past the window may be a Duplicate for one generation more.
func TestByAFakeClockTheWindowIsThatOfAMap(t *testing.T) {
	seen, clock := by(t, Window(time.Minute))
	summary, err := Plan(Window(time.Minute))
	must(t, err)
	slack := time.Minute/time.Duration(summary.L) + 1
	last := map[uint64]time.Time{}
	random := rand.New(rand.NewPCG(1, 2))
	counts := map[Verdict]int{}
	check := func(key uint64, verdict Verdict, err error) {
		must(t, err)
		sighted, known := last[key]
		age := clock.now.Sub(sighted)
		switch {
		case known && age <= time.Minute:
			expect(t, verdict, nil, Duplicate)
		case !known || age > time.Minute+slack:
			expect(t, verdict, nil, New)
		}
		last[key] = clock.now
		counts[verdict]++
	}
	for range 4000 {
		clock.now = clock.now.Add(time.Duration(random.Int64N(int64(2 * time.Second))))
		if random.IntN(4) > 0 {
			key := random.Uint64N(60)
			verdict, err := seen.ObserveUint64(key)
			check(key, verdict, err)
			continue
		}
		keys, verdicts := Uint64s{random.Uint64N(60), random.Uint64N(60), random.Uint64N(60)}, make([]Verdict, 3)
		_, err := seen.ObserveBatch(keys, nil, verdicts)
		for i, key := range keys {
			check(key, verdicts[i], err)
		}
	}
	if counts[New] < 500 || counts[Duplicate] < 500 {
		t.Errorf("%v", counts)
	}
}

func TestByIsTheSameFilterAndItsClock(t *testing.T) {
	seen, clock := by(t, Window(time.Minute))
	expectFirst := func(of *Filter, want bool) {
		t.Helper()
		first, err := of.FirstString("a")
		expect(t, first, err, want)
	}
	expectFirst(seen, true)
	expectFirst(seen.By(nil), false)
	// A clone goes by the same clock, and an explicit time is a time.
	clone, err := seen.Clone()
	must(t, err)
	defer clone.Close()
	start := clock.now
	clock.now = start.Add(2 * time.Minute)
	expectFirst(clone, true)
	expectFirst(seen, true)
	stats, err := seen.Stats()
	expect(t, stats.Clock.Time(), err, clock.now)
	// A clock that goes back moves nothing.
	clock.now = start
	expectFirst(seen, false)
	stats, err = seen.Stats()
	expect(t, stats.Clock.Time(), err, start.Add(2*time.Minute))
	// A snapshot has the clock's time.
	clock.now = start.Add(3 * time.Minute)
	var snapshot bytes.Buffer
	_, err = seen.WriteTo(&snapshot)
	must(t, err)
	read, err := ReadFilter(&snapshot, 0, LoadOptions{})
	must(t, err)
	defer read.Close()
	stats, err = read.Stats()
	expect(t, stats.Clock.Time(), err, clock.now)
}

func TestByAClockThatCannotBe(t *testing.T) {
	seen, clock := by(t, Window(time.Minute))
	clock.now = time.Time{}
	for name, err := range calls(seen) {
		// These need no clock.
		switch name {
		case "At", "AtTick", "By", "String", "GoString", "LogValue", "Close", "Share",
			"MarshalJSON", "UnmarshalJSON", "GobEncode", "GobDecode":
			continue
		}
		if !errors.Is(err, ErrTick) && !errors.Is(err, ErrClosed) {
			t.Errorf("%s by a clock in the year 1 answers %v", name, err)
		}
	}
	system := newFilter(t, Window(time.Minute)).By(time.Now)
	if _, err := system.First(nil); !errors.Is(err, ErrClock) {
		t.Errorf("a filter of the system's clock answers %v", err)
	}
	var none *Filter
	if _, err := none.By(time.Now).First(nil); !errors.Is(err, ErrClosed) {
		t.Errorf("no filter answers %v", err)
	}
	must(t, none.By(time.Now).Close())
}

// Either closes both.
func TestByHasTheOwnerOfItsFilter(t *testing.T) {
	seen, _ := by(t, Window(time.Minute))
	plain := seen.By(nil)
	must(t, seen.Close())
	if _, err := plain.First(nil); !errors.Is(err, ErrClosed) {
		t.Error(err)
	}
}
