package main

import (
	"testing"

	"github.com/lately/lately/evaluation/field/go/play"
)

func TestRivals_smallWorkloads_missNothing(t *testing.T) {
	if err := play.Check(rivals()); err != nil {
		t.Fatal(err)
	}
}
