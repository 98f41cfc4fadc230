package lately

import "fmt"

// Version returns the version of the C library that runs, such as "0.1.0".
func Version() string {
	return versionString()
}

// VersionNumber returns the same as one number: major x 1,000,000 + minor x
// 1,000 + patch.
func VersionNumber() uint32 {
	return versionNumber()
}

// ABIVersion returns the binary interface of the C library that runs.
func ABIVersion() uint32 {
	return abiVersion()
}

// Hash64 returns the hash of every unkeyed filter: XXH3-64 under seed. It
// never changes.
func Hash64(key []byte, seed uint64) uint64 {
	return hash64(key, seed)
}

// libraryError is the error of [NewFilter] and [Plan] if the program, built
// with one header, runs with a library that does not match it.
var libraryError = meets(headerABI, abiVersion(), headerVersion, versionNumber())

// meets reports whether a library can serve a program: it has the binary
// interface of the program's header, and is not older than it.
func meets(headerABI, libraryABI, header, library uint32) error {
	if headerABI == libraryABI && header <= library {
		return nil
	}
	const text = "built for liblately %s (ABI %d), but the library found at run time is %s (ABI %d)"
	return &Error{
		Code:    ErrLibrary,
		Message: fmt.Sprintf(text, dotted(header), headerABI, dotted(library), libraryABI),
	}
}

// dotted writes a version number as its text.
func dotted(number uint32) string {
	return fmt.Sprintf("%d.%d.%d", number/1_000_000, number/1_000%1_000, number%1_000)
}
