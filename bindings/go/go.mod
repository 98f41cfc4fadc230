module github.com/lately/lately/bindings/go

go 1.24
