package main

import (
	"strings"
	"testing"
)

func TestARepeatIsADuplicate(t *testing.T) {
	var out strings.Builder
	if err := verdicts(strings.NewReader("one\ntwo\none\n"), &out); err != nil {
		t.Fatal(err)
	}
	if out.String() != "new\nnew\nduplicate\n" {
		t.Errorf("%q", out.String())
	}
}
