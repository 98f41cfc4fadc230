package lately

import "testing"

// record is a record as programs have them: its key lies next to pointers. cgo looks for pointers in all of
// the memory that an unsafe.Pointer leads into, and panics where it finds one.
type record struct {
	next     *record
	id       [16]byte
	offsets  [3]int32
	wide     [3]int64
	numbers  [2]uint64
	ticks    [2]Tick
	verdicts [2]Verdict
	snapshot [4096]byte
}

// onHeap keeps what a test made off the stack, where cgo does not look.
var onHeap *record

func TestKeysNextToAPointerAreJudged(t *testing.T) {
	onHeap = &record{next: &record{}, offsets: [3]int32{0, 8, 16}, wide: [3]int64{0, 8, 16}}
	one, filter := onHeap, newFilter(t, timed())
	expect(t, Hash64(one.id[:], 7), nil, Hash64(make([]byte, 16), 7))
	_, err := filter.Observe(one.id[:])
	must(t, err)
	for form, keys := range map[string]Batch{
		"32 bits": &Column{Bytes: one.id[:], Offsets32: one.offsets[:]},
		"64 bits": &Column{Bytes: one.id[:], Offsets64: one.wide[:], Validity: one.id[:1], ValidityOffset: 1},
		"numbers": Uint64s(one.numbers[:]),
		"slices":  Slices{one.id[:], one.id[:8]},
	} {
		for name, verb := range batchVerbs {
			if done, err := verb.many(filter, keys, one.ticks[:], one.verdicts[:]); done != 2 || err != nil {
				t.Error(form, name, done, err)
			}
		}
	}
	for _, shared := range []bool{true, false} {
		_, err := load(one.snapshot[:], 0, &LoadOptions{}, shared)
		refused(t, err, ErrMagic, "")
	}
}
