// Package lately answers "have I seen this lately?": duplicate detection in
// unbounded streams, in bounded memory.
//
//	options := lately.Window(10 * time.Minute)
//	options.Memory = 64 << 20
//	seen, err := lately.NewFilter(options)
//	if err != nil {
//		return err
//	}
//	defer seen.Close()
//	verdict, err := seen.Observe(key)
//	if err == nil && verdict == lately.New {
//		first(key)
//	}
//
// A key inserted within the window is never answered [New]. An absent key is
// answered [Duplicate] at most at [Options.ErrorRate].
//
// # Goroutines
//
// A filter of [NewFilter] is for any number of them, one of [NewUnshared] for one at a
// time: see [Filter].
//
// # Memory
//
// Without [Options.Memory] a filter with a window of time grows with its traffic;
// [Options.OnLimit] tells what gives way at the limit. This memory is the C library's: the
// garbage collector neither counts nor limits it, and frees a filter that is dropped
// when it finds it, which may be late. [Filter.Close] frees at once.
//
// # Snapshots
//
// [Open] and [Filter.Save] keep a filter in a file, from run to run.
// [Filter.WriteTo] writes a filter as bytes that every language reads alike, and
// [ReadFilter] makes a filter from them, which resumes where the first one stopped.
//
// # Errors
//
// Except for the errors of files and of a reader or writer of snapshots, every error is an
// [*Error], and [errors.Is] compares it with the constants Err*. A refused call
// changes nothing.
//
// # Linking
//
// The module of a release has the C library in it, for Linux (amd64 and arm64) and
// Windows (amd64). Elsewhere, and with the tag lately_system, it comes from pkg-config
// (install liblately-dev; PKG_CONFIG_PATH names another place), with the tag
// lately_static as a part of the program. README.md has the steps.
package lately
