package lately

// The messages of refused requests.

import (
	"errors"
	"math"
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

// Each option is refused under its Go name, by NewFilter and by Plan.
func TestEveryOptionIsRefusedByName(t *testing.T) {
	base := Options{Kind: TimeLimited, Window: time.Minute}
	for field, change := range map[string]func(*Options){
		"Kind":            func(o *Options) { o.Kind = 99 },
		"Clock":           func(o *Options) { o.Clock = 99 },
		"Repeat":          func(o *Options) { o.Repeat = 99 },
		"OnLimit":         func(o *Options) { o.OnLimit = 99 },
		"Window":          func(o *Options) { o.Window = 0 },
		"WindowKeys":      func(o *Options) { o.WindowKeys = 5 },
		"Capacity":        func(o *Options) { o.Capacity = 1 << 60 },
		"ErrorRate":       func(o *Options) { o.ErrorRate = 0.75 },
		"MissRate":        func(o *Options) { o.MissRate = 0.5 },
		"Memory":          func(o *Options) { o.Memory = 1 },
		"MaxStep":         func(o *Options) { o.MaxStep = time.Second },
		"K":               func(o *Options) { o.K = 5000 },
		"L":               func(o *Options) { o.L = 5000 },
		"MaxSlices":       func(o *Options) { o.MaxSlices = 5000 },
		"Fill":            func(o *Options) { o.Fill = 0.95 },
		"Variant":         func(o *Options) { o.Variant = QHT },
		"FingerprintBits": func(o *Options) { o.FingerprintBits = 8 },
		"SemiSort":        func(o *Options) { o.SemiSort = true },
		"Removable":       func(o *Options) { o.Removable = true },
		"BlockBytes":      func(o *Options) { o.BlockBytes = 64 },
		"Chains":          func(o *Options) { o.Chains = 64 },
		"Load":            func(o *Options) { o.Load = 2 },
		"AgeBits":         func(o *Options) { o.AgeBits = 3 },
		"Lateness":        func(o *Options) { o.Lateness = 1 },
		"Secret":          func(o *Options) { o.Secret = SecretOf(0x1234567, 0) },
	} {
		o := base
		change(&o)
		_, err := NewFilter(o)
		refused(t, err, ErrOption, field, field+" = ", ": ")
		_, again := Plan(o)
		if again == nil || again.Error() != err.Error() {
			t.Errorf("%s: NewFilter says %v, Plan says %v", field, err, again)
		}
		if strings.Contains(err.Error(), "_") || strings.Contains(err.Error(), "1234567") {
			t.Errorf("%q names an option as C does, or tells the secret", err)
		}
	}
}

func TestValuesThatCHasNotAreRefusedHere(t *testing.T) {
	_, err := NewFilter(Options{Kind: TimeLimited, Window: -time.Second})
	refused(t, err, ErrOption, "Window", "Window = -1s")
	_, err = NewFilter(Options{Kind: TimeLimited, Window: 1, Clock: ManualClock, MaxStep: -1})
	refused(t, err, ErrOption, "MaxStep", "MaxStep = -1ns")
	_, err = NewFilter(Options{Kind: WindowTable, Window: 1, Clock: ManualClock, Lateness: -1})
	refused(t, err, ErrOption, "Lateness", "Lateness = -1ns")
	_, err = Plan(Options{Kind: TimeLimited, Window: 1, ErrorRate: math.NaN()})
	refused(t, err, ErrOption, "ErrorRate", "NaN")
}

func TestAKindIsRequired(t *testing.T) {
	_, err := NewFilter(Options{})
	refused(t, err, ErrOption, "Kind")
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

func TestCallsAreRefusedByCode(t *testing.T) {
	manual := newFilter(t, Options{Kind: TimeLimited, Window: time.Minute, Clock: ManualClock, MaxStep: time.Second})
	must(t, manual.AtTick(0).Insert([]byte("a")))
	_, err := manual.AtTick(Tick(2 * time.Second)).Observe([]byte("a"))
	refused(t, err, ErrTick, "", "too far ahead")
	stats, err := manual.Stats()
	expect(t, stats.RefusedTicks, err, 1)

	system := newFilter(t, Options{Kind: TimeLimited, Window: time.Minute})
	_, err = system.AtTick(1).Observe([]byte("a"))
	refused(t, err, ErrClock, "")
	refused(t, system.AtTick(1).Advance(), ErrClock, "")
	_, err = system.Remove([]byte("a"))
	refused(t, err, ErrUnsupported, "")
	_, err = system.Secret()
	refused(t, err, ErrUnsupported, "")
	if errors.Is(err, ErrClock) {
		t.Error("every code is every other")
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

func TestNewFilterAndPlanTellOfTheLibrary(t *testing.T) {
	defer func(saved error) { libraryError = saved }(libraryError)
	libraryError = meets(1, 0, 0, 0)
	_, err := NewFilter(small)
	refused(t, err, ErrLibrary, "")
	_, err = Plan(small)
	refused(t, err, ErrLibrary, "")
}
