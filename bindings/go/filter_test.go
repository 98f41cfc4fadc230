package lately

// The verbs on keys, and what the plan and the statistics tell.

import (
	"testing"
	"time"
)

func TestAKeyIsNewOnce(t *testing.T) {
	for _, kind := range []Options{small, {Kind: TimeLimited, Window: time.Hour}} {
		filter := newFilter(t, kind)
		verdict, err := filter.Observe([]byte("a"))
		expect(t, verdict, err, New)
		verdict, err = filter.ObserveString("a")
		expect(t, verdict, err, Duplicate)
		hash, err := filter.Hash([]byte("a"))
		expect(t, hash, err, Hash64([]byte("a"), 0))
		stats, err := filter.Stats()
		expect(t, [2]uint64{stats.NewCount, stats.DuplicateCount}, err, [2]uint64{1, 1})
	}
}

func TestNilEmptyAndEmptyStringAreOneKey(t *testing.T) {
	filter := newFilter(t, small)
	verdict, err := filter.Observe(nil)
	expect(t, verdict, err, New)
	for _, key := range [][]byte{nil, {}, []byte("x")[:0]} {
		verdict, err = filter.Contains(key)
		expect(t, verdict, err, Duplicate)
	}
	verdict, err = filter.ObserveString("")
	expect(t, verdict, err, Duplicate)
}

func TestKeepFirstCountsAgeFromTheFirstSighting(t *testing.T) {
	o := Options{Kind: TimeLimited, Window: time.Minute, Clock: ManualClock, Repeat: KeepFirst}
	filter, late := newFilter(t, o), time.Unix(100, 0)
	for second := int64(0); second <= 50; second += 50 {
		_, err := filter.At(time.Unix(second, 0)).Observe([]byte("a"))
		must(t, err)
	}
	verdict, err := filter.At(late).Contains([]byte("a"))
	expect(t, verdict, err, New)
	must(t, filter.At(time.Unix(60, 0)).Insert([]byte("a")))
	verdict, err = filter.At(late).Contains([]byte("a"))
	expect(t, verdict, err, Duplicate)
}

func TestClearForgetsKeysClockAndCounters(t *testing.T) {
	filter := newFilter(t, small)
	_, err := filter.AtTick(77).Observe([]byte("a"))
	must(t, err)
	must(t, filter.Clear())
	_, err = filter.Observe([]byte("a"))
	refused(t, err, ErrClock, "", "first")
	must(t, filter.AtTick(0).Advance())
	stats, err := filter.Stats()
	expect(t, [3]uint64{stats.NewCount, stats.Items, uint64(stats.Clock)}, err, [3]uint64{})
	verdict, err := filter.Observe([]byte("a"))
	expect(t, verdict, err, New)
	must(t, filter.StatsReset())
	stats, err = filter.Stats()
	expect(t, stats.NewCount, err, 0)
	verdict, err = filter.Observe([]byte("a"))
	expect(t, verdict, err, Duplicate)
}

func TestPlanMatchesTheBuiltFilter(t *testing.T) {
	o := Options{Kind: TimeLimited, Window: time.Minute, ErrorRate: 1e-4, Capacity: 1_000_000}
	plan, err := Plan(o)
	must(t, err)
	if plan.ErrorRateWorst > 1e-4 || plan.ErrorRateWorst < 1e-5 || plan.Slices != plan.K+plan.L ||
		plan.WindowKeys != 1_000_000 || plan.Bytes < 2_000_000 || plan.BitsPerKey < 16 ||
		plan.BitsPerKeyPeak != plan.BitsPerKey {
		t.Errorf("%+v", plan)
	}
	grows, err := Plan(Window(time.Minute))
	must(t, err)
	if grows.BitsPerKeyPeak <= grows.BitsPerKey || grows.BitsPerKeyPeak > 3*grows.BitsPerKey {
		t.Errorf("%+v", grows)
	}
}

func TestMemoryIsALimit(t *testing.T) {
	const limit = 64 << 10
	filter := newFilter(t, Options{Kind: TimeLimited, Window: time.Minute, Clock: ManualClock, Memory: limit})
	var keys Keys
	for i := range uint64(200_000) {
		keys.AppendUint64(i)
	}
	_, err := filter.InsertBatch(&keys, nil)
	must(t, err)
	stats, err := filter.Stats()
	must(t, err)
	if stats.BytesPeak > limit || stats.Forgotten == 0 || stats.Reach >= time.Minute {
		t.Errorf("%+v", stats)
	}
}

func TestVerdictsPrint(t *testing.T) {
	if New.String() != "New" || Duplicate.String() != "Duplicate" || Verdict(9).String() != "Verdict(9)" {
		t.Error(New, Duplicate, Verdict(9))
	}
}

// Whatever the bytes, all roads say the same of them.
func FuzzAllRoadsAgree(f *testing.F) {
	f.Add([]byte(nil), uint64(0))
	f.Add([]byte("order-17"), uint64(42))
	f.Fuzz(func(t *testing.T, key []byte, seed uint64) {
		o := small
		o.Seed = seed
		filter := newFilter(t, o)
		must(t, filter.Insert(key))
		var keys Keys
		keys.AppendString(string(key))
		verdicts := make([]Verdict, 2)
		_, err := filter.ContainsBatch(&keys, nil, verdicts[:1])
		must(t, err)
		_, err = filter.ContainsBatch(Hashes([]uint64{Hash64(key, seed)}), nil, verdicts[1:])
		must(t, err)
		verdict, err := filter.ContainsString(string(key))
		expect(t, [3]Verdict{verdict, verdicts[0], verdicts[1]}, err, [3]Verdict{Duplicate, Duplicate, Duplicate})
	})
}
