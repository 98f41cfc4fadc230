package lately

import (
	"errors"
	"testing"
)

// record is a record as programs have them: its key lies next to pointers.
type record struct {
	next    *record
	id      [16]byte
	offsets [3]int32
	wide    [3]int64
}

// onHeap keeps what a test made off the stack, where cgo does not look.
var onHeap any

// newRecord is on the heap, with a pointer to another.
func newRecord() *record {
	one := &record{next: &record{}, id: [16]byte{1, 2, 3}, offsets: [3]int32{0, 8, 16}, wide: [3]int64{0, 8, 16}}
	onHeap = one
	return one
}

// cgo looks for pointers in all of the memory that an unsafe.Pointer leads into, and panics where it finds one.

func TestHash64_ofAKeyNextToAPointer_isThatOfItsBytes(t *testing.T) {
	one := newRecord()
	if got, want := Hash64(one.id[:], 7), Hash64(append([]byte(nil), one.id[:]...), 7); got != want {
		t.Errorf("%d, not %d", got, want)
	}
}

func TestColumn_whoseOffsetsLieNextToAPointer_isJudgedAndLeavesTheFilterFree(t *testing.T) {
	filter := newFilter(t, small)
	one := newRecord()
	for name, column := range map[string]*Column{
		"32 bits": {Bytes: one.id[:], Offsets32: one.offsets[:]},
		"64 bits": {Bytes: one.id[:], Offsets64: one.wide[:]},
	} {
		verdicts := make([]Verdict, 2)
		done, err := filter.ObserveBatch(column, nil, verdicts)
		if expect(t, done, err, 2); err != nil {
			t.Fatal(name)
		}
		if done, err = filter.InsertBatch(column, nil); done != 2 || err != nil {
			t.Error(name, done, err)
		}
		if done, err = filter.ContainsBatch(column, nil, verdicts); done != 2 || err != nil {
			t.Error(name, done, err)
		}
	}
}

// array keeps the bytes of a snapshot next to a pointer.
type array struct {
	next  *array
	bytes [4096]byte
}

func TestRead_ofASnapshotNextToAPointer_isTheFilter(t *testing.T) {
	held := &array{next: &array{}}
	onHeap = held
	for _, shared := range []bool{true, false} {
		if _, err := load(held.bytes[:], 0, &LoadOptions{}, shared); !errors.Is(err, ErrMagic) {
			t.Error(err)
		}
	}
}
