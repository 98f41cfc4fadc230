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
// Calls of a shared filter run at once: each takes one of many locks for reading, and
// Close takes them all. One lock would be one word that all processors write to,
// twice a call: 48 to 84 ns of two goroutines on two cores, where many locks take
// 13. To retain and free the C handle in each call is one such word too.
//
// An unshared filter has one lock, for one call at a time.
type handle struct {
	locks   *[lockCount]lock // of a shared filter
	single  sync.Mutex       // of an unshared filter
	filter  cFilter          // nil once closed
	refusal Code             // why there is no filter; 0 if it was closed
	cleanup runtime.Cleanup
}

const (
	lockBits  = 5
	lockCount = 1 << lockBits
)

// lock has its own cache lines.
type lock struct {
	sync.RWMutex
	_ [128 - unsafe.Sizeof(sync.RWMutex{})]byte
}

// hold takes ownership of a filter of either sort. The cleanup knows the C pointer alone: one
// that knew the handle would keep it alive forever.
func hold(filter cFilter, shared bool) *handle {
	h := &handle{filter: filter}
	if shared {
		h.locks = new([lockCount]lock)
	}
	h.cleanup = runtime.AddCleanup(h, free, filter)
	return h
}

// shared tells a filter of NewFilter from one of NewUnshared.
func (h *handle) shared() bool { return h != nil && h.locks != nil }

// lock is the one of this goroutine. Its stack tells it from others that run now;
// two that share a lock are slower, and as correct.
func (h *handle) lock() *lock {
	const spread = 0x9e3779b97f4a7c15 // 2^64 over the golden ratio
	var here byte
	stack := uint64(uintptr(unsafe.Pointer(&here))) >> 11 // no stack is smaller
	return &h.locks[stack*spread>>(64-lockBits)]
}

// enter begins a call on the filter: its lock is held up to leave, unless the
// status is an error. The verbs on one key have the two around their call of C,
// all others go by use: of what Go adds to a single call, a function as an
// argument was a third.
func (h *handle) enter() (filter cFilter, held *lock, status cStatus) {
	if h == nil {
		return filter, nil, cStatus(ErrClosed)
	}
	if h.locks != nil {
		held = h.lock()
		held.RLock()
	} else {
		h.single.Lock()
	}
	filter = h.filter
	if filter == nil {
		h.leave(held)
		return filter, nil, h.closed()
	}
	stress()
	return filter, held, 0
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
func (h *handle) leave(held *lock) {
	if held != nil {
		held.RUnlock()
	} else {
		h.single.Unlock()
	}
	runtime.KeepAlive(h)
}

// use makes a call on the filter.
func (h *handle) use(call func(cFilter) cStatus) error {
	filter, held, status := h.enter()
	if status == 0 {
		status = call(filter)
		h.leave(held)
	}
	return failure(status)
}

// close frees the filter, once.
func (h *handle) close() {
	if h == nil {
		return
	}
	h.lockAll()
	defer h.unlockAll()
	h.cleanup.Stop()
	free(h.filter)
	h.filter = nil
}

// lockAll waits until no call runs, and lets none begin.
func (h *handle) lockAll() {
	if h.locks == nil {
		h.single.Lock()
		return
	}
	for i := range h.locks {
		h.locks[i].Lock()
	}
}

// unlockAll lets calls begin again.
func (h *handle) unlockAll() {
	if h.locks == nil {
		h.single.Unlock()
		return
	}
	for i := range h.locks {
		h.locks[i].Unlock()
	}
}
