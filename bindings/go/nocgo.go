//go:build !cgo

package lately

// The go command turns cgo off by itself where there is no C compiler and for other platforms.
import _ "github.com/lately/lately/bindings/go/internal/needs_cgo_and_a_c_compiler"
