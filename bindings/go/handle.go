package lately

import (
	"runtime"
	"sync"
	"unsafe"
)

// handle owns a filter of the C library. Close waits for running calls, later calls
// return ErrClosed, and the garbage collector frees a filter that was not closed.
//
// Calls of a shared filter run in parallel: each takes one of many locks for reading, and
// Close takes all of them. With a single lock all processors would write to one word
// twice a call: 48 to 84 ns with two goroutines on two cores, against 13 with many locks.
// Retaining and freeing the C handle in each call would write to one word, too.
//
// An unshared filter has one lock, which lets one call in at a time.
type handle struct {
	locks   *[lockCount]lock // of a shared filter
	single  sync.Mutex       // of an unshared filter
	filter  cFilter          // nil once closed
	refusal error            // why there is no filter; nil if it was closed
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

// hold takes ownership of a C filter. The cleanup has only the C pointer: with the handle in
// it, the handle would never be unreachable.
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

// lock chooses the lock of this goroutine by the address of its stack. Two goroutines that
// get the same lock are slower, and still correct.
func (h *handle) lock() *lock {
	const spread = 0x9e3779b97f4a7c15 // 2^64 over the golden ratio
	var here byte
	stack := uint64(uintptr(unsafe.Pointer(&here))) >> 11 // no stack is smaller
	return &h.locks[stack*spread>>(64-lockBits)]
}

// enter begins a call on the filter: unless the status is an error, the lock is held until
// leave. The verbs on one key call both themselves; all others go through use, whose function
// argument would be a third of what Go adds to a single call.
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
		return filter, nil, cStatus(ErrClosed)
	}
	stress(h)
	return filter, held, 0
}

// failed is the error of a call's status, nil for OK.
func (h *handle) failed(status cStatus) error {
	if status != 0 && h != nil && h.refusal != nil {
		return h.refusal
	}
	return failure(status)
}

// leave ends a call. The handle stays reachable until here, so that the collector does not
// free the filter during the call. Using the lock of an unshared filter has the same effect
// today; KeepAlive does not depend on where the locks are.
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
	return h.failed(status)
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

// lockAll waits until no call runs and keeps new calls out.
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
