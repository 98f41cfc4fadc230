package lately

// Snapshots: a filter as bytes or in a stream, and back.

import (
	"bytes"
	"encoding/binary"
	"errors"
	"io"
	"math"
	"slices"
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

// newCount is how many of the numbers from first to before end are New, some of
// them again and again.
func newCount(t testing.TB, filter *Filter, first, end uint64) int {
	t.Helper()
	var keys Keys
	for i := first; i < end; i++ {
		keys.AppendUint64(i * i % 4999)
	}
	verdicts := make([]Verdict, keys.Len())
	_, err := filter.ObserveBatch(&keys, nil, verdicts)
	must(t, err)
	sum := 0
	for _, verdict := range verdicts {
		if verdict == New {
			sum++
		}
	}
	return sum
}

func sameBytes(t testing.TB, one, other *Filter) {
	t.Helper()
	if !bytes.Equal(saved(t, one), saved(t, other)) {
		t.Error("the snapshots differ")
	}
}

// loadedStats compares the figures of a filter and of one that was loaded from it.
// A window table grows by more lines than it needs, and is loaded without them.
func loadedStats(t *testing.T, r row, one, other *Filter) {
	t.Helper()
	a, err := one.Stats()
	must(t, err)
	b, err := other.Stats()
	must(t, err)
	if r.options.Kind == WindowTable && b.Bytes <= a.Bytes && b.BytesPeak <= a.BytesPeak {
		b.Bytes, b.BytesPeak = a.Bytes, a.BytesPeak
	}
	expect(t, b, nil, a)
}

func TestARestoredFilterGoesOnAsTheOriginal(t *testing.T) {
	for _, r := range rows(t) {
		for _, cut := range []uint64{0, 1, 700, 9000} {
			original := newFilter(t, r.options)
			newCount(t, original, 0, cut)
			snapshot := saved(t, original)
			size, err := original.owned().snapshotSize()
			expect(t, size, err, len(snapshot))
			copied := restored(t, snapshot, 0, LoadOptions{})
			sameBytes(t, original, copied)
			loadedStats(t, r, original, copied)
			if want, got := newCount(t, original, cut, cut+3000), newCount(t, copied, cut, cut+3000); want != got {
				t.Errorf("%s cut at %d: %d are new to the original, %d to the other", r.name, cut, want, got)
			}
			sameBytes(t, original, copied)
			loadedStats(t, r, original, copied)
		}
	}
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
	for _, r := range rows(t) {
		alone, err := NewUnshared(r.options)
		must(t, err)
		defer alone.Close()
		begin(t, alone, r.options)
		newCount(t, alone, 0, 2000)
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
		expect(t, newCount(t, back, 2000, 4000), nil, newCount(t, shared, 2000, 4000))
		sameBytes(t, shared, back)
	}
}

// One byte at a time, a piece at a time, all at once; exactly the snapshot's
// bytes, and then the end.
func TestSnapshotsFollowOneAnotherInOneStream(t *testing.T) {
	for _, slow := range []func(io.Reader) io.Reader{iotest.OneByteReader, iotest.HalfReader, iotest.DataErrReader} {
		var stream bytes.Buffer
		var want [][]byte
		for _, r := range rows(t)[:4] {
			filter := newFilter(t, r.options)
			newCount(t, filter, 0, 300)
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

func TestTheSystemsClockGoesOn(t *testing.T) {
	filter := newFilter(t, Window(time.Hour))
	must(t, filter.InsertString("a"))
	snapshot := saved(t, filter)
	for elapsed, want := range map[time.Duration]Verdict{time.Second: Duplicate, 3 * time.Hour: New} {
		verdict, err := restored(t, snapshot, elapsed, LoadOptions{}).ContainsString("a")
		expect(t, verdict, err, want)
	}
}

func TestTheSecretIsAskedFor(t *testing.T) {
	const lo, hi = 0x1122334455667788, 0x99AABBCCDDEEFF01
	secret := SecretOf(lo, hi)
	o := small
	o.Keyed, o.Secret = true, secret
	filter := newFilter(t, o)
	must(t, filter.InsertString("a"))
	snapshot := saved(t, filter)
	verdict, err := restored(t, snapshot, 0, LoadOptions{Secret: secret}).ContainsString("a")
	expect(t, verdict, err, Duplicate)
	for _, wrong := range []Secret{{}, SecretOf(hi, lo), SecretOf(lo, 0), SecretOf(0, hi)} {
		refused(t, unloaded(t, snapshot, 0, LoadOptions{Secret: wrong}), ErrSecret, "")
	}
	unkeyed := saved(t, newFilter(t, small))
	refused(t, unloaded(t, unkeyed, 0, LoadOptions{Secret: secret}), ErrSecret, "")
	if bytes.Contains(snapshot, []byte{0x88, 0x77, 0x66, 0x55}) {
		t.Error("the secret is in the snapshot")
	}
}

// tiny is a filter of so few bytes that each of them can be tried.
func tiny(t *testing.T) []byte {
	filter := newFilter(t, Options{Kind: Quotient, Memory: 32})
	must(t, filter.InsertString("a"))
	return saved(t, filter)
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

func TestFlippedBitsAreRefusedWhereverTheyAre(t *testing.T) {
	snapshot := tiny(t)
	for bit := range 8 * len(snapshot) {
		flipped := slices.Clone(snapshot)
		at := bit / 8
		flipped[at] ^= 1 << (bit % 8)
		err := unloaded(t, flipped, 0, LoadOptions{})
		switch {
		case at < 8:
			refused(t, err, ErrMagic, "")
		case at < 12:
			refused(t, err, ErrVersion, "")
		case at < 16 || at >= 24:
			refused(t, err, ErrChecksum, "")
		case !errors.Is(err, ErrCorrupt) && !errors.Is(err, ErrChecksum):
			t.Errorf("length with bit %d flipped: %v", bit, err)
		}
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

func TestMemoryLimitsALoad(t *testing.T) {
	for _, r := range rows(t) {
		filter := newFilter(t, r.options)
		newCount(t, filter, 0, 5000)
		snapshot := saved(t, filter)
		// What is loaded has no spare lines.
		stats, err := restored(t, snapshot, 0, LoadOptions{}).Stats()
		must(t, err)
		restored(t, snapshot, 0, LoadOptions{Memory: stats.Bytes})
		refused(t, unloaded(t, snapshot, 0, LoadOptions{Memory: stats.Bytes - 1}), ErrTooLarge, "")
	}
}

// crowd observes 4000 keys in the second from start on, others than before.
func crowd(t *testing.T, filter *Filter, start time.Duration) {
	t.Helper()
	for i := range time.Duration(4000) {
		at := start + i*time.Second/4000
		_, err := filter.AtTick(Tick(at)).Observe(binary.LittleEndian.AppendUint64(nil, uint64(at)))
		must(t, err)
	}
}

func TestANewLimitTakesThePlaceOfTheSnapshotsOwn(t *testing.T) {
	filter := newFilter(t, Options{Kind: WindowTable, Window: time.Minute, Clock: ManualClock, Memory: 2048})
	crowd(t, filter, 0)
	snapshot := saved(t, filter)
	before, err := filter.Stats()
	must(t, err)
	for _, limit := range []uint64{1 << 20, math.MaxUint64} {
		wide := restored(t, snapshot, 0, LoadOptions{NewMemory: limit})
		crowd(t, wide, 2*time.Minute)
		stats, err := wide.Stats()
		must(t, err)
		if stats.Bytes <= 2048 || stats.Bytes > limit || stats.Reach != time.Minute {
			t.Errorf("%d: %+v", limit, stats)
		}
	}
	narrow := restored(t, snapshot, 0, LoadOptions{NewMemory: before.Bytes})
	crowd(t, narrow, 2*time.Minute)
	stats, err := narrow.Stats()
	must(t, err)
	if stats.Bytes > before.Bytes {
		t.Errorf("%d bytes, and %d are allowed", stats.Bytes, before.Bytes)
	}
	less := before.Bytes - 1
	refused(t, unloaded(t, snapshot, 0, LoadOptions{NewMemory: less}), ErrTooLarge, "")
	refused(t, unloaded(t, snapshot, 0, LoadOptions{NewMemory: 1 << 20, Memory: less}), ErrTooLarge, "")
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

func TestALibraryThatDoesNotFitLoadsNothing(t *testing.T) {
	defer func(saved error) { libraryError = saved }(libraryError)
	libraryError = meets(1, 0, 0, 0)
	refused(t, unloaded(t, nil, 0, LoadOptions{}), ErrLibrary, "")
}
