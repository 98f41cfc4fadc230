package main

import (
	"strings"
	"testing"
)

func TestFirstSightings(t *testing.T) {
	var out strings.Builder
	if err := firstSightings(strings.NewReader("one\ntwo\none\n"), &out); err != nil {
		t.Fatal(err)
	}
	if out.String() != "one\ntwo\n" {
		t.Errorf("got %q", out.String())
	}
}
