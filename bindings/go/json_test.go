package lately

import (
	"encoding/json"
	"reflect"
	"strings"
	"testing"
	"time"
)

// everything has every option but the secret, whether or not a kind takes it.
func everything(kind Kind) (o Options) {
	for _, option := range written() {
		setOne(reflect.ValueOf(&o).Elem().FieldByName(option.field))
	}
	o.Kind, o.Memory = kind, 1<<64-1
	return o
}

func TestOptionsAreReadAsTheyWereWritten(t *testing.T) {
	for kind := range uint32(len(kinds)) {
		for _, want := range []Options{{Kind: Kind(kind)}, everything(Kind(kind))} {
			text, err := json.Marshal(want)
			must(t, err)
			var got Options
			must(t, json.Unmarshal(text, &got))
			if got != want {
				t.Errorf("%s became %v", text, got)
			}
		}
	}
}

func TestOptionsHaveTheNamesOfTheOtherLanguages(t *testing.T) {
	o := Window(10 * time.Minute)
	o.OnLimit, o.Memory = ForgetOldest, 64<<20
	text, err := json.Marshal(o)
	must(t, err)
	want := `{"kind":"window-table","on_limit":"forget-oldest","window_ns":600000000000,"memory":67108864}`
	if string(text) != want {
		t.Errorf("%s, want %s", text, want)
	}
	text, err = json.Marshal(everything(WindowTable))
	must(t, err)
	var all map[string]any
	must(t, json.Unmarshal(text, &all))
	for _, option := range options {
		if _, found := all[option.c]; found == (option.field == "Secret") {
			t.Errorf("%s: written: %v", option.c, found)
		}
	}
	if len(all) != len(options)-2 {
		t.Errorf("%d names in %s", len(all), text)
	}
}

func TestASecretIsNeitherWrittenNorRead(t *testing.T) {
	keyed := everything(WindowTable)
	bare, err := json.Marshal(keyed)
	must(t, err)
	keyed.Secret = SecretOf(1, 2)
	text, err := json.Marshal(keyed)
	must(t, err)
	if string(text) != string(bare) {
		t.Errorf("%s has a secret", text)
	}
	for _, name := range []string{"secret", "secret_lo", "Secret", "windows", "error-rate"} {
		var o Options
		err := json.Unmarshal([]byte(`{"kind":"window-table","`+name+`":1}`), &o)
		if err == nil || !strings.Contains(err.Error(), name) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func TestWrongChoiceOrNumberIsAnErrorWithTheChoices(t *testing.T) {
	for text, want := range map[string]string{
		`{"kind":"window-table","repeat":"sometimes"}`: `repeat = "sometimes": must be one of refresh, keep-first`,
		`{"kind":"bloom"}`:        `kind = "bloom": must be one of `,
		`{"clock":"sun"}`:         `clock = "sun": must be one of system, ns`,
		`{"variant":""}`:          `variant = "": must be one of qht, qhtd, qqht, qqhtd`,
		`{"memory":-1}`:           "memory",
		`{"window_ns":1e30}`:      "window_ns",
		`{"KIND":"window-table"}`: `unknown field "KIND"`,
		`{"memory":"64M"}`:        "memory",
		`[1]`:                     "options",
		`{"k":4294967296}`:        "k",
	} {
		o := Last(5)
		err := json.Unmarshal([]byte(text), &o)
		if err == nil || !strings.Contains(err.Error(), want) || o != Last(5) {
			t.Errorf("%s: %v, %v", text, err, o)
		}
	}
	for _, o := range []Options{{Kind: 9}, {Clock: 3}, {Repeat: 3}, {OnLimit: 3}, {Variant: 5}} {
		if text, err := json.Marshal(o); err == nil {
			t.Errorf("%v became %s", o, text)
		}
	}
}
