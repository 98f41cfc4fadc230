package lately

// A column has the verdicts of single calls, and AbsentKey where it has no key.

import (
	"slices"
	"testing"
	"time"
)

// columnOf makes a column of keys, of which every `absent`-th is absent: its
// offsets begin at 3, its bitmap at a bit.
func columnOf(keys [][]byte, absent, bit int, wide bool) *Column {
	c := &Column{Bytes: []byte("xyz"), Validity: make([]byte, (bit+len(keys)+7)/8), ValidityOffset: bit}
	for i := 0; i <= len(keys); i++ {
		if wide {
			c.Offsets64 = append(c.Offsets64, int64(len(c.Bytes)))
		} else {
			c.Offsets32 = append(c.Offsets32, int32(len(c.Bytes)))
		}
		if i < len(keys) {
			c.Bytes = append(c.Bytes, keys[i]...)
			if i%absent != 0 {
				c.Validity[(bit+i)/8] |= 1 << ((bit + i) % 8)
			}
		}
	}
	return c
}

func TestColumn_keysOfAnySort_haveTheVerdictsOfSingleCalls(t *testing.T) {
	keys, ticks := stream(600)
	for _, wide := range []bool{false, true} {
		for bit := range 9 {
			absent := bit + 1
			single, whole, apart := newFilter(t, small), newFilter(t, small), newFilter(t, small)
			var want []Verdict
			for i, key := range keys {
				if i%absent == 0 {
					want = append(want, AbsentKey)
					continue
				}
				verdict, err := single.AtTick(ticks[i]).Observe(key)
				must(t, err)
				want = append(want, verdict)
			}
			column, got := columnOf(keys, absent, bit, wide), make([]Verdict, len(keys))
			done, err := whole.ObserveBatch(column, ticks, got)
			expect(t, done, err, len(keys))
			if !slices.Equal(got, want) {
				t.Errorf("wide %v, bit %d: not the verdicts of single calls", wide, bit)
			}
			done, err = apart.InsertBatch(column, ticks)
			expect(t, done, err, len(keys))
			done, err = apart.ContainsBatch(column, nil, got)
			expect(t, done, err, len(keys))
			for i, verdict := range got {
				if (verdict == AbsentKey) != (i%absent == 0) || verdict == New {
					t.Fatalf("wide %v, bit %d: key %d is %v", wide, bit, i, verdict)
				}
			}
			sameStats(t, single, whole)
		}
	}
}

func TestColumn_withoutABitmap_hasAllKeys(t *testing.T) {
	column, verdicts := columnOf([][]byte{{1}, nil, {1}}, 4, 0, false), make([]Verdict, 3)
	column.Validity, column.ValidityOffset = nil, 5
	done, err := newFilter(t, small).ObserveBatch(column, nil, verdicts)
	expect(t, done, err, 3)
	if !slices.Equal(verdicts, []Verdict{New, New, Duplicate}) {
		t.Error(verdicts)
	}
}

func TestColumn_aRefusedTick_stopsThereButNotAtAnAbsentKey(t *testing.T) {
	o := small
	o.MaxStep = time.Second
	far := Tick(time.Hour)
	column, verdicts := columnOf([][]byte{{1}, {2}, {1}, {3}, {4}}, 2, 0, true), slices.Repeat([]Verdict{7}, 5)
	done, err := newFilter(t, o).ObserveBatch(column, []Tick{far, 0, far, far, 0}, verdicts)
	refused(t, err, ErrTick, "")
	if done != 3 || !slices.Equal(verdicts, []Verdict{AbsentKey, New, AbsentKey, 7, 7}) {
		t.Error(done, verdicts)
	}
}

func TestColumn_thatDoesNotFit_isRefused(t *testing.T) {
	filter, verdicts := newFilter(t, small), make([]Verdict, 3)
	three := []int32{0, 1, 2, 3}
	for _, c := range []struct {
		column Column
		says   string
	}{
		{Column{Bytes: []byte("abc"), Offsets32: three, Offsets64: []int64{}}, "cannot be combined"},
		{Column{Bytes: []byte("abc"), Offsets32: three, ValidityOffset: -1}, "ValidityOffset = -1: must be at least 0"},
		{Column{Bytes: []byte("abc"), Offsets32: three, Validity: []byte{}}, "Validity has 0 bits for 3 keys"},
		{Column{Bytes: []byte("abc"), Offsets32: three, Validity: []byte{7}, ValidityOffset: 6}, "ValidityOffset = 6: must be 0 to 5"},
		{Column{Bytes: []byte("ab"), Offsets32: three}, ""},
		{Column{Bytes: []byte("abc"), Offsets32: []int32{0, 2, 1, 3}}, ""},
		{Column{Bytes: []byte("abc"), Offsets64: []int64{-1, 1, 2, 3}}, ""},
	} {
		_, err := filter.ObserveBatch(&c.column, nil, verdicts)
		refused(t, err, ErrOffsets, "", c.says)
		_, err = filter.InsertBatch(&c.column, nil)
		refused(t, err, ErrOffsets, "", c.says)
	}
	fine := Column{Bytes: []byte("abc"), Offsets32: three, Validity: []byte{0xe0}, ValidityOffset: 5}
	_, err := filter.ContainsBatch(&fine, nil, verdicts[:2])
	refused(t, err, ErrOffsets, "", "verdicts has 2 entries for 3 keys")
	_, err = filter.InsertBatch(&fine, make([]Tick, 2))
	refused(t, err, ErrOffsets, "", "ticks has 2 entries for 3 keys")
	_, err = filter.InsertBatch(nil, nil)
	refused(t, err, ErrNull, "", "keys is nil")
	stats, err := filter.Stats()
	expect(t, stats.Items, err, 0)
	done, err := filter.ObserveBatch(&fine, nil, verdicts)
	expect(t, done, err, 3)
}

func TestColumn_noKeys_areFine(t *testing.T) {
	filter := newFilter(t, small)
	for _, none := range []*Column{{}, {Offsets32: []int32{}}, {Offsets64: []int64{0}, Validity: []byte{}}} {
		done, err := filter.ObserveBatch(none, nil, nil)
		expect(t, done, err, 0)
	}
	must(t, filter.Close())
	_, err := filter.ObserveBatch(&Column{}, nil, nil)
	refused(t, err, ErrClosed, "")
}
