package lately

// A Claim from its beginning to its end. What the verbs do with tokens, the vectors show.

import (
	"testing"
	"time"
)

// claiming is a window of 60 s by a manual clock, whose claims last 10 s.
func claiming() Options {
	options := Window(60 * time.Second)
	options.Clock = ManualClock
	options.Lease = 10 * time.Second
	return options
}

func claimed(t *testing.T, claim *Claim, err error, want Verdict) *Claim {
	t.Helper()
	must(t, err)
	if claim.Verdict() != want || (claim.Token() != 0) != (want == New) {
		t.Fatalf("claimed %v with token %x, want %v", claim.Verdict(), claim.Token(), want)
	}
	return claim
}

func TestClaim_CommitEndsItOnceAndHasACopyOfTheKey(t *testing.T) {
	filter, key := newFilter(t, claiming()), []byte("a")
	claim, err := filter.Claim(key)
	first := claimed(t, claim, err, New)
	key[0] = 'b'
	claim, err = filter.ClaimString("a")
	must(t, claimed(t, claim, err, Pending).Abandon()) // not its own: nothing
	_, err = claim.Commit()
	refused(t, err, ErrClaim, "")
	found, err := first.Commit()
	expect(t, found, err, CommitInTime)
	must(t, first.Abandon())
	_, err = first.Commit()
	refused(t, err, ErrClaim, "")
	claim, err = filter.ClaimString("a")
	claimed(t, claim, err, Duplicate)
	var none *Claim
	must(t, none.Abandon())
	_, err = none.Commit()
	refused(t, err, ErrClaim, "")
}

func TestClaim_AbandonedLeavesNoTrace(t *testing.T) {
	filter := newFilter(t, claiming())
	for range 2 {
		func() {
			claim, err := filter.ClaimString("a")
			defer claimed(t, claim, err, New).Abandon()
		}()
	}
	claim, err := filter.ClaimString("a")
	claimed(t, claim, err, New)
	must(t, filter.Close())
	_, err = claim.Commit()
	refused(t, err, ErrClosed, "")
	refused(t, claim.Abandon(), ErrClosed, "") // and is open as before
}

func TestClaim_CommitIsJudgedAtItsTick(t *testing.T) {
	for name, commit := range map[string]func(*Filter, *Claim, Tick) (Committed, error){
		"CommitTick": func(_ *Filter, claim *Claim, now Tick) (Committed, error) { return claim.CommitTick(now) },
		"CommitAt":   func(_ *Filter, claim *Claim, now Tick) (Committed, error) { return claim.CommitAt(now.Time()) },
		"AtTick": func(f *Filter, claim *Claim, now Tick) (Committed, error) {
			return f.AtTick(now).Commit([]byte("a"), claim.Token())
		},
		"Commit": func(f *Filter, claim *Claim, now Tick) (Committed, error) {
			must(t, f.AtTick(now).Advance())
			return f.Commit([]byte("a"), claim.Token())
		},
	} {
		for now, want := range map[Tick]Committed{15 * aSecond: CommitInTime, 15*aSecond + 1: CommitLate} {
			filter := newFilter(t, claiming())
			claim, err := filter.AtTick(5 * aSecond).ClaimString("a")
			claimed(t, claim, err, New)
			found, err := commit(filter, claim, now)
			if found != want || err != nil {
				t.Errorf("%s at %d: %v, %v", name, now, found, err)
			}
			_, err = claim.CommitAt(time.Unix(-1, 0))
			refused(t, err, ErrTick, "")
		}
	}
}
