package lately

// Every kind of filter through every verb: the rows of tests/vectors/kinds.txt.

import (
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"
)

// setters says in Go what the files of tests/vectors say as OPTION=NUMBER.
var setters = map[string]func(*Options, uint64, float64){
	// <options>
	"kind":             func(o *Options, n uint64, _ float64) { o.Kind = Kind(n) },
	"clock":            func(o *Options, n uint64, _ float64) { o.Clock = Clock(n) },
	"repeat":           func(o *Options, n uint64, _ float64) { o.Repeat = Repeat(n) },
	"on_limit":         func(o *Options, n uint64, _ float64) { o.OnLimit = OnLimit(n) },
	"window_ns":        func(o *Options, n uint64, _ float64) { o.Window = time.Duration(n) },
	"window_keys":      func(o *Options, n uint64, _ float64) { o.WindowKeys = n },
	"capacity":         func(o *Options, n uint64, _ float64) { o.Capacity = n },
	"error_rate":       func(o *Options, _ uint64, x float64) { o.ErrorRate = x },
	"miss_rate":        func(o *Options, _ uint64, x float64) { o.MissRate = x },
	"memory":           func(o *Options, n uint64, _ float64) { o.Memory = n },
	"max_step_ns":      func(o *Options, n uint64, _ float64) { o.MaxStep = time.Duration(n) },
	"k":                func(o *Options, n uint64, _ float64) { o.K = uint32(n) },
	"l":                func(o *Options, n uint64, _ float64) { o.L = uint32(n) },
	"max_slices":       func(o *Options, n uint64, _ float64) { o.MaxSlices = uint32(n) },
	"fill":             func(o *Options, _ uint64, x float64) { o.Fill = x },
	"variant":          func(o *Options, n uint64, _ float64) { o.Variant = Variant(n) },
	"fingerprint_bits": func(o *Options, n uint64, _ float64) { o.FingerprintBits = uint32(n) },
	"semi_sort":        func(o *Options, n uint64, _ float64) { o.SemiSort = n == 1 },
	"removable":        func(o *Options, n uint64, _ float64) { o.Removable = n == 1 },
	"block_bytes":      func(o *Options, n uint64, _ float64) { o.BlockBytes = uint32(n) },
	"chains":           func(o *Options, n uint64, _ float64) { o.Chains = uint32(n) },
	"load":             func(o *Options, _ uint64, x float64) { o.Load = x },
	"keyed":            func(o *Options, n uint64, _ float64) { o.Keyed = n == 1 },
	"seed":             func(o *Options, n uint64, _ float64) { o.Seed = n },
	"secret_lo":        func(o *Options, n uint64, _ float64) { _, hi := o.Secret.Words(); o.Secret = SecretOf(n, hi) },
	"secret_hi":        func(o *Options, n uint64, _ float64) { lo, _ := o.Secret.Words(); o.Secret = SecretOf(lo, n) },
	"age_bits":         func(o *Options, n uint64, _ float64) { o.AgeBits = uint32(n) },
	"lateness_ns":      func(o *Options, n uint64, _ float64) { o.Lateness = time.Duration(n) },
	"lease_ns":         func(o *Options, n uint64, _ float64) { o.Lease = time.Duration(n) },
	"max_claims":       func(o *Options, n uint64, _ float64) { o.MaxClaims = n },
	// </options>
}

// optionsOf is the request of the words OPTION=NUMBER.
func optionsOf(t *testing.T, words []string) (o Options) {
	t.Helper()
	for _, word := range words {
		name, value, _ := strings.Cut(word, "=")
		set, known := setters[name]
		if !known {
			t.Fatalf("no option %q", name)
		}
		number, _ := strconv.ParseUint(value, 10, 64)
		fraction, err := strconv.ParseFloat(value, 64)
		must(t, err)
		set(&o, number, fraction)
	}
	return o
}

// row is a kind as the suite sees it.
type row struct {
	name              string
	hasTicks, removes bool
	isExact           bool // of few keys
	options           Options
}

func rows(t *testing.T) (all []row) {
	t.Helper()
	for _, line := range strings.Split(read(t, "../../tests/vectors/kinds.txt"), "\n") {
		if line == "" || strings.HasPrefix(line, "#") {
			continue
		}
		words := strings.Split(line, " ")
		all = append(all, row{words[0], words[1] == "time", words[2] != "keeps", words[2] == "forgets", optionsOf(t, words[4:])})
	}
	return all
}

// The kinds are numbered from 1.
func TestEveryKindThatTheLibraryBuildsHasARow(t *testing.T) {
	for kind, isKind := Kind(1), true; isKind; kind++ {
		_, err := Plan(Options{Kind: kind})
		var why *Error
		isKind = !errors.As(err, &why) || why.Field != "Kind"
		if isKind != slices.ContainsFunc(rows(t), func(r row) bool { return r.options.Kind == kind }) {
			t.Errorf("kind %d: %v", kind, err)
		}
	}
}

func TestEveryKind(t *testing.T) {
	for _, r := range rows(t) {
		for name, test := range map[string]func(*testing.T, row){
			"plan": aPlan, "single": singleKeys, "stats": someStats, "batch": batches, "insert": insertBatches,
			"clear and copy": clearAndCopy, "remove": removal, "full": fullBlock, "ticks": ticksOrNone, "hash": hashAndSecret,
		} {
			t.Run(r.name+"/"+name, func(t *testing.T) { test(t, r) })
		}
	}
}

func aPlan(t *testing.T, r row) {
	plan, err := Plan(r.options)
	must(t, err)
	stats, err := newFilter(t, r.options).Stats()
	must(t, err)
	if plan.ErrorRateWorst <= 0 || plan.ErrorRateWorst > 0.5 || plan.ErrorRateMean <= 0 ||
		plan.ErrorRateMean > plan.ErrorRateWorst || plan.CacheLinesPerObserve < 1 ||
		plan.Slices+plan.Blocks+plan.Rows == 0 || plan.Bytes != 0 && plan.Bytes != stats.Bytes {
		t.Errorf("%+v", plan)
	}
}

func singleKeys(t *testing.T, r row) {
	filter := newFilter(t, r.options)
	verdict, err := filter.Contains([]byte("a"))
	expect(t, verdict, err, New)
	verdict, err = filter.Observe([]byte("a"))
	expect(t, verdict, err, New)
	verdict, err = filter.ObserveString("a")
	expect(t, verdict, err, Duplicate)
	must(t, filter.InsertString("b"))
	verdict, err = filter.ContainsString("b")
	expect(t, verdict, err, Duplicate)
	verdict, err = filter.Observe(nil)
	expect(t, verdict, err, New)
}

func someStats(t *testing.T, r row) {
	filter := newFilter(t, r.options)
	for _, key := range []string{"a", "b", "a"} {
		_, err := filter.ObserveString(key)
		must(t, err)
	}
	stats, err := filter.Stats()
	must(t, err)
	// Some kinds store a duplicate again.
	if stats.NewCount != 2 || stats.DuplicateCount != 1 || stats.Items != 2 && stats.Items != 3 || stats.Bytes == 0 ||
		stats.BytesPeak < stats.Bytes || stats.ErrorRate <= 0 && !r.isExact || stats.ErrorRate > 0.5 {
		t.Errorf("%+v", stats)
	}
	must(t, filter.StatsReset())
	reset, err := filter.Stats()
	expect(t, [3]uint64{reset.NewCount, reset.DuplicateCount, reset.Items}, err, [3]uint64{0, 0, stats.Items})
}

func batches(t *testing.T, r row) {
	keys, _ := stream(2000)
	single, bytes, hashes := newFilter(t, r.options), newFilter(t, r.options), newFilter(t, r.options)
	var want []Verdict
	var hashed []uint64
	for _, key := range keys {
		verdict, err := single.Observe(key)
		must(t, err)
		hash, err := single.Hash(key)
		must(t, err)
		want, hashed = append(want, verdict), append(hashed, hash)
	}
	got := make([]Verdict, len(keys))
	done, err := bytes.ObserveBatch(packed(keys), nil, got)
	expect(t, fmt.Sprint(done, got), err, fmt.Sprint(len(keys), want))
	done, err = hashes.ObserveBatch(Hashes(hashed), nil, got)
	expect(t, fmt.Sprint(done, got), err, fmt.Sprint(len(keys), want))
	sameStats(t, single, bytes, hashes)
	_, err = bytes.ContainsBatch(packed(keys), nil, got)
	expect(t, slices.Index(got, New), err, -1)
	_, err = hashes.ContainsBatch(Hashes(hashed), nil, got)
	expect(t, slices.Index(got, New), err, -1)
}

func insertBatches(t *testing.T, r row) {
	bytes, hashes := newFilter(t, r.options), newFilter(t, r.options)
	keys := [][]byte{[]byte("a"), nil, []byte("bc")}
	var hashed []uint64
	for _, key := range keys {
		hashed = append(hashed, Hash64(key, 0))
	}
	done, err := bytes.InsertBatch(packed(keys), nil)
	expect(t, done, err, 3)
	done, err = hashes.InsertBatch(Hashes(hashed), nil)
	expect(t, done, err, 3)
	sameStats(t, bytes, hashes)
	verdict, err := hashes.ContainsString("bc")
	expect(t, verdict, err, Duplicate)
	verdict, err = bytes.ContainsString("b")
	expect(t, verdict, err, New)
}

func clearAndCopy(t *testing.T, r row) {
	keys, _ := stream(2000)
	filter, fresh := newFilter(t, r.options), newFilter(t, r.options)
	_, err := filter.InsertBatch(packed(keys), nil)
	must(t, err)
	clone, err := filter.Clone()
	must(t, err)
	defer clone.Close()
	sameStats(t, filter, clone)
	must(t, filter.Clear())
	sameStats(t, filter, fresh)
	begin(t, filter, r.options)
	found, again, first := make([]Verdict, 2000), make([]Verdict, 2000), make([]Verdict, 2000)
	_, err = clone.ContainsBatch(packed(keys), nil, found)
	expect(t, slices.Index(found, New), err, -1)
	_, err = filter.ObserveBatch(packed(keys), nil, again)
	must(t, err)
	_, err = fresh.ObserveBatch(packed(keys), nil, first)
	expect(t, slices.Equal(again, first), err, true)
}

func removal(t *testing.T, r row) {
	filter := newFilter(t, r.options)
	must(t, filter.InsertString("a"))
	removed, err := filter.RemoveString("a")
	if !r.removes {
		refused(t, err, ErrUnsupported, "")
	} else {
		expect(t, removed, err, true)
		removed, err = filter.Remove([]byte("a"))
		expect(t, removed, err, false)
	}
	stats, err := filter.Stats()
	expect(t, stats.Removed, err, map[bool]uint64{true: 1}[r.isExact])
	verdict, err := filter.ContainsString("a")
	expect(t, verdict == New, err, r.removes)
}

// fullBlock takes the room of one key's block, if there is an end to it, and makes
// some.
func fullBlock(t *testing.T, r row) {
	filter := newFilter(t, r.options)
	var err error
	for i := 0; i < 2000 && err == nil; i++ {
		err = filter.InsertString("a")
	}
	if !r.removes || r.isExact {
		must(t, err)
		return
	}
	refused(t, err, ErrFull, "")
	removed, err := filter.RemoveString("a")
	expect(t, removed, err, true)
	must(t, filter.InsertString("a"))
}

func ticksOrNone(t *testing.T, r row) {
	filter, date := newFilter(t, r.options), time.Unix(2, 0)
	_, contains := filter.AtTick(1).Contains([]byte("a"))
	insert := filter.At(date).Insert([]byte("a"))
	_, observe := filter.At(date).Observe([]byte("a"))
	_, batch := filter.InsertBatch(packed([][]byte{[]byte("b")}), []Tick{5})
	_, hashes := filter.InsertBatch(Hashes([]uint64{7}), []Tick{5})
	for _, err := range []error{contains, insert, observe, batch, hashes, filter.At(date).Advance()} {
		if r.hasTicks {
			must(t, err)
		} else {
			refused(t, err, ErrClock, "")
		}
	}
	stats, err := filter.Stats()
	expect(t, stats.Clock == Tick(2*time.Second) && stats.Items > 0, err, r.hasTicks)
}

func hashAndSecret(t *testing.T, r row) {
	o := r.options
	o.Seed = 42
	seeded := newFilter(t, o)
	hash, err := seeded.Hash([]byte("a"))
	expect(t, hash, err, Hash64([]byte("a"), 42))
	_, err = seeded.Secret()
	refused(t, err, ErrUnsupported, "")
	o.Keyed, o.Secret = true, SecretOf(7, 9)
	keyed := newFilter(t, o)
	secret, err := keyed.Secret()
	expect(t, secret.Equal(o.Secret), err, true)
	_, err = keyed.Hash([]byte("a"))
	refused(t, err, ErrUnsupported, "")
	verdict, err := keyed.ObserveString("a")
	expect(t, verdict, err, New)
	verdict, err = keyed.ObserveString("a")
	expect(t, verdict, err, Duplicate)
}
