//go:build !lately_system && ((linux && !android && (amd64 || arm64)) || (windows && amd64))

package lately

// The library is in this module: nothing needs to be installed but a C compiler.
// With the tag lately_system it is that of the system, by pkg-config (link.go).
//
// On Linux there are two archives, for glibc and for musl, whose functions have
// different names: the header asks for those of the C library that this program
// is compiled for, and the linker takes what is asked for.

/*
#cgo CFLAGS: -I${SRCDIR}/internal/liblately
#cgo linux,amd64 LDFLAGS: ${SRCDIR}/internal/liblately/linux_amd64_glibc.a ${SRCDIR}/internal/liblately/linux_amd64_musl.a
#cgo linux,arm64 LDFLAGS: ${SRCDIR}/internal/liblately/linux_arm64_glibc.a ${SRCDIR}/internal/liblately/linux_arm64_musl.a
#cgo linux LDFLAGS: -lpthread -ldl -lm
#cgo windows LDFLAGS: ${SRCDIR}/internal/liblately/windows_amd64.a -lws2_32 -luserenv -lntdll -lkernel32
*/
import "C"

// For `go mod vendor`, which takes along the folders of packages and no others.
import _ "github.com/lately/lately/bindings/go/internal/liblately"
