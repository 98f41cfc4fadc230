package lately

// The life of a filter: closed twice, used after Close, closed in use, dropped.

import (
	"errors"
	"reflect"
	"runtime"
	"sync"
	"testing"
	"time"
)

// small is the request of most tests.
var small = Options{Kind: TimeLimited, Window: time.Minute, Clock: ManualClock, Capacity: 1000}

// newFilter builds a filter that is closed with the test.
func newFilter(t testing.TB, o Options) *Filter {
	t.Helper()
	filter, err := NewFilter(o)
	must(t, err)
	t.Cleanup(func() { filter.Close() })
	return filter
}

func expect[T comparable](t testing.TB, got T, err error, want T) {
	t.Helper()
	must(t, err)
	if got != want {
		t.Errorf("got %v, want %v", got, want)
	}
}

func TestCloseTwice(t *testing.T) {
	filter := newFilter(t, small)
	for range 3 {
		must(t, filter.Close())
	}
}

// calls makes every method's call with plain arguments.
func calls(filter *Filter) map[string]error {
	results := map[string]error{}
	value := reflect.ValueOf(filter)
	for i := range value.NumMethod() {
		method, name := value.Method(i), value.Type().Method(i).Name
		var in []reflect.Value
		for j := range method.Type().NumIn() {
			in = append(in, plain(method.Type().In(j)))
		}
		out := method.Call(in)
		err, _ := out[len(out)-1].Interface().(error)
		results[name] = err
	}
	return results
}

// plain is an argument that every method takes.
func plain(kind reflect.Type) reflect.Value {
	switch kind {
	case reflect.TypeFor[time.Time]():
		return reflect.ValueOf(time.Unix(1, 0))
	case reflect.TypeFor[*Keys]():
		return reflect.ValueOf(&Keys{})
	}
	return reflect.Zero(kind)
}

func TestEveryCallAfterCloseIsErrClosed(t *testing.T) {
	closed := newFilter(t, small)
	must(t, closed.Close())
	for what, filter := range map[string]*Filter{"closed": closed, "zero": {}} {
		results := calls(filter)
		if len(results) < 35 {
			t.Fatalf("%d methods", len(results))
		}
		for name, err := range results {
			if name != "Close" && !errors.Is(err, ErrClosed) {
				t.Errorf("%s filter: %s answers %v", what, name, err)
			}
		}
	}
}

func TestACopiedValueIsTheSameFilter(t *testing.T) {
	filter := newFilter(t, small)
	other := *filter
	must(t, other.Insert([]byte("a")))
	verdict, err := filter.Contains([]byte("a"))
	expect(t, verdict, err, Duplicate)
	must(t, filter.Close())
	must(t, other.Close())
	if err := other.Insert(nil); !errors.Is(err, ErrClosed) {
		t.Error(err)
	}
}

// Many goroutines in one filter while it is closed: each call either counts or
// is ErrClosed.
func TestCloseDuringUse(t *testing.T) {
	for range 25 {
		filter := newFilter(t, small)
		var started, done sync.WaitGroup
		for id := range 4 {
			started.Add(1)
			done.Add(1)
			go func() {
				defer done.Done()
				useUntilClosed(t, filter, uint64(id), started.Done)
			}()
		}
		started.Wait()
		must(t, filter.Close())
		done.Wait()
	}
}

func useUntilClosed(t *testing.T, filter *Filter, id uint64, started func()) {
	var keys Keys
	keys.AppendUint64(id)
	verdicts := make([]Verdict, 1)
	for i := 0; ; i++ {
		_, err := filter.ObserveBatch(&keys, nil, verdicts)
		if i == 0 {
			started()
		}
		if errors.Is(err, ErrClosed) {
			return
		}
		if err != nil {
			t.Error(err)
			return
		}
	}
}

func TestGoroutinesWaitForOneAnother(t *testing.T) {
	filter := newFilter(t, small)
	const goroutines, each = 4, 100
	var done sync.WaitGroup
	for range goroutines {
		done.Add(1)
		go func() {
			defer done.Done()
			for range each {
				if _, err := filter.Observe([]byte("same")); err != nil {
					t.Error(err)
				}
			}
		}()
	}
	done.Wait()
	stats, err := filter.Stats()
	expect(t, stats.News+stats.Duplicates, err, goroutines*each)
	expect(t, stats.News, nil, 1)
}

// With the tag lately_gcstress each of these calls collects while it has the C
// pointer, and nothing but the call itself holds the filter.
func TestAFilterLivesUntilItsLastCallEnds(t *testing.T) {
	for range 50 {
		filter, err := NewFilter(small)
		must(t, err)
		must(t, filter.Insert([]byte("a")))
		runtime.GC()
		clone, err := filter.Clone()
		must(t, err)
		verdict, err := clone.Observe([]byte("a"))
		expect(t, verdict, err, Duplicate)
	}
}

func TestACloneIsAnotherFilter(t *testing.T) {
	filter := newFilter(t, small)
	must(t, filter.InsertString("a"))
	clone, err := filter.Clone()
	must(t, err)
	must(t, clone.InsertString("b"))
	must(t, clone.Close())
	verdict, err := filter.ContainsString("a")
	expect(t, verdict, err, Duplicate)
	verdict, err = filter.ContainsString("b")
	expect(t, verdict, err, New)
}
