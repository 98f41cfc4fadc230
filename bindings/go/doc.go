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
// A filter of [NewFilter] is for any number of goroutines: if several
// observe one new key concurrently, exactly one gets [New]. [NewUnshared] is for
// one goroutine at a time.
//
// # Memory
//
// Without [Options.Memory] a filter with a window of time grows with its
// traffic. With it the window shortens at the limit, or the error rate of a
// filter that keeps its window rises ([Options.OnLimit]), and [Filter.Stats] reports to
// what. This memory is the C library's: the garbage collector neither counts nor limits it. A filter that
// is dropped is freed when the collector finds it, which may be late: [Filter.Close]
// frees at once.
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
// The module of a release has the C library in it, for Linux (amd64 and arm64)
// and Windows (amd64), and links that. With the tag lately_system, on other
// platforms, and in the module of the sources, the library comes from pkg-config:
// install liblately-dev, or the library by cmake --install; PKG_CONFIG_PATH names
// the folder of lately.pc if that is not where the system looks. Where it is not found, the error of the go
// command begins with install_liblately_dev; without cgo, which that command turns
// off where it finds no C compiler, with needs_cgo_and_a_c_compiler.
// With the tag lately_static that library becomes part of the program.
package lately
