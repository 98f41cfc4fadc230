//go:build lately_gcstress

package lately

import (
	"os"
	"runtime"
	"strings"
	"sync"
	"weak"
)

// often is how many calls of one verb are stressed at every eighth; with
// LATELY_LONG all are.
var often = map[bool]uint64{false: 800, true: ^uint64(0)}[os.Getenv("LATELY_LONG") != ""]

// stressed has for each place that calls stress how often it did.
var stressed = struct {
	sync.Mutex
	of map[uintptr]uint64
}{of: map[uintptr]uint64{}}

// stress collects in every eighth of the first calls of each verb and in every
// 512th later, between taking the C pointer and using it. It panics if the handle is
// unreachable then, since its cleanup frees the filter that the call is about to use. For
// the tests.
func stress(h *handle) {
	place, inUse := caller(), weak.Make(h)
	stressed.Lock()
	stressed.of[place]++
	n := stressed.of[place]
	stressed.Unlock()
	if n%8 == 0 && (n <= often || n%512 == 0) {
		runtime.GC()
		if inUse.Value() == nil {
			panic("lately: a filter was collected during a call on it")
		}
	}
}

// caller is the place of the verb whose call this is: past itself, stress and
// enter, and past use, where it went by that.
func caller() uintptr {
	var places [2]uintptr
	runtime.Callers(4, places[:])
	if name := runtime.FuncForPC(places[0]).Name(); strings.HasSuffix(name, ".use") {
		return places[1]
	}
	return places[0]
}
