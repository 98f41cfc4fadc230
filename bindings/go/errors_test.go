package lately

// The messages of refused requests.

import (
	"errors"
	"strings"
	"testing"
	"time"
)

// refused checks the code, the field and words of the message of an error.
func refused(t *testing.T, err error, code Code, field string, words ...string) {
	t.Helper()
	var why *Error
	if !errors.As(err, &why) || !errors.Is(err, code) || why.Field != field {
		t.Errorf("got %#v, want code %d and field %q", err, code, field)
		return
	}
	for _, word := range words {
		if !strings.Contains(err.Error(), word) {
			t.Errorf("%q does not say %q", err, word)
		}
	}
}

// Plan refuses what NewFilter refuses, in the same words and with Go's names.
func TestErrorsSpeakGo(t *testing.T) {
	for want, o := range map[string]Options{
		"Kind = Kind(0): must be one of " + strings.Join(kinds[1:], ", "): {},
		"Kind = Kind(77): must be one of TimeLimited,":                    {Kind: 77},
		"Clock = Clock(3): must be one of SystemClock, ManualClock":       {Kind: WindowTable, Window: 1, Clock: 3},
		"Variant = Variant(5): must be one of QHT, ":                      {Kind: Quotient, Variant: 5},
		"Variant = QHT: " + kinds[3] + " does not take this option":       {Kind: 3, Capacity: 5, Variant: QHT},
		"Repeat = KeepFirst: ":                                            {Kind: 3, Capacity: 5, Repeat: KeepFirst},
		"OnLimit = RaiseErrorRate: must be ForgetOldest; the kind time-limited keeps the window": {
			Kind: WindowTable, Window: 1, OnLimit: RaiseErrorRate},
		"ErrorRate = 7: must be":                       {Kind: WindowTable, WindowKeys: 5, ErrorRate: 7},
		"Memory = 18446744073709551615 bytes: must be": {Kind: WindowTable, WindowKeys: 5, Memory: 1<<64 - 1},
		"Window = 0s: required unless WindowKeys":      Last(0),
		"Window = -1s: must be above 0":                Window(-time.Second),
		"MaxStep = -1ns: must be at least 0":           {Kind: TimeLimited, Window: 1, Clock: ManualClock, MaxStep: -1},
		"Lateness = -1ns: must be at least 0":          {Kind: WindowTable, Window: 1, Clock: ManualClock, Lateness: -1},
		"Lease = -1ns: must be above 0":                {Kind: WindowTable, Window: 1, Lease: -1},
	} {
		_, err := NewFilter(o)
		field, _, _ := strings.Cut(want, " = ")
		refused(t, err, ErrOption, field, want)
		_, again := Plan(o)
		if again == nil || again.Error() != err.Error() {
			t.Errorf("NewFilter says %v, Plan says %v", err, again)
		}
	}
}

func TestMessagesNameOptionsAsGoDoes(t *testing.T) {
	for from, to := range map[string]string{
		"window_ns = 0: must be at least 1":                       "Window = 0s: must be at least 1",
		"max_step_ns = 1: not above window_ns":                    "MaxStep = 1ns: not above Window",
		"lease_ns = 3600000000000: must be 1 to 600000000000 ns":  "Lease = 1h0m0s: must be 1ns to 10m0s",
		"elapsed = -3600000000000 ns: must be at least 0 ns":      "elapsed = -1h0m0s: must be at least 0s",
		"the tick is 7000000000 ns ahead: max_step_ns = 10":       "the tick is 7s ahead: MaxStep = 10ns",
		"window_ns = 5: must be 1 to 18446744073709551615 ns":     "Window = 5ns: must be 1ns to 18446744073709551615ns",
		"window_keys = 5: must be 1 to 3, cannot be 600000000000": "WindowKeys = 5: must be 1 to 3, cannot be 600000000000",
		"k = 9: must be less than max_slices":                     "K = 9: must be less than MaxSlices",
		"the clock is manual, no memory for load":                 "the clock is manual, no memory for load",
		"what_is_this = 5": "what_is_this = 5",
	} {
		if got := inGo(from); got != to {
			t.Errorf("%q became %q, not %q", from, got, to)
		}
	}
}

func TestAnUnknownStatusIsAnErrorLikeAnother(t *testing.T) {
	err := failure(4711)
	refused(t, err, 4711, "", "4711")
	if errors.Is(err, ErrTick) || Code(4711).Name() != "UNKNOWN" {
		t.Error(err, Code(4711).Name())
	}
	refused(t, &Error{Code: ErrFull}, ErrFull, "", "full")
}

func TestALibraryThatDoesNotFitIsTold(t *testing.T) {
	must(t, meets(0, 0, 1_000, 1_000))
	must(t, meets(0, 0, 1_000, 2_003_001))
	refused(t, meets(0, 0, 2_003, 1_000), ErrLibrary, "", "built for liblately 0.2.3", "is 0.1.0")
	refused(t, meets(1, 0, 1_000, 1_000), ErrLibrary, "", "ABI 1", "ABI 0")
	refused(t, meets(0, 1, 1_000, 1_000), ErrLibrary, "", "ABI 1", "ABI 0")
}

func TestNothingIsMadeByALibraryThatDoesNotFit(t *testing.T) {
	defer func(saved error) { libraryError = saved }(libraryError)
	libraryError = meets(1, 0, 0, 0)
	_, err := NewFilter(small)
	refused(t, err, ErrLibrary, "")
	_, err = Plan(small)
	refused(t, err, ErrLibrary, "")
	refused(t, unloaded(t, nil, 0, LoadOptions{}), ErrLibrary, "")
}
