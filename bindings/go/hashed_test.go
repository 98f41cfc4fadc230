package lately

import (
	"errors"
	"testing"
	"time"
)

// Every form of a number and of its hash is the same key.
func TestNumbersAndHashesAreKeys(t *testing.T) {
	for _, build := range []func(Options) (*Filter, error){NewFilter, NewUnshared} {
		bytes, number, hash, batch := must2(t, build), must2(t, build), must2(t, build), must2(t, build)
		numbers := make([]uint64, 0, 300)
		for i := uint64(0); i < 300; i++ {
			numbers = append(numbers, i*i%97*0x9e3779b97f4a7c15)
		}
		verdicts := make([]Verdict, len(numbers))
		n, err := batch.ObserveBatch(Uint64s(numbers), nil, verdicts)
		must(t, err)
		if n != len(numbers) {
			t.Fatalf("%d of %d", n, len(numbers))
		}
		for i, key := range numbers {
			eight := eight(key)
			want, err := bytes.Observe(eight[:])
			must(t, err)
			name, err := bytes.Hash(eight[:])
			must(t, err)
			before, err := hash.ContainsHash(name)
			must(t, err)
			have, err := hash.ObserveHash(name)
			must(t, err)
			alone, err := number.ObserveUint64(key)
			must(t, err)
			if have != want || before != want || alone != want || verdicts[i] != want {
				t.Fatalf("key %d: %v, %v, %v, %v, not %v", i, before, have, alone, verdicts[i], want)
			}
		}
		for _, filter := range []*Filter{bytes, number, hash, batch} {
			if n, err := filter.ContainsBatch(Uint64s(numbers), nil, verdicts); n != len(numbers) || err != nil {
				t.Fatal(n, err)
			}
			for i, verdict := range verdicts {
				if one, err := filter.ContainsUint64(numbers[i]); verdict != Duplicate || one != Duplicate || err != nil {
					t.Fatalf("key %d: %v, %v, %v", i, verdict, one, err)
				}
			}
			must(t, filter.Close())
		}
	}
}

func must2(t *testing.T, build func(Options) (*Filter, error)) *Filter {
	t.Helper()
	filter, err := build(Last(1000))
	must(t, err)
	return filter
}

func TestHashesAndNumbersAreInsertedAndTakeTicks(t *testing.T) {
	filter, err := NewFilter(Options{Kind: WindowTable, Window: time.Minute, Clock: ManualClock})
	must(t, err)
	defer filter.Close()
	date := time.Unix(1, 0)
	must(t, filter.AtTick(0).Advance())
	must(t, filter.InsertUint64(1))
	must(t, filter.InsertHash(2))
	must(t, filter.AtTick(1).InsertHash(3))
	must(t, filter.At(date).InsertHash(4))
	if n, err := filter.InsertBatch(Uint64s([]uint64{5, 6}), []Tick{1, 2}); n != 2 || err != nil {
		t.Fatal(n, err)
	}
	for what, call := range map[string]func() (Verdict, error){
		"hash 2":  func() (Verdict, error) { return filter.ContainsHash(2) },
		"hash 3":  func() (Verdict, error) { return filter.AtTick(5).ContainsHash(3) },
		"hash 4":  func() (Verdict, error) { return filter.At(date).ContainsHash(4) },
		"again 4": func() (Verdict, error) { return filter.At(date).ObserveHash(4) },
		"tick 4":  func() (Verdict, error) { return filter.AtTick(7).ObserveHash(4) },
		"key 6":   func() (Verdict, error) { return filter.AtTick(7).ObserveUint64(6) },
		"date 6":  func() (Verdict, error) { return filter.At(date).ObserveUint64(6) },
	} {
		if verdict, err := call(); err != nil || verdict != Duplicate {
			t.Errorf("%s: %v, %v", what, verdict, err)
		}
	}
	for _, err := range []error{
		second(filter.At(time.Unix(-1, 0)).ObserveHash(1)), filter.At(time.Unix(-1, 0)).InsertHash(1),
		second(filter.At(time.Unix(-1, 0)).ContainsHash(1)), second(filter.At(time.Unix(-1, 0)).ObserveUint64(1)),
	} {
		if !errors.Is(err, ErrTick) {
			t.Errorf("a date before 1970: %v", err)
		}
	}
}

func second[T any](_ T, err error) error { return err }

func TestAKeyedFilterTakesNumbersAndNoHashes(t *testing.T) {
	filter, err := NewFilter(Options{Kind: WindowTable, WindowKeys: 100, Keyed: true})
	must(t, err)
	defer filter.Close()
	for _, err := range []error{
		second(filter.ObserveHash(1)), filter.InsertHash(1), second(filter.ContainsHash(1)),
	} {
		if !errors.Is(err, ErrUnsupported) {
			t.Errorf("a hash: %v", err)
		}
	}
	if verdict, err := filter.ObserveUint64(1); verdict != New || err != nil {
		t.Error(verdict, err)
	}
	short := make([]Verdict, 1)
	if _, err := filter.ObserveBatch(Uint64s([]uint64{1, 2}), nil, short); !errors.Is(err, ErrOffsets) {
		t.Errorf("too little room: %v", err)
	}
}
