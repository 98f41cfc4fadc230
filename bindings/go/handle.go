package lately

import (
	"runtime"
	"sync"
	"unsafe"
)

// handle owns a filter of the C library: Close waits for the calls that run,
// later calls find it closed, and the garbage collector frees a filter that was
// not closed.
//
// Calls of a shared filter go in side by side, each by one of many doors, and
// Close shuts them all. One door would be one word that all processors write to,
// twice a call: 48 to 84 ns of two goroutines on two cores, where many doors take
// 13. To retain and free the C handle in each call is one such word too.
//
// An unshared filter has one door, for one call at a time.
type handle struct {
	doors   *[doors]door // of a shared filter
	one     sync.Mutex   // of an unshared filter
	filter  cFilter      // nil once closed
	refusal Code         // why there is no filter; 0 if it was closed
	cleanup runtime.Cleanup
}

const (
	doorBits = 5
	doors    = 1 << doorBits
)

// door has cache lines of its own.
type door struct {
	sync.RWMutex
	_ [128 - unsafe.Sizeof(sync.RWMutex{})]byte
}

// hold takes ownership of a filter of either sort. The cleanup knows the C pointer alone: one
// that knew the handle would keep it alive forever.
func hold(filter cFilter, shared bool) *handle {
	h := &handle{filter: filter}
	if shared {
		h.doors = new([doors]door)
	}
	h.cleanup = runtime.AddCleanup(h, free, filter)
	return h
}

// shared tells a filter of NewFilter from one of NewUnshared.
func (h *handle) shared() bool { return h != nil && h.doors != nil }

// door is the one that this goroutine goes in by. Its stack tells it from
// others that run now; two that share a door are slower, and as correct.
func (h *handle) door() *door {
	const spread = 0x9e3779b97f4a7c15 // 2^64 over the golden ratio
	var here byte
	stack := uint64(uintptr(unsafe.Pointer(&here))) >> 11 // no stack is smaller
	return &h.doors[stack*spread>>(64-doorBits)]
}

// enter begins a call on the filter: its door is held up to leave, unless the
// status is an error. The verbs on one key have the two around their call of C,
// all others go by use: of what Go adds to a single call, a function as an
// argument was a third.
func (h *handle) enter() (filter cFilter, in *door, status cStatus) {
	if h == nil {
		return filter, nil, cStatus(ErrClosed)
	}
	if h.doors != nil {
		in = h.door()
		in.RLock()
	} else {
		h.one.Lock()
	}
	filter = h.filter
	if filter == nil {
		h.leave(in)
		return filter, nil, h.closed()
	}
	stress()
	return filter, in, 0
}

// closed is the error of a call where there is no filter.
func (h *handle) closed() cStatus {
	if h.refusal != 0 {
		return cStatus(h.refusal)
	}
	return cStatus(ErrClosed)
}

// leave ends a call. Up to here the handle is reachable, so that the collector
// frees no filter that a call is in.
func (h *handle) leave(in *door) {
	if in != nil {
		in.RUnlock()
	} else {
		h.one.Unlock()
	}
	runtime.KeepAlive(h)
}

// use makes a call on the filter.
func (h *handle) use(call func(cFilter) cStatus) error {
	filter, in, status := h.enter()
	if status == 0 {
		status = call(filter)
		h.leave(in)
	}
	return failure(status)
}

// close frees the filter, once.
func (h *handle) close() {
	if h == nil {
		return
	}
	h.shut()
	defer h.open()
	h.cleanup.Stop()
	free(h.filter)
	h.filter = nil
}

// shut waits until no call is inside, and lets none in.
func (h *handle) shut() {
	if h.doors == nil {
		h.one.Lock()
		return
	}
	for i := range h.doors {
		h.doors[i].Lock()
	}
}

// open lets calls in again, which find what is there.
func (h *handle) open() {
	if h.doors == nil {
		h.one.Unlock()
		return
	}
	for i := range h.doors {
		h.doors[i].Unlock()
	}
}
