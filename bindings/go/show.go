package lately

import (
	"errors"
	"fmt"
	"io"
	"log/slog"
	"reflect"
	"strings"
)

// The text that is shown in the place of a secret.
const hidden = "(secret)"

// Format writes "(secret)", whatever the verb.
func (Secret) Format(out fmt.State, _ rune) {
	io.WriteString(out, hidden)
}

// String returns "(secret)".
func (Secret) String() string { return hidden }

// GoString returns "(secret)".
func (Secret) GoString() string { return hidden }

// LogValue is "(secret)", for log/slog.
func (Secret) LogValue() slog.Value { return slog.StringValue(hidden) }

// MarshalText gives "(secret)", so that no text or JSON of options contains it:
// keep it elsewhere, as you would a password.
func (Secret) MarshalText() ([]byte, error) { return []byte(hidden), nil }

// MarshalJSON gives "(secret)", and null for the zero Secret, which is none.
func (s Secret) MarshalJSON() ([]byte, error) {
	if s.IsZero() {
		return []byte("null"), nil
	}
	return []byte(`"` + hidden + `"`), nil
}

// String returns what was given, without the secret.
func (o Options) String() string { return given(o) }

// GoString is String: not even %#v shows the secret.
func (o Options) GoString() string { return "lately." + given(o) }

// LogValue is String, for log/slog.
func (o Options) LogValue() slog.Value { return slog.StringValue(given(o)) }

// String returns what was given, without the secret.
func (o LoadOptions) String() string { return given(o) }

// GoString is String: not even %#v shows the secret.
func (o LoadOptions) GoString() string { return "lately." + given(o) }

// LogValue is String, for log/slog.
func (o LoadOptions) LogValue() slog.Value { return slog.StringValue(given(o)) }

// given lists the fields of a struct that are not zero.
func given(of any) string {
	value := reflect.ValueOf(of)
	var fields []string
	for i := range value.NumField() {
		if field := value.Field(i); !field.IsZero() {
			fields = append(fields, fmt.Sprintf("%s: %v", value.Type().Field(i).Name, field.Interface()))
		}
	}
	return value.Type().Name() + "{" + strings.Join(fields, ", ") + "}"
}

// String returns the filter in one line: kind, window, bytes and error rate. No
// key and no secret is in it.
func (f *Filter) String() string {
	if f == nil {
		return "lately.Filter(nil)"
	}
	line, err := f.owned().describe()
	if err != nil {
		line = err.(*Error).Code.Name()
	}
	return "lately.Filter(" + line + ")"
}

// GoString is String: %#v shows no memory of the library.
func (f *Filter) GoString() string { return f.String() }

// LogValue is String, for log/slog.
func (f *Filter) LogValue() slog.Value { return slog.StringValue(f.String()) }

// errNoCopy is why a filter is no value in a document: it would be lost in the
// text, or come back without the time that passed.
var errNoCopy = errors.New("lately: a Filter is no value to encode: write it by WriteTo and read it by ReadFilter, which asks how much time passed")

// MarshalJSON is an error: without it a filter would be {}, and a closed one
// when it is read.
func (*Filter) MarshalJSON() ([]byte, error) { return nil, errNoCopy }

// UnmarshalJSON is an error, except of null, which changes nothing.
func (*Filter) UnmarshalJSON(text []byte) error {
	if string(text) == "null" {
		return nil
	}
	return errNoCopy
}

// GobEncode is an error.
func (*Filter) GobEncode() ([]byte, error) { return nil, errNoCopy }

// GobDecode is an error.
func (*Filter) GobDecode([]byte) error { return errNoCopy }
