package lately

// How long ago a key was seen: against the true ages, at exact moments.

import (
	"fmt"
	"math"
	"testing"
	"time"
)

// bracketed checks that an age is a bracket of at most one generation around the
// truth.
func bracketed(t *testing.T, verdict Verdict, age Age, err error, truth, generation uint64) {
	t.Helper()
	expect(t, verdict, err, Duplicate)
	if age.AtLeast > truth || age.AtMost < truth || age.AtMost-age.AtLeast > generation {
		t.Errorf("%d ago is %+v, a generation is %d", truth, age, generation)
	}
}

func TestTheAgeOfTimeIsABracketAroundTheTruth(t *testing.T) {
	const key, start = "key", 1_700_000_000
	options := Window(70 * time.Second)
	options.Clock = ManualClock
	for after := int64(0); after <= 70; after++ {
		filter := newFilter(t, options)
		first, then := time.Unix(start, 0), time.Unix(start+after, 0)
		verdict, age, err := filter.At(first).ObserveAge([]byte(key))
		expect(t, fmt.Sprint(verdict, age), err, fmt.Sprint(New, Age{}))
		tick, err := TickOf(then)
		must(t, err)
		for _, ask := range []func() (Verdict, Age, error){
			func() (Verdict, Age, error) { return filter.AtTick(tick).ContainsAge([]byte(key)) },
			func() (Verdict, Age, error) { return filter.AtTick(tick).ContainsAgeString(key) },
			func() (Verdict, Age, error) { return filter.At(then).ContainsAge([]byte(key)) },
			func() (Verdict, Age, error) { return filter.At(then).ContainsAgeString(key) },
			func() (Verdict, Age, error) { return filter.At(then).ObserveAgeString(key) },
		} {
			verdict, age, err := ask()
			bracketed(t, verdict, age, err, uint64(after)*nanos, 10*nanos)
		}
		for _, ask := range []func() (Verdict, Age, error){
			func() (Verdict, Age, error) { return filter.ContainsAge([]byte(key)) },
			func() (Verdict, Age, error) { return filter.ContainsAgeString(key) },
			func() (Verdict, Age, error) { return filter.ObserveAge([]byte(key)) },
			func() (Verdict, Age, error) { return filter.ObserveAgeString(key) },
			func() (Verdict, Age, error) { return filter.AtTick(tick).ObserveAge([]byte(key)) },
			func() (Verdict, Age, error) { return filter.AtTick(tick).ObserveAgeString(key) },
		} {
			verdict, age, err := ask()
			bracketed(t, verdict, age, err, 0, 10*nanos)
		}
	}
}

func TestTheAgeOfKeysCountsObservationsAndInsertions(t *testing.T) {
	const window = 700
	filter := newFilter(t, Last(window))
	must(t, filter.InsertString("key"))
	for ago := uint64(1); ago <= window; ago++ {
		verdict, age, err := filter.ContainsAgeString("key")
		bracketed(t, verdict, age, err, ago, window/7+window/7/8+2)
		_, err = filter.ObserveString(fmt.Sprint(ago))
		must(t, err)
	}
}

func TestAnAgeOfTimeIsTwoDurations(t *testing.T) {
	atLeast, atMost := Age{AtLeast: nanos, AtMost: math.MaxUint64}.Durations()
	if atLeast != time.Second || atMost != math.MaxInt64 {
		t.Error(atLeast, atMost)
	}
}

func TestOnlyTheWindowTableHasAges(t *testing.T) {
	for _, r := range rows(t) {
		filter := newFilter(t, r.options)
		must(t, filter.InsertString("a"))
		_, age, observe := filter.ObserveAgeString("a")
		_, _, contains := filter.ContainsAgeString("b")
		if r.options.Kind == WindowTable {
			must(t, observe)
			must(t, contains)
			continue
		}
		refused(t, observe, ErrUnsupported, "")
		refused(t, contains, ErrUnsupported, "")
		expect(t, age, nil, Age{})
	}
}

func TestAnAgeAtADateWithoutATickIsRefused(t *testing.T) {
	options := Window(time.Minute)
	options.Clock = ManualClock
	filter := newFilter(t, options)
	_, _, err := filter.At(time.Unix(0, -1)).ObserveAge(nil)
	refused(t, err, ErrTick, "")
	_, _, err = filter.At(time.Unix(0, -1)).ContainsAgeString("")
	refused(t, err, ErrTick, "")
}

func TestTheDefaultsAreWindowTables(t *testing.T) {
	if got, want := Window(time.Minute), (Options{Kind: WindowTable, Window: time.Minute}); got != want {
		t.Errorf("%+v", got)
	}
	if got, want := Last(7), (Options{Kind: WindowTable, WindowKeys: 7}); got != want {
		t.Errorf("%+v", got)
	}
	_, err := NewFilter(Window(-1))
	refused(t, err, ErrOption, "Window")
	_, err = NewFilter(Last(0))
	refused(t, err, ErrOption, "Window", "Window = 0s: required unless WindowKeys is given")
}
