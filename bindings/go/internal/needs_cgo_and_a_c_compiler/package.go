//go:build cgo

// Package needs_cgo_and_a_c_compiler has no file without cgo, and package lately
// asks for it then: so the go command prints this path, which names what is missing.
package needs_cgo_and_a_c_compiler
