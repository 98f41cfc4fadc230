package lately

import (
	"bytes"
	"encoding/gob"
	"encoding/json"
	"slices"
	"strings"
	"testing"
)

type service struct {
	Name string
	Seen *Filter
}

func TestAFilterInADocumentIsAnError(t *testing.T) {
	filter, err := NewFilter(Last(100))
	must(t, err)
	defer filter.Close()
	for _, value := range []any{filter, service{"a", filter}, []*Filter{filter}, map[string]*Filter{"a": filter}} {
		if text, err := json.Marshal(value); err == nil || !strings.Contains(err.Error(), "WriteTo") {
			t.Errorf("json of %T: %s, %v", value, text, err)
		}
		if err := gob.NewEncoder(new(bytes.Buffer)).Encode(value); err == nil || !strings.Contains(err.Error(), "WriteTo") {
			t.Errorf("gob of %T: %v", value, err)
		}
	}
	var read service
	if err := json.Unmarshal([]byte(`{"Name":"a","Seen":{}}`), &read); err == nil {
		t.Error("{} was read as a filter:", read.Seen)
	}
	if err := json.Unmarshal([]byte(`{"Name":"a","Seen":null}`), &read); err != nil || read.Seen != nil {
		t.Error("null:", read.Seen, err)
	}
	if text, err := json.Marshal(service{"a", nil}); err != nil || string(text) != `{"Name":"a","Seen":null}` {
		t.Errorf("no filter: %s, %v", text, err)
	}
	if err := filter.GobDecode(nil); err == nil {
		t.Error("gob was read as a filter")
	}
}

func TestTheZeroVerdictIsNoVerdict(t *testing.T) {
	var none Verdict
	if none == New || none == Duplicate || none == Pending || none == AbsentKey || none.String() != "none" {
		t.Error(none)
	}
	filter, err := NewFilter(Window(1 << 40))
	must(t, err)
	filter.Close()
	if verdict, err := filter.Observe([]byte("a")); verdict != none || err == nil {
		t.Error("Observe on a closed filter returned", verdict, err)
	}
	options := Window(1 << 40)
	options.Clock, options.MaxStep = ManualClock, 10
	timed, err := NewFilter(options)
	must(t, err)
	defer timed.Close()
	_, err = timed.AtTick(1).Observe([]byte("a"))
	must(t, err)
	if verdict, err := timed.AtTick(100).Observe([]byte("b")); verdict != none || err == nil {
		t.Error("a refused tick returned", verdict, err)
	}
	verdicts := make([]Verdict, 4)
	done, err := timed.ObserveBatch(Strings([]string{"b", "b", "c", "d"}), []Tick{2, 3, 100, 4}, verdicts)
	if want := []Verdict{New, Duplicate, none, none}; done != 2 || err == nil || !slices.Equal(verdicts, want) {
		t.Error("a batch that stopped early returned", done, verdicts, err)
	}
}

func TestFirstIsACondition(t *testing.T) {
	filter, err := NewFilter(Last(100))
	must(t, err)
	for i, want := range []bool{true, false, false} {
		call := func() (bool, error) { return filter.First([]byte("a")) }
		if i == 1 {
			call = func() (bool, error) { return filter.FirstString("a") }
		}
		if first, err := call(); first != want || err != nil {
			t.Error(i, first, err)
		}
	}
	type order struct{ id, place string }
	orders := []order{{"17", "a"}, {"18", "b"}, {"17", "c"}, {"19", "d"}}
	var places []string
	for order, err := range First(filter, slices.Values(orders), func(o order) string { return o.id }) {
		must(t, err)
		places = append(places, order.place)
	}
	if !slices.Equal(places, []string{"a", "b", "d"}) {
		t.Error(places)
	}
	filter.Close()
	if first, err := filter.First([]byte("b")); first || err == nil {
		t.Error("First on a closed filter returned", first, err)
	}
}
