package lately

// A claim, its commit and its end, on both handles.

import (
	"bytes"
	"errors"
	"strconv"
	"sync"
	"sync/atomic"
	"testing"
	"time"
)

// claiming is a window of 60 s by a manual clock, whose claims last 10 s.
func claiming() Options {
	options := Window(60 * time.Second)
	options.Clock = ManualClock
	options.Lease = 10 * time.Second
	options.MaxClaims = 4
	return options
}

// bothHandles runs a test with the constructor of each handle.
func bothHandles(t *testing.T, test func(*testing.T, func(Options) (*Filter, error))) {
	for name, build := range map[string]func(Options) (*Filter, error){"shared": NewFilter, "unshared": NewUnshared} {
		t.Run(name, func(t *testing.T) { test(t, build) })
	}
}

// both runs a test with a filter of each handle.
func both(t *testing.T, options Options, test func(*testing.T, *Filter)) {
	bothHandles(t, func(t *testing.T, build func(Options) (*Filter, error)) {
		filter, err := build(options)
		must(t, err)
		defer filter.Close()
		begin(t, filter, options)
		test(t, filter)
	})
}

func claimed(t *testing.T, claim *Claim, err error, want Verdict) *Claim {
	t.Helper()
	must(t, err)
	if claim.Verdict() != want || (claim.Token() != 0) != (want == New) {
		t.Fatalf("claimed %v with token %x, want %v", claim.Verdict(), claim.Token(), want)
	}
	return claim
}

func refusedAs(t *testing.T, err error, want Code) {
	t.Helper()
	if !errors.Is(err, want) {
		t.Errorf("got %v, want %v", err, want)
	}
}

const aSecond = Tick(time.Second)

func TestClaim_NewKeyIsForOneAndCommitStoresIt(t *testing.T) {
	both(t, claiming(), func(t *testing.T, filter *Filter) {
		claim, err := filter.AtTick(aSecond).ClaimString("a")
		first := claimed(t, claim, err, New)
		claim, err = filter.ClaimString("a")
		claimed(t, claim, err, Pending)
		must(t, claim.Abandon()) // not its own: nothing
		verdict, err := filter.ObserveString("a")
		expect(t, verdict, err, Duplicate)
		stats, err := filter.Stats()
		must(t, err)
		if stats.OpenClaims != 1 || stats.MaxClaims != 4 || stats.Pending != 1 {
			t.Errorf("%+v", stats)
		}
		found, err := first.Commit()
		expect(t, found, err, CommitInTime)
		must(t, first.Abandon())
		_, err = first.Commit()
		refusedAs(t, err, ErrClaim)
		claim, err = filter.Claim([]byte("a"))
		claimed(t, claim, err, Duplicate)
		_, err = claim.Commit()
		refusedAs(t, err, ErrClaim)
		found, err = filter.Commit([]byte("a"), first.Token())
		expect(t, found, err, CommitAlready)
	})
}

func TestClaim_AbandonedLeavesNoTrace(t *testing.T) {
	both(t, claiming(), func(t *testing.T, filter *Filter) {
		func() {
			claim, err := filter.ClaimString("a")
			defer claimed(t, claim, err, New).Abandon()
		}()
		verdict, err := filter.ContainsString("a")
		expect(t, verdict, err, New)
		claim, err := filter.ClaimString("a")
		claimed(t, claim, err, New)
		must(t, filter.Abandon([]byte("a"), claim.Token()))
		must(t, filter.Abandon([]byte("a"), claim.Token()))
		var none *Claim
		must(t, none.Abandon())
		_, err = none.Commit()
		refusedAs(t, err, ErrClaim)
	})
}

func TestClaim_LeaseEndsANanosecondAfterItsLength(t *testing.T) {
	both(t, claiming(), func(t *testing.T, filter *Filter) {
		start := time.Unix(1_700_000_000, 0)
		claim, err := filter.At(start).Claim([]byte("a"))
		first := claimed(t, claim, err, New)
		claim, err = filter.At(start.Add(10 * time.Second)).ClaimString("a")
		claimed(t, claim, err, Pending)
		claim, err = filter.At(start.Add(10*time.Second + 1)).ClaimString("a")
		other := claimed(t, claim, err, New)
		found, err := first.CommitAt(start.Add(11 * time.Second))
		expect(t, found, err, CommitLate)
		found, err = other.Commit()
		expect(t, found, err, CommitAlready)
		stats, err := filter.Stats()
		must(t, err)
		if stats.ExpiredClaims != 1 || stats.OpenClaims != 0 {
			t.Errorf("%+v", stats)
		}
	})
}

func TestCommit_AfterTheLeaseIsLate(t *testing.T) {
	both(t, claiming(), func(t *testing.T, filter *Filter) {
		claim, err := filter.AtTick(5 * aSecond).Claim([]byte("a"))
		claimed(t, claim, err, New)
		found, err := claim.CommitTick(30 * aSecond)
		expect(t, found, err, CommitLate)
		claim, err = filter.AtTick(30 * aSecond).ClaimString("b")
		claimed(t, claim, err, New)
		found, err = filter.AtTick(31*aSecond).Commit([]byte("b"), claim.Token())
		expect(t, found, err, CommitInTime)
		found, err = filter.At(time.Unix(32, 0)).Commit([]byte("b"), claim.Token())
		expect(t, found, err, CommitAlready)
	})
}

func TestCommit_RefusesATokenThatWasNeverGivenOut(t *testing.T) {
	both(t, claiming(), func(t *testing.T, filter *Filter) {
		claim, err := filter.ClaimString("a")
		claimed(t, claim, err, New)
		_, err = filter.Commit([]byte("b"), claim.Token())
		refusedAs(t, err, ErrClaim)
		_, err = filter.Commit([]byte("a"), 0)
		refusedAs(t, err, ErrClaim)
		refusedAs(t, filter.Abandon([]byte("a"), claim.Token()+1), ErrClaim)
		found, err := claim.Commit()
		expect(t, found, err, CommitInTime)
	})
}

func TestClaim_FullTableRefusesAndChangesNothing(t *testing.T) {
	both(t, claiming(), func(t *testing.T, filter *Filter) {
		for _, key := range []string{"a", "b", "c", "d"} {
			claim, err := filter.ClaimString(key)
			claimed(t, claim, err, New)
		}
		claim, err := filter.ClaimString("e")
		refusedAs(t, err, ErrFull)
		if claim != nil {
			t.Errorf("claimed %v", claim)
		}
		verdict, err := filter.ContainsString("e")
		expect(t, verdict, err, New)
	})
}

func TestClaim_NeedsALeaseAndAManualClockForTicks(t *testing.T) {
	filter := newFilter(t, Window(time.Minute))
	_, err := filter.ClaimString("a")
	refusedAs(t, err, ErrUnsupported)
	_, err = filter.Commit([]byte("a"), 1)
	refusedAs(t, err, ErrUnsupported)
	refusedAs(t, filter.Abandon([]byte("a"), 1), ErrUnsupported)
	last := Last(100)
	last.Lease = time.Hour
	filter = newFilter(t, last)
	claim, err := filter.ClaimString("a")
	claimed(t, claim, err, New)
	_, err = filter.AtTick(aSecond).ClaimString("b")
	refusedAs(t, err, ErrClock)
	_, err = filter.At(time.Unix(0, -1)).ClaimString("b")
	refusedAs(t, err, ErrTick)
	_, err = filter.At(time.Unix(0, -1)).Commit([]byte("a"), claim.Token())
	refusedAs(t, err, ErrTick)
	_, err = filter.ObserveHash(1)
	refusedAs(t, err, ErrUnsupported)
}

func TestLease_OutOfRangeNamesTheOption(t *testing.T) {
	for _, wrong := range []struct {
		field   string
		options Options
	}{
		{"Lease", Options{Kind: WindowTable, Window: time.Second, Lease: 2 * time.Second}},
		{"Lease", Options{Kind: WindowTable, Window: time.Second, Lease: -1}},
		{"MaxClaims", Options{Kind: WindowTable, Window: time.Second, MaxClaims: 5}},
		{"MaxClaims", Options{Kind: WindowTable, Window: time.Second, Lease: time.Second, MaxClaims: 1<<24 + 1}},
	} {
		_, err := NewFilter(wrong.options)
		var why *Error
		if !errors.As(err, &why) || why.Code != ErrOption || why.Field != wrong.field {
			t.Errorf("%v: %v", wrong.options, err)
		}
	}
}

func TestClaim_SurvivesASnapshotWithItsToken(t *testing.T) {
	both(t, claiming(), func(t *testing.T, filter *Filter) {
		claim, err := filter.AtTick(aSecond).ClaimString("a")
		claimed(t, claim, err, New)
		snapshot, err := filter.Snapshot()
		must(t, err)
		loaded, err := ReadFilter(bytes.NewReader(snapshot), 5*time.Second, LoadOptions{})
		must(t, err)
		defer loaded.Close()
		again, err := loaded.ClaimString("a")
		claimed(t, again, err, Pending)
		found, err := loaded.Commit([]byte("a"), claim.Token())
		expect(t, found, err, CommitInTime)
		late, err := ReadUnshared(bytes.NewReader(snapshot), 11*time.Second, LoadOptions{})
		must(t, err)
		defer late.Close()
		again, err = late.ClaimString("a")
		claimed(t, again, err, New)
	})
}

func TestClaim_OfManyGoroutinesExactlyOneGetsNew(t *testing.T) {
	options := Window(time.Hour)
	options.Lease = time.Minute
	filter := newFilter(t, options)
	for round := range 100 {
		key := "key " + strconv.Itoa(round)
		var news atomic.Int32
		var workers sync.WaitGroup
		for range 8 {
			workers.Add(1)
			go func() {
				defer workers.Done()
				claim, err := filter.ClaimString(key)
				if err != nil {
					t.Error(err)
					return
				}
				defer claim.Abandon()
				if claim.Verdict() == New {
					news.Add(1)
					if _, err := claim.Commit(); err != nil {
						t.Error(err)
					}
				}
			}()
		}
		workers.Wait()
		if news.Load() != 1 {
			t.Fatalf("%d claims of %s were New", news.Load(), key)
		}
	}
}
