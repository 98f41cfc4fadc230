package lately

// Snapshots: a filter as bytes or in a stream, and back.

import (
	"bytes"
	"errors"
	"io"
	"math"
	"testing"
	"testing/iotest"
	"time"
)

// reader reads a filter of the sort that is tested.
func reader(r io.Reader, elapsed time.Duration, o LoadOptions) (*Filter, error) {
	if *unshared {
		return ReadUnshared(r, elapsed, o)
	}
	return ReadFilter(r, elapsed, o)
}

func saved(t testing.TB, filter *Filter) []byte {
	t.Helper()
	snapshot, err := filter.Snapshot()
	must(t, err)
	return snapshot
}

// restored loads a snapshot, which must be good, for the time of the test.
func restored(t testing.TB, snapshot []byte, elapsed time.Duration, o LoadOptions) *Filter {
	t.Helper()
	filter, err := reader(bytes.NewReader(snapshot), elapsed, o)
	must(t, err)
	t.Cleanup(func() { filter.Close() })
	return filter
}

func unloaded(t testing.TB, snapshot []byte, elapsed time.Duration, o LoadOptions) error {
	t.Helper()
	filter, err := reader(bytes.NewReader(snapshot), elapsed, o)
	if err == nil {
		filter.Close()
	}
	return err
}

// tiny is a filter of so few bytes that each of them can be tried.
func tiny(t *testing.T) []byte {
	filter := newFilter(t, Options{Kind: Quotient, Memory: 32})
	must(t, filter.InsertString("a"))
	return saved(t, filter)
}

// As when others made it grow, or shrink, after its size was asked for.
func TestASnapshotFindsRoomForAFilterThatGrew(t *testing.T) {
	filter := newFilter(t, small)
	want := saved(t, filter)
	for _, size := range []int{0, 1, len(want) - 1, len(want), len(want) + 9} {
		snapshot, err := filter.snapshotOf(size)
		expect(t, bytes.Equal(snapshot, want), err, true)
	}
}

func TestASnapshotOfEitherSortLoadsIntoTheOther(t *testing.T) {
	alone, err := NewUnshared(Last(100))
	must(t, err)
	defer alone.Close()
	must(t, alone.InsertString("a"))
	shared, err := ReadFilter(bytes.NewReader(saved(t, alone)), 0, LoadOptions{})
	must(t, err)
	defer shared.Close()
	back, err := ReadUnshared(bytes.NewReader(saved(t, shared)), 0, LoadOptions{})
	must(t, err)
	defer back.Close()
	more, err := shared.Share()
	must(t, err)
	must(t, more.Close())
	_, err = back.Share()
	refused(t, err, ErrUnsupported, "")
	expect(t, bytes.Equal(saved(t, back), saved(t, alone)), nil, true)
}

// One byte at a time, a piece at a time, all at once; exactly the snapshot's
// bytes, and then the end.
func TestSnapshotsFollowOneAnotherInOneStream(t *testing.T) {
	for _, slow := range []func(io.Reader) io.Reader{iotest.OneByteReader, iotest.HalfReader, iotest.DataErrReader} {
		var stream bytes.Buffer
		var want [][]byte
		for _, o := range []Options{small, Last(50), {Kind: Quotient, Memory: 1 << 10}} {
			filter := newFilter(t, o)
			must(t, filter.InsertString("a"))
			n, err := filter.WriteTo(&stream)
			expect(t, n, err, int64(len(saved(t, filter))))
			want = append(want, saved(t, filter))
		}
		in := slow(&stream)
		for _, snapshot := range want {
			filter, err := reader(in, 0, LoadOptions{})
			must(t, err)
			if !bytes.Equal(saved(t, filter), snapshot) {
				t.Error("another filter came back")
			}
			must(t, filter.Close())
		}
		if _, err := reader(in, 0, LoadOptions{}); err != io.EOF {
			t.Errorf("at the end: %v", err)
		}
	}
}

func TestTimePassesOnDisk(t *testing.T) {
	key := []byte("a")
	filter := newFilter(t, small)
	must(t, filter.At(time.Unix(100, 0)).Insert(key))
	snapshot := saved(t, filter)
	for elapsed, want := range map[time.Duration]Verdict{0: Duplicate, time.Minute: Duplicate, time.Hour: New} {
		later := restored(t, snapshot, elapsed, LoadOptions{})
		verdict, err := later.Contains(key)
		expect(t, verdict, err, want)
		stats, err := later.Stats()
		expect(t, stats.Clock, err, Tick(100*time.Second+elapsed))
	}
	for _, unknown := range []time.Duration{-1, -time.Hour, math.MinInt64} {
		refused(t, unloaded(t, snapshot, unknown, LoadOptions{}), ErrElapsed, "", "must be at least 0s")
	}
	must(t, filter.AtTick(math.MaxUint64-1).Advance())
	refused(t, unloaded(t, saved(t, filter), 2, LoadOptions{}), ErrElapsed, "", "last tick")
}

func TestTheSecretIsAskedFor(t *testing.T) {
	secret := SecretOf(0x1122334455667788, 0x99AABBCCDDEEFF01)
	o := small
	o.Keyed, o.Secret = true, secret
	filter := newFilter(t, o)
	must(t, filter.InsertString("a"))
	snapshot := saved(t, filter)
	verdict, err := restored(t, snapshot, 0, LoadOptions{Secret: secret}).ContainsString("a")
	expect(t, verdict, err, Duplicate)
	refused(t, unloaded(t, snapshot, 0, LoadOptions{}), ErrSecret, "")
}

func TestCutBytesAreRefusedAtEveryLength(t *testing.T) {
	snapshot := tiny(t)
	for n := 1; n < len(snapshot); n++ {
		want := ErrCorrupt
		if n < 8 {
			want = ErrMagic
		}
		refused(t, unloaded(t, snapshot[:n], 0, LoadOptions{}), want, "")
	}
}

func TestBytesOfNoSnapshotAreNotReadFurther(t *testing.T) {
	for start, want := range map[string]Code{
		"this is no snapshot, and no length is at 16": ErrMagic,
		"\x89LTLY\r\n\x1a\x07 a version of far":       ErrVersion,
	} {
		in := bytes.NewReader(append([]byte(start), make([]byte, 1000)...))
		_, err := reader(in, 0, LoadOptions{})
		refused(t, err, want, "")
		expect(t, in.Len(), nil, len(start)+1000-24)
	}
}

// A length that no stream has: nothing is taken for it.
func TestALyingLengthTakesNoMemory(t *testing.T) {
	for _, high := range []byte{0x7f, 0xff} {
		snapshot := tiny(t)
		copy(snapshot[16:24], []byte{255, 255, 255, 255, 255, 255, 255, high})
		refused(t, unloaded(t, snapshot, 0, LoadOptions{}), ErrCorrupt, "")
		refused(t, unloaded(t, snapshot, 0, LoadOptions{Memory: math.MaxUint64}), ErrCorrupt, "")
		in := bytes.NewReader(snapshot)
		_, err := reader(in, 0, LoadOptions{Memory: 1 << 20})
		refused(t, err, ErrTooLarge, "Memory", "Memory = 1048576 allows at most 2101248")
		expect(t, in.Len(), nil, len(snapshot)-24)
		_, err = reader(bytes.NewReader(snapshot), 0, LoadOptions{Memory: 1 << 30, NewMemory: 1 << 20})
		refused(t, err, ErrTooLarge, "NewMemory", "NewMemory = 1048576 allows at most 2101248")
	}
}

// Which limits there are is tested in c_tests/snapshot.c.
func TestBothLimitsOfMemoryAreGivenOn(t *testing.T) {
	o := timed()
	o.Memory = 1 << 16
	filter := newFilter(t, o)
	snapshot := saved(t, filter)
	stats, err := filter.Stats()
	must(t, err)
	for loading, want := range map[LoadOptions]uint64{
		{Memory: stats.Bytes}: stats.Bytes, {NewMemory: 1 << 20, Memory: stats.Bytes}: 1 << 20, {NewMemory: math.MaxUint64}: 0,
	} {
		options, err := restored(t, snapshot, 0, loading).Options()
		expect(t, options.Memory, err, want)
	}
	refused(t, unloaded(t, snapshot, 0, LoadOptions{NewMemory: 1 << 20, Memory: stats.Bytes - 1}), ErrTooLarge, "")
}

// narrow is a writer with so much room. Then it fails, or, without an error, writes
// less than it is given and says nothing.
type narrow struct {
	room int
	err  error
}

func (w *narrow) Write(p []byte) (int, error) {
	n := min(len(p), w.room)
	w.room -= n
	if n < len(p) {
		return n, w.err
	}
	return n, nil
}

func TestAStreamThatFailsIsItsOwnError(t *testing.T) {
	filter, broken := newFilter(t, small), errors.New("broken")
	snapshot := saved(t, filter)
	for _, room := range []int{0, 5, 30, len(snapshot) - 1} {
		n, err := filter.WriteTo(&narrow{room, broken})
		if n != int64(room) || err != broken {
			t.Errorf("wrote %d, %v", n, err)
		}
		n, err = filter.WriteTo(&narrow{room, nil})
		if n != int64(room) || err != io.ErrShortWrite {
			t.Errorf("wrote %d, %v", n, err)
		}
		in := io.MultiReader(bytes.NewReader(snapshot[:room]), iotest.ErrReader(broken))
		if _, err := reader(in, 0, LoadOptions{}); err != broken {
			t.Errorf("after %d bytes: %v", room, err)
		}
	}
}
