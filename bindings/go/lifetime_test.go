package lately

// The life of a filter: closed twice, used after Close, closed in use, dropped.

import (
	"errors"
	flags "flag" // cgo.go has a flag
	"io"
	"reflect"
	"runtime"
	"sync"
	"testing"
	"time"
)

// small is the request of most tests.
var small = Options{Kind: TimeLimited, Window: time.Minute, Clock: ManualClock, Capacity: 1000}

// The tests run on filters of NewFilter, or on the others.
var unshared = flags.Bool("unshared", false, "test and measure filters of NewUnshared")

// construct builds a filter of the sort that is tested.
func construct(o Options) (*Filter, error) {
	if *unshared {
		return NewUnshared(o)
	}
	return NewFilter(o)
}

// newFilter builds a filter that is closed with the test.
func newFilter(t testing.TB, o Options) *Filter {
	t.Helper()
	filter, err := construct(o)
	must(t, err)
	t.Cleanup(func() { filter.Close() })
	begin(t, filter, o)
	return filter
}

// begin gives a manual clock its first tick.
func begin(t testing.TB, filter *Filter, o Options) {
	t.Helper()
	if o.Clock == ManualClock {
		must(t, filter.AtTick(0).Advance())
	}
}

func expect[T comparable](t testing.TB, got T, err error, want T) {
	t.Helper()
	must(t, err)
	if got != want {
		t.Errorf("got %v, want %v", got, want)
	}
}

// calls makes every method's call with plain arguments. With an error there is no verdict.
func calls(t *testing.T, on any) map[string]error {
	t.Helper()
	results := map[string]error{}
	value := reflect.ValueOf(on)
	for i := range value.NumMethod() {
		method, name := value.Method(i), value.Type().Method(i).Name
		var in []reflect.Value
		for j := range method.Type().NumIn() {
			in = append(in, plain(method.Type().In(j)))
		}
		out := method.Call(in)
		err, _ := out[len(out)-1].Interface().(error)
		results[name] = err
		if verdict, isVerdict := out[0].Interface().(Verdict); isVerdict && verdict != 0 && err != nil {
			t.Errorf("%s returned %v with %v", name, verdict, err)
		}
	}
	return results
}

// needNoFilter are the methods that show a filter, and a closed one says so, or wait for a key.
var needNoFilter = map[string]bool{"At": true, "AtTick": true, "By": true, "Close": true, "String": true, "GoString": true,
	"LogValue": true, "MarshalJSON": true, "UnmarshalJSON": true, "GobEncode": true, "GobDecode": true}

// plain is an argument that every method takes.
func plain(kind reflect.Type) reflect.Value {
	switch kind {
	case reflect.TypeFor[time.Time]():
		return reflect.ValueOf(time.Unix(1, 0))
	case reflect.TypeFor[io.Writer]():
		return reflect.ValueOf(io.Discard)
	case reflect.TypeFor[Batch]():
		return reflect.ValueOf(&Keys{})
	}
	return reflect.Zero(kind)
}

func TestEveryCallAfterCloseIsErrClosed(t *testing.T) {
	closed := newFilter(t, small)
	for range 3 {
		must(t, closed.Close())
	}
	for what, filter := range map[string]*Filter{"closed": closed, "zero": {}, "nil": nil} {
		results := calls(t, filter)
		if len(results) < 40 || len(results) > 45 {
			t.Fatalf("a filter has %d methods, of 45 at the most", len(results))
		}
		for name, err := range results {
			if !needNoFilter[name] && !errors.Is(err, ErrClosed) {
				t.Errorf("%s filter: %s answers %v", what, name, err)
			}
		}
		for name, err := range calls(t, filter.AtTick(1)) {
			if !errors.Is(err, ErrClosed) {
				t.Errorf("%s filter: %s at a tick answers %v", what, name, err)
			}
		}
	}
	for name, err := range calls(t, newFilter(t, small).At(time.Unix(-1, 0))) {
		if !errors.Is(err, ErrTick) {
			t.Errorf("%s at a date without a tick answers %v", name, err)
		}
	}
}

// Many goroutines in one filter while others close it: each call either counts
// or is ErrClosed.
func TestCloseDuringUse(t *testing.T) {
	for round := range 25 {
		filter := newFilter(t, small)
		var started, done sync.WaitGroup
		for id := range 6 {
			started.Add(1)
			done.Add(1)
			go func() {
				defer done.Done()
				useUntilClosed(t, filter, round+id, started.Done)
			}()
		}
		started.Wait()
		for range 2 {
			done.Add(1)
			go func() {
				defer done.Done()
				must(t, filter.Close())
			}()
		}
		done.Wait()
	}
}

func useUntilClosed(t *testing.T, filter *Filter, id int, started func()) {
	verbs := someVerbs(filter)
	for i := id; ; i++ {
		err := verbs[i%len(verbs)]()
		if i == id {
			started()
		}
		if errors.Is(err, ErrClosed) {
			return
		}
		if err != nil && !errors.Is(err, ErrClock) { // between a Clear and the next tick
			t.Error(err)
			return
		}
	}
}

// someVerbs are calls of each sort, which goroutines make at once.
func someVerbs(filter *Filter) []func() error {
	var keys Keys
	keys.AppendString("a")
	verdicts := make([]Verdict, 1)
	verdict := func(_ Verdict, err error) error { return err }
	batch := func(_ int, err error) error { return err }
	return []func() error{
		func() error { return batch(filter.ObserveBatch(&keys, nil, verdicts)) },
		func() error { return verdict(filter.ObserveString("a")) },
		func() error { return filter.InsertString("b") },
		func() error { return verdict(filter.ContainsString("a")) },
		func() error { return batch(filter.InsertBatch(Hashes([]uint64{1, 2}), nil)) },
		func() error { return filter.AtTick(1).Advance() },
		func() error { _, err := filter.Stats(); return err },
		filter.StatsReset,
		filter.Clear,
		func() error { return closed(filter.Clone()) },
		func() error { _, err := filter.WriteTo(io.Discard); return err },
		func() error {
			if *unshared {
				return nil
			}
			return closed(filter.Share())
		},
	}
}

// closed closes what a call made.
func closed(filter *Filter, err error) error {
	if err != nil {
		return err
	}
	return filter.Close()
}

// inside lets a goroutine into a filter, where it stays until the channel
// closes; it returns when the call is there.
func inside(t *testing.T, filter *Filter, done *sync.WaitGroup, until <-chan struct{}) (there chan struct{}) {
	there = make(chan struct{})
	done.Add(1)
	go func() {
		defer done.Done()
		must(t, filter.handle.use(func(cFilter) cStatus {
			close(there)
			<-until
			return 0
		}))
	}()
	return there
}

// happens reports whether a channel closes soon.
func happens(what <-chan struct{}, soon time.Duration) bool {
	select {
	case <-what:
		return true
	case <-time.After(soon):
		return false
	}
}

func TestCallsOfASharedFilterRunSideBySide(t *testing.T) {
	filter := newFilter(t, small)
	var done sync.WaitGroup
	leave := make(chan struct{})
	for range map[bool]int{true: 1, false: 3}[*unshared] {
		if !happens(inside(t, filter, &done, leave), 10*time.Second) {
			t.Error("a call waits for another")
			break
		}
	}
	if *unshared && happens(inside(t, filter, &done, leave), 20*time.Millisecond) {
		t.Error("two calls are in an unshared filter")
	}
	close(leave)
	done.Wait()
}

func TestCloseWaitsForCallsAndLaterOnesFindItClosed(t *testing.T) {
	filter := newFilter(t, small)
	var done sync.WaitGroup
	leave, closed := make(chan struct{}), make(chan struct{})
	<-inside(t, filter, &done, leave)
	go func() {
		must(t, filter.Close())
		close(closed)
	}()
	if happens(closed, 20*time.Millisecond) {
		t.Error("closed with a call inside")
	}
	close(leave)
	done.Wait()
	if !happens(closed, 10*time.Second) {
		t.Fatal("Close waits for nobody")
	}
	refused(t, filter.Insert(nil), ErrClosed, "")
}

// A copied value and an owner of Share are the same filter, a clone is another one.
func TestEachOwnerClosesItsOwn(t *testing.T) {
	filter := newFilter(t, small)
	must(t, filter.InsertString("a"))
	contains := func(of *Filter, key string, want Verdict) {
		t.Helper()
		verdict, err := of.ContainsString(key)
		expect(t, verdict, err, want)
	}
	clone, err := filter.Clone()
	must(t, err)
	must(t, clone.InsertString("b"))
	contains(clone, "a", Duplicate)
	must(t, clone.Close())
	contains(filter, "b", New)
	copied := *filter
	must(t, copied.InsertString("c"))
	other, err := filter.Share()
	if *unshared {
		refused(t, err, ErrUnsupported, "")
		contains(filter, "c", Duplicate)
		return
	}
	must(t, err)
	must(t, copied.Close())
	must(t, filter.Close())
	refused(t, filter.InsertString("a"), ErrClosed, "")
	contains(other, "c", Duplicate)
	must(t, other.Close())
	refused(t, other.InsertString("a"), ErrClosed, "")
}

// With the tag lately_gcstress each of these calls collects while it has the C
// pointer, and only the call itself refers to the filter.
func TestAFilterLivesUntilItsLastCallEnds(t *testing.T) {
	for range 50 {
		filter, err := construct(small)
		must(t, err)
		must(t, filter.AtTick(0).Insert([]byte("a")))
		runtime.GC()
		clone, err := filter.Clone()
		must(t, err)
		verdict, err := clone.Observe([]byte("a"))
		expect(t, verdict, err, Duplicate)
	}
}
