// Package install_liblately_dev asks for the C library before package lately
// does. Where it is missing, the go command prints the path of this package above
// pkg-config's complaint, and so names the remedy.
package install_liblately_dev

// #cgo !lately_static pkg-config: lately
// #cgo lately_static pkg-config: lately-static
import "C"
