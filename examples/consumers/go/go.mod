module example.com/verdicts

go 1.24

require github.com/lately/lately/bindings/go v0.1.0
