package lately

// A batch of every form is its single calls, in order, and must fit.

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"
)

// mixed is keys that repeat, among them empty, nil and long ones, with ticks:
// more than are copied at once.
func mixed() (keys [][]byte, ticks []Tick) {
	for i := range 3 * someKeys {
		key := fmt.Appendf(nil, "%0*d", 1+i%90, i*i%977)
		switch {
		case i%101 == 0:
			key = nil
		case i%103 == 0:
			key = []byte{}
		case i%211 == 0:
			key = fmt.Appendf(nil, "%0*d", longKey-1+i%3, i%5)
		}
		keys, ticks = append(keys, key), append(ticks, 100*aSecond+Tick(i)*Tick(time.Millisecond))
	}
	return keys, ticks
}

func packed(keys [][]byte) *Keys {
	var all Keys
	for i, key := range keys {
		if i%2 == 0 {
			all.Append(key)
		} else {
			all.AppendString(string(key))
		}
	}
	return &all
}

func stringsOf(keys [][]byte) (texts Strings) {
	for _, key := range keys {
		texts = append(texts, string(key))
	}
	return texts
}

// columnOf makes a column of keys, of which every `absent`-th is absent: its offsets begin
// at 3, its bitmap at bit 5.
func columnOf(keys [][]byte, absent int, wide bool) *Column {
	const bit = 5
	c := &Column{Bytes: []byte("xyz"), Validity: make([]byte, (bit+len(keys)+7)/8), ValidityOffset: bit}
	for i := 0; i <= len(keys); i++ {
		if wide {
			c.Offsets64 = append(c.Offsets64, int64(len(c.Bytes)))
		} else {
			c.Offsets32 = append(c.Offsets32, int32(len(c.Bytes)))
		}
		if i < len(keys) {
			c.Bytes = append(c.Bytes, keys[i]...)
			if i%absent != absent-1 {
				c.Validity[(bit+i)/8] |= 1 << ((bit + i) % 8)
			}
		}
	}
	return c
}

const none = 1 << 30 // no key is absent

// batchForms make a batch of keys, those that are absent among them where it can be.
var batchForms = map[string]func(keys [][]byte, absent int) Batch{
	"keys":      func(keys [][]byte, _ int) Batch { return packed(keys) },
	"strings":   func(keys [][]byte, _ int) Batch { return stringsOf(keys) },
	"slices":    func(keys [][]byte, _ int) Batch { return Slices(keys) },
	"column 32": func(keys [][]byte, absent int) Batch { return columnOf(keys, absent, false) },
	"column 64": func(keys [][]byte, absent int) Batch { return columnOf(keys, absent, true) },
	"hashes": func(keys [][]byte, _ int) Batch {
		var hashes Hashes
		for _, key := range keys {
			hashes = append(hashes, Hash64(key, 0))
		}
		return hashes
	},
	"numbers": func(keys [][]byte, _ int) Batch {
		var numbers Uint64s
		for _, key := range keys {
			numbers = append(numbers, binary.LittleEndian.Uint64(key))
		}
		return numbers
	},
}

// keysFor is the keys of the test of a form: numbers have 8 bytes.
func keysFor(form string) (keys [][]byte, ticks []Tick) {
	keys, ticks = mixed()
	if form == "numbers" {
		for i := range keys {
			keys[i] = binary.BigEndian.AppendUint64(nil, uint64(i*i%977))
		}
	}
	return keys, ticks
}

// batchVerb is a verb of batches, and the same of one key. What it returns of a key is put
// into the verdicts: Duplicate of one that was removed.
type batchVerb struct {
	many func(*Filter, Batch, []Tick, []Verdict) (int, error)
	one  func(*handle, []byte, Tick) (Verdict, error)
}

var batchVerbs = map[string]batchVerb{
	"observe":  {(*Filter).ObserveBatch, (*handle).observe},
	"contains": {(*Filter).ContainsBatch, (*handle).contains},
	"insert": {
		func(f *Filter, keys Batch, ticks []Tick, _ []Verdict) (int, error) { return f.InsertBatch(keys, ticks) },
		func(h *handle, key []byte, now Tick) (Verdict, error) { return 0, h.insert(key, now) },
	},
	"remove": {
		func(f *Filter, keys Batch, ticks []Tick, verdicts []Verdict) (int, error) {
			removed := make([]bool, len(verdicts))
			done, err := f.RemoveBatch(keys, ticks, removed)
			for i, was := range removed {
				verdicts[i] = map[bool]Verdict{true: Duplicate, false: New}[was]
			}
			return done, err
		},
		func(h *handle, key []byte, now Tick) (Verdict, error) {
			removed, err := h.remove(key, now)
			return map[bool]Verdict{true: Duplicate, false: New}[removed], err
		},
	},
}

// absentVerdicts are what a verb of batches returns of an absent key.
var absentVerdicts = map[string]Verdict{"observe": AbsentKey, "contains": AbsentKey, "remove": New}

// timed is a filter that removes, by a manual clock.
func timed() Options {
	o := Window(time.Minute)
	o.Clock, o.ErrorRate, o.MaxStep = ManualClock, 1e-9, 10*time.Minute
	return o
}

func TestABatchOfEveryFormIsItsSingleCalls(t *testing.T) {
	for form, of := range batchForms {
		for name, verb := range batchVerbs {
			keys, ticks := keysFor(form)
			absent := none
			if strings.HasPrefix(form, "column") {
				absent = 7
			}
			for _, ticks := range [][]Tick{nil, ticks} {
				single, many := newFilter(t, timed()), newFilter(t, timed())
				for _, filter := range []*Filter{single, many} {
					for _, key := range keys[:len(keys)/2] {
						must(t, filter.handle.insert(key, 50*aSecond))
					}
				}
				want, got := make([]Verdict, len(keys)), make([]Verdict, len(keys))
				for i, key := range keys {
					if i%absent == absent-1 {
						want[i] = absentVerdicts[name]
						continue
					}
					now, err := Now, error(nil)
					if ticks != nil {
						now = ticks[i]
					}
					want[i], err = verb.one(single.handle, key, now)
					must(t, err)
				}
				done, err := verb.many(many, of(keys, absent), ticks, got)
				expect(t, done, err, len(keys))
				if !slices.Equal(got, want) || !bytes.Equal(saved(t, single), saved(t, many)) {
					t.Errorf("%s of %s, %d ticks: not its single calls", name, form, len(ticks))
				}
			}
		}
	}
}

func TestABatchStopsAtARefusedTick(t *testing.T) {
	for form, of := range batchForms {
		for _, i := range []int{1, 211, 422, someKeys - 1, someKeys, someKeys + 1, 2*someKeys + 17, 3*someKeys - 1} {
			keys, ticks := keysFor(form)
			ticks[i] += Tick(time.Hour)
			verdicts := slices.Repeat([]Verdict{7}, len(keys))
			done, err := newFilter(t, timed()).ObserveBatch(of(keys, none), ticks, verdicts)
			refused(t, err, ErrTick, "")
			if done != i || slices.Index(verdicts, 7) != i || slices.Max(verdicts[:i]) > Duplicate {
				t.Errorf("%s: %d done, %d verdicts, want %d", form, done, slices.Index(verdicts, 7), i)
			}
		}
	}
}

// The zero Verdict is none.
func TestARefusedCallHasNoVerdict(t *testing.T) {
	verdict, err := newFilter(t, timed()).AtTick(Tick(time.Hour)).ObserveString("a")
	refused(t, err, ErrTick, "")
	expect(t, verdict, nil, 0)
}

func TestABatchMustFit(t *testing.T) {
	two := [][]byte{[]byte("order-17"), []byte("order-18")}
	for _, of := range batchForms {
		filter, closed := newFilter(t, timed()), newFilter(t, timed())
		must(t, closed.Close())
		for name, verb := range batchVerbs {
			keys := of(two, none)
			out := map[string]string{"remove": "removed"}[name]
			if out == "" {
				out = "verdicts"
			}
			if name != "insert" {
				_, err := verb.many(filter, keys, nil, make([]Verdict, 1))
				refused(t, err, ErrOffsets, "", out+" has 1 entries for 2 keys")
			}
			for _, ticks := range [][]Tick{{}, {1, 2, 3}} {
				_, err := verb.many(filter, keys, ticks, make([]Verdict, 2))
				refused(t, err, ErrOffsets, "", fmt.Sprintf("ticks has %d entries for 2 keys", len(ticks)))
			}
			for _, filter := range []*Filter{closed, nil, {}} {
				_, err := verb.many(filter, keys, nil, make([]Verdict, 2))
				refused(t, err, ErrClosed, "")
			}
			for _, ticks := range [][]Tick{nil, {}} {
				done, err := verb.many(filter, of(nil, none), ticks, nil)
				expect(t, done, err, 0)
			}
			_, err := verb.many(newFilter(t, Last(100)), of(nil, none), []Tick{}, nil)
			refused(t, err, ErrClock, "")
		}
		stats, err := filter.Stats()
		expect(t, stats.Items+stats.DuplicateCount, err, 0)
	}
	for _, none := range []Batch{nil, (*Keys)(nil), (*Column)(nil)} {
		for _, verb := range batchVerbs {
			_, err := verb.many(newFilter(t, timed()), none, nil, nil)
			refused(t, err, ErrNull, "", "keys is nil")
		}
	}
	expect(t, (*Keys)(nil).Len()+(*Column)(nil).Len(), nil, 0)
}

func TestKeysAndColumnsThatCannotBeAreRefused(t *testing.T) {
	filter, verdicts := newFilter(t, small), make([]Verdict, 3)
	abc, three := []byte("abc"), []int32{0, 1, 2, 3}
	for _, c := range []struct {
		keys Batch
		says string
	}{
		{KeysOf(abc, []uint64{0, 4}), ""},
		{KeysOf(abc, []uint64{2, 1}), ""},
		{&Column{Bytes: abc, Offsets32: three, Offsets64: []int64{}}, "cannot be combined"},
		{&Column{Bytes: abc, Offsets32: three, ValidityOffset: -1}, "ValidityOffset = -1: must be at least 0"},
		{&Column{Bytes: abc, Offsets32: three, Validity: []byte{}}, "Validity has 0 bits for 3 keys"},
		{&Column{Bytes: abc, Offsets32: three, Validity: []byte{7}, ValidityOffset: 6}, "ValidityOffset = 6: must be 0 to 5"},
		{&Column{Bytes: abc[:2], Offsets32: three}, ""},
		{&Column{Bytes: abc, Offsets32: []int32{0, 2, 1, 3}}, ""},
		{&Column{Bytes: abc, Offsets64: []int64{-1, 1, 2, 3}}, ""},
	} {
		_, err := filter.ObserveBatch(c.keys, nil, verdicts)
		refused(t, err, ErrOffsets, "", c.says)
	}
	for _, fine := range []*Column{
		{Bytes: abc, Offsets32: three, Validity: []byte{0xe0}, ValidityOffset: 5},
		{Bytes: abc, Offsets32: three, ValidityOffset: 5}, // without a bitmap all are there
	} {
		done, err := filter.ObserveBatch(fine, nil, verdicts)
		expect(t, done, err, 3)
		expect(t, slices.Contains(verdicts, AbsentKey), nil, false)
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
	done, err := filter.ContainsBatch(keys, nil, verdicts)
	expect(t, done, err, 4)
	if !slices.Equal(verdicts, []Verdict{New, Duplicate, New, New}) {
		t.Error(verdicts)
	}
}

func TestTake_longKeysAndManyKeys_takeBoundedMemory(t *testing.T) {
	var buffer Keys
	take(&buffer, []string{strings.Repeat("x", longKey)})
	expect(t, buffer.Len(), nil, 0)
	take(&buffer, slices.Repeat([]string{strings.Repeat("x", longKey-1)}, 100))
	expect(t, len(buffer.bytes) < someBytes+longKey && buffer.Len() < 10, nil, true)
	take(&buffer, make([][]byte, 2*someKeys))
	expect(t, buffer.Len(), nil, someKeys)
}
