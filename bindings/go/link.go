package lately

// Where the library comes from: of the system, by pkg-config. The module of a
// release has the library in it, and takes that (packaging/go/link_liblately.go)
// on the platforms that it has it for.

/*
#cgo !lately_static pkg-config: lately
#cgo lately_static pkg-config: lately-static
// Go's build cache knows flags and not the names of packages: without a flag of its own, the one form would be taken for
// the other.
#cgo lately_static CFLAGS: -DLATELY_GO_STATIC
*/
import "C"

import _ "github.com/lately/lately/bindings/go/internal/install_liblately_dev"
