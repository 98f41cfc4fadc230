//go:build lately_gcstress

package lately

import (
	"runtime"
	"sync/atomic"
)

var stressed atomic.Uint64

// stress collects in every eighth call, between taking the C pointer and using
// it: a handle that is not kept alive is freed right there. For the tests.
func stress() {
	if stressed.Add(1)%8 == 0 {
		runtime.GC()
	}
}
