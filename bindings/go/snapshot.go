package lately

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"math"
	"time"
)

// LoadOptions is what loading a snapshot may need, apart from its bytes and the time
// that passed. A zero is "not given".
type LoadOptions struct {
	// Memory is the most bytes that the cells may take, as [Options].Memory
	// counts them. For a window of time it becomes the permanent limit if it is
	// lower than the saved one; a window of keys is bound by it until it is saved;
	// other filters do not grow.
	Memory uint64
	// NewMemory is the Memory of a filter with a window of time from now on, in
	// place of the one that it was saved with: less or more than that;
	// [math.MaxUint64] takes the limit away. What was forgotten under the old limit
	// does not come back: the window reaches as far as it should once a window has
	// passed. Cells that take more already are [ErrTooLarge]. A filter of another
	// window does not grow: of that this is checked and nothing else. With it,
	// Memory binds only what is loaded.
	NewMemory uint64
	// Secret is that of a keyed filter, which no snapshot contains.
	Secret Secret
}

// Snapshot returns the filter as bytes that every language and machine reads
// alike. The same state gives the same bytes, except for the present reading of
// [SystemClock]. The secret of a keyed filter is not among them: keep it
// ([Filter.Secret]), and the moment of writing, to tell how much time passed until
// loading.
//
// Other goroutines may use the filter meanwhile: of their calls each is in the snapshot
// whole or not at all, a batch key by key.
func (f *Filter) Snapshot() ([]byte, error) {
	size, err := f.owned().snapshotSize()
	if err != nil {
		return nil, err
	}
	return f.snapshotOf(size)
}

// snapshotOf takes a snapshot that had that many bytes a moment ago: the calls of
// others may have made the filter grow since.
func (f *Filter) snapshotOf(size int) ([]byte, error) {
	for {
		buffer := make([]byte, size)
		written, err := f.owned().snapshotWrite(buffer)
		if err == nil {
			return buffer[:written], nil
		}
		if !errors.Is(err, ErrShortBuffer) {
			return nil, err
		}
		size = written
	}
}

// WriteTo writes the bytes of [Filter.Snapshot] in one piece; it is an
// [io.WriterTo]. Errors of the writer are returned unchanged.
func (f *Filter) WriteTo(w io.Writer) (int64, error) {
	snapshot, err := f.Snapshot()
	if err != nil {
		return 0, err
	}
	n, err := w.Write(snapshot)
	if err == nil && n < len(snapshot) {
		err = io.ErrShortWrite
	}
	return int64(n), err
}

// ReadFilter makes a filter from the next snapshot in a stream, for any number of
// goroutines at once, whether it was shared when it was written or not. It continues
// as the one that was written would have.
//
// The time that passed since then is elapsed: every age grows by it, so that the
// window also runs while the snapshot is on disk. Pass 0 if the next tick shows
// what passed. A negative one is an [ErrElapsed].
//
// It reads exactly the bytes of the snapshot, so that other data may follow it. If
// the stream is at its end, the error is [io.EOF]. Other errors of the
// reader are returned unchanged. Any bytes give a filter or an error: [ErrMagic],
// [ErrVersion], [ErrChecksum], [ErrCorrupt] (also when they end too early),
// [ErrTooLarge] by LoadOptions.Memory or NewMemory, [ErrSecret] if the secret is missing or
// wrong. While it loads, the bytes are in memory in addition to the filter, never more
// than twice what came; a snapshot that is longer than that memory can hold is
// not read.
//
// There is no io.ReaderFrom, because that has no argument for the time that passed.
func ReadFilter(r io.Reader, elapsed time.Duration, o LoadOptions) (*Filter, error) {
	return readFrom(r, elapsed, &o, true)
}

// ReadUnshared is ReadFilter for a filter like those of [NewUnshared].
func ReadUnshared(r io.Reader, elapsed time.Duration, o LoadOptions) (*Filter, error) {
	return readFrom(r, elapsed, &o, false)
}

// Where docs/reference/format.md has the number of bytes in all, and the end of what must
// be read to know it.
const (
	lengthAt = 16
	startEnd = lengthAt + 8
)

func readFrom(r io.Reader, elapsed time.Duration, o *LoadOptions, shared bool) (*Filter, error) {
	if libraryError != nil {
		return nil, libraryError
	}
	var snapshot bytes.Buffer
	if err := readOn(r, &snapshot, startEnd); err != nil {
		return nil, err
	}
	if snapshot.Len() == 0 {
		return nil, io.EOF
	}
	// The start of a snapshot alone is always corrupt, since the rest is missing.
	// Any other error names the cause.
	_, err := load(snapshot.Bytes(), elapsed, o, shared)
	if snapshot.Len() < startEnd || !errors.Is(err, ErrCorrupt) {
		return nil, err
	}
	size := binary.LittleEndian.Uint64(snapshot.Bytes()[lengthAt:])
	if err := o.allows(size); err != nil {
		return nil, err
	}
	if err := readOn(r, &snapshot, size); err != nil {
		return nil, err
	}
	loaded, err := load(snapshot.Bytes(), elapsed, o, shared)
	return owner(loaded, shared, err)
}

// readOn reads until there are that many bytes, or the stream ends. The buffer
// grows with the bytes that come, so that a wrong length takes no memory.
func readOn(r io.Reader, snapshot *bytes.Buffer, size uint64) error {
	missing := min(max(size, uint64(snapshot.Len()))-uint64(snapshot.Len()), math.MaxInt64)
	_, err := snapshot.ReadFrom(io.LimitReader(r, int64(missing)))
	return err
}

// allows reports whether a snapshot of that many bytes can be within the memory
// given: its cells, tables of no more than that or 64 KiB, and its head.
func (o *LoadOptions) allows(size uint64) error {
	const tables, head = 64 << 10, 4 << 10
	name, memory := "Memory", o.Memory
	if o.NewMemory-1 < o.Memory-1 { // 0 is no limit
		name, memory = "NewMemory", o.NewMemory
	}
	if memory == 0 || memory > math.MaxUint64/2-tables-head {
		return nil
	}
	if most := memory + max(memory, tables) + head; size > most {
		const text = "a snapshot of %d bytes: %s = %d allows at most %d"
		return &Error{Code: ErrTooLarge, Field: name, Message: fmt.Sprintf(text, size, name, memory, most)}
	}
	return nil
}
