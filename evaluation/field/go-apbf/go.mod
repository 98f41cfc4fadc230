module github.com/lately/lately/evaluation/field/go-apbf

go 1.26.6

require (
	github.com/decred/dcrd/container/apbf v1.0.1
	github.com/lately/lately/evaluation/field/go v0.1.0
)

require (
	github.com/dchest/siphash v1.2.3 // indirect
	golang.org/x/sys v0.49.0 // indirect
)

replace github.com/lately/lately/bindings/go => ../../../bindings/go

replace github.com/lately/lately/evaluation/field/go => ../go
