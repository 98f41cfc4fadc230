package lately

// A batch is that many single calls, by whatever road the keys come.

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"
)

// stream is keys that repeat, with ticks that now and then run back.
func stream(n int) (keys [][]byte, ticks []Tick) {
	for i := range n {
		keys = append(keys, fmt.Appendf(nil, "%d", i*i%(n/2)))
		ticks = append(ticks, Tick(time.Duration(i-i%7*2+20)*time.Second/10))
	}
	return keys, ticks
}

func packed(keys [][]byte) *Keys {
	var all Keys
	for _, key := range keys {
		all.Append(key)
	}
	return &all
}

func TestABatchIsSoManySingleCalls(t *testing.T) {
	keys, ticks := stream(600)
	single, bytes, hashes := newFilter(t, small), newFilter(t, small), newFilter(t, small)
	var want []Verdict
	var hashed []uint64
	for i, key := range keys {
		verdict, err := single.AtTick(ticks[i]).Observe(key)
		must(t, err)
		hash, err := single.Hash(key)
		expect(t, hash, err, Hash64(key, 0))
		want, hashed = append(want, verdict), append(hashed, hash)
	}
	for name, observe := range map[string]func([]Verdict) (int, error){
		"keys":   func(out []Verdict) (int, error) { return bytes.ObserveBatch(packed(keys), ticks, out) },
		"hashes": func(out []Verdict) (int, error) { return hashes.ObserveBatch(Hashes(hashed), ticks, out) },
	} {
		got := make([]Verdict, len(keys))
		done, err := observe(got)
		expect(t, done, err, len(keys))
		if !slices.Equal(got, want) {
			t.Errorf("%s: not the verdicts of single calls", name)
		}
	}
	sameStats(t, single, bytes, hashes)
}

func sameStats(t *testing.T, filters ...*Filter) {
	t.Helper()
	want, err := filters[0].Stats()
	must(t, err)
	for _, filter := range filters[1:] {
		got, err := filter.Stats()
		expect(t, got, err, want)
	}
}

func TestInsertedBatchesAreFound(t *testing.T) {
	keys, ticks := stream(500)
	var hashed []uint64
	for _, key := range keys {
		hashed = append(hashed, Hash64(key, 0))
	}
	a, b := newFilter(t, small), newFilter(t, small)
	done, err := a.InsertBatch(packed(keys), ticks)
	expect(t, done, err, len(keys))
	done, err = b.InsertBatch(Hashes(hashed), ticks)
	expect(t, done, err, len(keys))
	sameStats(t, a, b)
	for _, filter := range []*Filter{a, b} {
		got := make([]Verdict, len(keys))
		done, err = filter.ContainsBatch(packed(keys), nil, got)
		expect(t, done, err, len(keys))
		other := make([]Verdict, len(keys))
		done, err = filter.ContainsBatch(Hashes(hashed), nil, other)
		expect(t, done, err, len(keys))
		if slices.Contains(got, New) || slices.Contains(other, New) {
			t.Error("an inserted key is New")
		}
	}
	sameStats(t, a, b)
}

func TestABatchStopsAtARefusedTick(t *testing.T) {
	o := small
	o.MaxStep = time.Second
	filter := newFilter(t, o)
	keys := packed([][]byte{[]byte("a"), []byte("a"), []byte("b")})
	verdicts := []Verdict{7, 7, 7}
	done, err := filter.ObserveBatch(keys, []Tick{0, 1, Tick(time.Hour)}, verdicts)
	refused(t, err, ErrTick, "")
	if done != 2 || !slices.Equal(verdicts, []Verdict{New, Duplicate, 7}) {
		t.Error(done, verdicts)
	}
}

func TestSlicesOfABatchMustFit(t *testing.T) {
	filter := newFilter(t, small)
	two := packed([][]byte{nil, nil})
	_, err := filter.ObserveBatch(two, nil, make([]Verdict, 1))
	refused(t, err, ErrOffsets, "", "verdicts has 1 entries for 2 keys")
	_, err = filter.ContainsBatch(two, make([]Tick, 3), make([]Verdict, 2))
	refused(t, err, ErrOffsets, "", "ticks has 3 entries for 2 keys")
	_, err = filter.InsertBatch(two, []Tick{})
	refused(t, err, ErrOffsets, "", "ticks has 0 entries")
	_, err = filter.ObserveBatch(Hashes([]uint64{1}), nil, nil)
	refused(t, err, ErrOffsets, "", "verdicts has 0 entries")
	_, err = filter.InsertBatch(Hashes([]uint64{1}), make([]Tick, 2))
	refused(t, err, ErrOffsets, "")
	_, err = filter.ContainsBatch(Hashes([]uint64{1}), nil, nil)
	refused(t, err, ErrOffsets, "")
	for _, offsets := range [][]uint64{{0, 4}, {2, 1}, {0, 3, 2}} {
		_, err = filter.InsertBatch(KeysOf([]byte("abc"), offsets), nil)
		refused(t, err, ErrOffsets, "")
	}
	stats, err := filter.Stats()
	expect(t, stats.NewCount+stats.DuplicateCount+stats.Items, err, 0)
}

func TestNoKeysAreFine(t *testing.T) {
	filter := newFilter(t, small)
	for _, keys := range []*Keys{{}, KeysOf(nil, nil), KeysOf([]byte("x"), []uint64{1})} {
		done, err := filter.ObserveBatch(keys, nil, nil)
		expect(t, done, err, 0)
		done, err = filter.InsertBatch(keys, []Tick{})
		expect(t, done, err, 0)
	}
	done, err := filter.ObserveBatch(Hashes(nil), nil, nil)
	expect(t, done, err, 0)
}

func TestKeyedFiltersTakeNoHashes(t *testing.T) {
	o := small
	o.Keyed = true
	drawn := newFilter(t, o)
	_, err := drawn.ObserveBatch(Hashes([]uint64{1}), nil, make([]Verdict, 1))
	refused(t, err, ErrUnsupported, "")
	_, err = drawn.Hash(nil)
	refused(t, err, ErrUnsupported, "")
	secret, err := drawn.Secret()
	if err != nil || secret.IsZero() {
		t.Error(secret.IsZero(), err)
	}
	o.Secret = SecretOf(5, 6)
	given, err := newFilter(t, o).Secret()
	same := given.Equal(SecretOf(5, 6)) && !given.Equal(SecretOf(6, 6)) && !given.Equal(SecretOf(5, 5))
	expect(t, same, err, true)
	o.Secret = SecretOf(7654321, 7654321)
	if text := fmt.Sprintf("%v %+v %#v %d %x", o, o, o, o.Secret, o.Secret); strings.Contains(text, "7654321") || strings.Contains(text, "74cbb1") {
		t.Errorf("%s shows the secret", text)
	}
}

func TestKeysOfABufferCanGrow(t *testing.T) {
	keys := KeysOf([]byte("xaby"), []uint64{1, 2, 3})
	keys.AppendString("c")
	keys.AppendUint64(0x0807060504030201)
	if keys.Len() != 4 || string(keys.bytes) != "xabc\x01\x02\x03\x04\x05\x06\x07\x08" {
		t.Errorf("%d keys, %q", keys.Len(), keys.bytes)
	}
	filter, verdicts := newFilter(t, small), make([]Verdict, 4)
	must(t, filter.InsertString("b"))
	must(t, filter.InsertString("c"))
	done, err := filter.ContainsBatch(keys, nil, verdicts)
	expect(t, done, err, 4)
	if !slices.Equal(verdicts, []Verdict{New, Duplicate, Duplicate, New}) {
		t.Error(verdicts)
	}
}
