package lately

import (
	"bytes"
	"encoding/gob"
	"encoding/json"
	"fmt"
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

func TestVerdictsAndFindsPrint(t *testing.T) {
	got := fmt.Sprint(Verdict(0), New, Duplicate, Pending, AbsentKey, Verdict(9), CommitInTime, CommitLate, CommitAlready,
		Committed(9))
	if got != "none New Duplicate Pending AbsentKey Verdict(9) InTime Late Already Committed(9)" {
		t.Error(got)
	}
}
