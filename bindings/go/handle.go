package lately

import (
	"runtime"
	"sync"
)

// handle owns a filter of the C library and guards its life: one call at a
// time goes in, Close waits for it, and what nobody closed the collector frees.
type handle struct {
	mu      sync.Mutex
	filter  *cFilter // nil once closed
	cleanup runtime.Cleanup
}

// hold takes ownership of a filter. The cleanup knows the C pointer alone: one
// that knew the handle would keep it alive for ever.
func hold(filter *cFilter) *handle {
	h := &handle{filter: filter}
	h.cleanup = runtime.AddCleanup(h, free, filter)
	return h
}

// enter begins a call: the filter is this goroutine's until leave.
func (h *handle) enter() (*cFilter, error) {
	if h == nil {
		return nil, failure(cStatus(ErrClosed))
	}
	h.mu.Lock()
	if h.filter == nil {
		h.mu.Unlock()
		return nil, failure(cStatus(ErrClosed))
	}
	filter := h.filter
	stress()
	return filter, nil
}

// leave ends a call.
func (h *handle) leave() {
	h.mu.Unlock()
	runtime.KeepAlive(h)
}

// use makes a call on the filter. Up to its end the handle is reachable, so
// that the collector frees no filter that a call is in.
func (h *handle) use(call func(*cFilter) cStatus) error {
	filter, err := h.enter()
	if err != nil {
		return err
	}
	status := call(filter)
	h.leave()
	return failure(status)
}

// close frees the filter, once.
func (h *handle) close() {
	filter, err := h.enter()
	if err != nil {
		return
	}
	defer h.leave()
	h.cleanup.Stop()
	h.filter = nil
	free(filter)
}
