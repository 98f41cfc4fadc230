//go:build lately_gcstress

package lately

import "runtime"

// stress collects in every call, between taking the C pointer and using it: a
// handle that is not kept alive is freed right there. For the tests.
func stress() {
	runtime.GC()
}
