package lately

import (
	"errors"
	"slices"
	"testing"
)

// itself is the key of a text.
func itself(text string) string { return text }

func TestFirstYieldsTheItemsOfNewKeys(t *testing.T) {
	filter, err := NewFilter(Last(100))
	must(t, err)
	var got []string
	for key, err := range First(filter, slices.Values([]string{"a", "b", "a", "", "b", "c", ""}), itself) {
		must(t, err)
		got = append(got, key)
	}
	if !slices.Equal(got, []string{"a", "b", "", "c"}) {
		t.Errorf("%q", got)
	}
	// A loop that stops has observed only the items that it got.
	for key, err := range First(filter, slices.Values([]string{"c", "d", "e"}), itself) {
		must(t, err)
		if key != "d" {
			t.Errorf("%q", key)
		}
		break
	}
	if verdict, err := filter.ContainsString("e"); verdict != New || err != nil {
		t.Error(verdict, err)
	}
	must(t, filter.Close())
	count := 0
	for key, err := range First(filter, slices.Values([]string{"x", "y"}), itself) {
		count++
		if key != "x" || !errors.Is(err, ErrClosed) {
			t.Errorf("%q, %v", key, err)
		}
	}
	if count != 1 {
		t.Errorf("%d keys after an error", count)
	}
}
