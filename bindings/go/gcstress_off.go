//go:build !lately_gcstress

package lately

// stress does nothing; with the tag lately_gcstress it collects.
func stress(*handle) {}
