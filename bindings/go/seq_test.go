package lately

import (
	stdbytes "bytes"
	"encoding"
	"errors"
	"slices"
	"testing"
	"time"
)

func TestFilterNewYieldsTheNewKeys(t *testing.T) {
	filter, err := NewFilter(Last(100))
	must(t, err)
	var got []string
	for key, err := range filter.FilterNewStrings(slices.Values([]string{"a", "b", "a", "", "b", "c", ""})) {
		must(t, err)
		got = append(got, key)
	}
	if !slices.Equal(got, []string{"a", "b", "", "c"}) {
		t.Errorf("%q", got)
	}
	// Who stops has observed no more than was asked for.
	for key, err := range filter.FilterNew(slices.Values([][]byte{[]byte("c"), []byte("d"), []byte("e")})) {
		must(t, err)
		if string(key) != "d" {
			t.Errorf("%q", key)
		}
		break
	}
	if verdict, err := filter.ContainsString("e"); verdict != New || err != nil {
		t.Error(verdict, err)
	}
	must(t, filter.Close())
	count := 0
	for key, err := range filter.FilterNewStrings(slices.Values([]string{"x", "y"})) {
		count++
		if key != "x" || !errors.Is(err, ErrClosed) {
			t.Errorf("%q, %v", key, err)
		}
	}
	if count != 1 {
		t.Errorf("%d keys after an error", count)
	}
}

func TestASnapshotIsABinaryMarshaler(t *testing.T) {
	filter, err := NewFilter(Last(100))
	must(t, err)
	defer filter.Close()
	if _, err := filter.ObserveString("a"); err != nil {
		t.Fatal(err)
	}
	var marshaler encoding.BinaryMarshaler = filter
	bytes, err := marshaler.MarshalBinary()
	must(t, err)
	want, err := filter.Snapshot()
	must(t, err)
	if !slices.Equal(bytes, want) {
		t.Error("other bytes than those of Snapshot")
	}
	loaded, err := ReadFilter(stdbytes.NewReader(bytes), time.Second, LoadOptions{})
	must(t, err)
	defer loaded.Close()
	if verdict, err := loaded.ContainsString("a"); verdict != Duplicate || err != nil {
		t.Error(verdict, err)
	}
}
