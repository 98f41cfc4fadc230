package lately

import (
	"bytes"
	"encoding/json"
	"fmt"
	"log/slog"
	"strings"
	"testing"
)

// A secret of digits that stand out, in every base.
var telling = SecretOf(1234567890123456789, 0xABCDEF0123456789)

// tells reports whether a text gives the secret away.
func tells(text string) bool {
	text = strings.ToLower(text)
	lo, hi := telling.Words()
	for _, word := range []uint64{lo, hi} {
		for _, verb := range []string{"%d", "%x", "%o", "%b"} {
			if strings.Contains(text, fmt.Sprintf(verb, word)) {
				return true
			}
		}
	}
	return false
}

func TestNothingShowsASecret(t *testing.T) {
	options := Options{Kind: WindowTable, WindowKeys: 1000, Keyed: true, Secret: telling}
	loading := LoadOptions{Memory: 5, Secret: telling}
	filter, err := NewFilter(options)
	must(t, err)
	defer filter.Close()
	// A struct of another package, of whose unexported fields fmt calls no method.
	type service struct {
		options Options
		secret  Secret
	}
	within := service{options, telling}
	for _, value := range []any{telling, &telling, options, &options, loading, &loading, filter, *filter, within, &within} {
		for _, verb := range []string{"%v", "%+v", "%#v", "%s", "%q", "%d", "%x"} {
			if shown := fmt.Sprintf(verb, value); tells(shown) {
				t.Errorf("%s of %T: %s", verb, value, shown)
			}
		}
		for name, handler := range map[string]func(*bytes.Buffer) slog.Handler{
			"text": func(out *bytes.Buffer) slog.Handler { return slog.NewTextHandler(out, nil) },
			"json": func(out *bytes.Buffer) slog.Handler { return slog.NewJSONHandler(out, nil) },
		} {
			var out bytes.Buffer
			slog.New(handler(&out)).Info("x", "value", value, slog.Group("g", slog.Any("inner", []any{value})))
			if tells(out.String()) || out.Len() == 0 {
				t.Errorf("slog, %s of %T: %s", name, value, out.String())
			}
		}
	}
	for _, value := range []any{telling, loading, map[string]Secret{"a": telling}} {
		out, err := json.Marshal(value)
		must(t, err)
		if tells(string(out)) || !strings.Contains(string(out), hidden) {
			t.Errorf("JSON of %T: %s", value, out)
		}
	}
	if out, err := json.Marshal(LoadOptions{}); err != nil || !strings.Contains(string(out), `"Secret":null`) {
		t.Errorf("JSON of options without a secret: %s, %v", out, err)
	}
}

func TestSecretsAreEqualByTheirWords(t *testing.T) {
	for other, want := range map[Secret]bool{SecretOf(5, 6): true, SecretOf(6, 6): false, SecretOf(5, 5): false, {}: false} {
		expect(t, SecretOf(5, 6).Equal(other), nil, want)
	}
	expect(t, Secret{}.Equal(SecretOf(0, 0)), nil, true)
}

func TestOptionsPrintTheGivenValues(t *testing.T) {
	options := Options{Kind: 4, Variant: QQHT, Memory: 4096, Secret: telling}
	want := "Options{Kind: " + kinds[4] + ", Memory: 4096, Variant: QQHT, Secret: (secret)}"
	if got := options.String(); got != want {
		t.Errorf("%s, not %s", got, want)
	}
	if got := fmt.Sprintf("%#v", options); got != "lately."+want {
		t.Errorf("%s", got)
	}
}

func TestAFilterIsOneLine(t *testing.T) {
	filter := newFilter(t, Last(1000))
	line := filter.String()
	if !strings.HasPrefix(line, "lately.Filter(window-table, window 1000 keys, ") || strings.Contains(line, "\n") {
		t.Errorf("%q", line)
	}
	if got := fmt.Sprintf("%v %+v %#v", filter, filter, filter); got != line+" "+line+" "+line {
		t.Errorf("%q", got)
	}
	must(t, filter.Close())
	if line := filter.String(); line != "lately.Filter(CLOSED)" {
		t.Errorf("%q", line)
	}
	var none *Filter
	if none.String() != "lately.Filter(nil)" || (&Filter{}).String() != "lately.Filter(CLOSED)" {
		t.Errorf("%q, %q", none, &Filter{})
	}
}
