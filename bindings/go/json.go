package lately

import (
	"encoding/json"
	"fmt"
	"maps"
	"reflect"
	"slices"
	"strings"
	"unicode"
)

// written lists the options that files have, in the order of their numbers: all
// but the secret.
func written() []option {
	var all []option
	for _, number := range slices.Sorted(maps.Keys(options)) {
		if option := options[number]; option.field != "Secret" {
			all = append(all, option)
		}
	}
	return all
}

// MarshalJSON writes what was given, each option under its name in the C
// interface and choices by name, as the other languages read it:
// {"clock":"ns","window_ns":600000000000}. The secret is left out: keep it
// apart, as one keeps a password.
func (o Options) MarshalJSON() ([]byte, error) {
	var fields []string
	for _, option := range written() {
		field := reflect.ValueOf(o).FieldByName(option.field)
		if field.IsZero() {
			continue
		}
		text, err := json.Marshal(field.Interface())
		if err != nil {
			return nil, err
		}
		fields = append(fields, fmt.Sprintf("%q:%s", option.c, text))
	}
	return []byte("{" + strings.Join(fields, ",") + "}"), nil
}

// UnmarshalJSON reads what MarshalJSON, Rust or a person wrote. A name that is no
// option is an error, and so is a secret, which does not belong into such a file. What is
// not in the text is not given, whatever o was before; with an error o stays as it
// was.
func (o *Options) UnmarshalJSON(text []byte) error {
	var fields map[string]json.RawMessage
	if err := json.Unmarshal(text, &fields); err != nil {
		return fmt.Errorf("lately: options: %w", err)
	}
	var read Options
	for _, option := range written() {
		if value, found := fields[option.c]; found {
			field := reflect.ValueOf(&read).Elem().FieldByName(option.field)
			if err := json.Unmarshal(value, field.Addr().Interface()); err != nil {
				return fmt.Errorf("lately: options: %s: %w", option.c, err)
			}
			delete(fields, option.c)
		}
	}
	for name := range fields {
		return fmt.Errorf("lately: options: unknown field %q", name)
	}
	*o = read
	return nil
}

// MarshalText gives the name of the kind as the shell and files have it: small
// letters, with hyphens.
func (k Kind) MarshalText() ([]byte, error) { return nameOf("kind", kinds, uint32(k)) }

// UnmarshalText reads the name that MarshalText gives.
func (k *Kind) UnmarshalText(name []byte) error { return numberOf("kind", kinds, name, (*uint32)(k)) }

// MarshalText gives "system", or "ns" of [ManualClock]: the unit of its ticks.
func (c Clock) MarshalText() ([]byte, error) { return nameOf("clock", clocks, uint32(c)) }

// UnmarshalText reads "system" or "ns". Clocks of other units are other languages': a
// Tick is nanoseconds.
func (c *Clock) UnmarshalText(name []byte) error {
	return numberOf("clock", clocks, name, (*uint32)(c))
}

// MarshalText gives "refresh" or "keep-first".
func (r Repeat) MarshalText() ([]byte, error) { return nameOf("repeat", repeats, uint32(r)) }

// UnmarshalText reads "refresh" or "keep-first".
func (r *Repeat) UnmarshalText(name []byte) error {
	return numberOf("repeat", repeats, name, (*uint32)(r))
}

// MarshalText gives "forget-oldest" or "raise-error-rate".
func (l OnLimit) MarshalText() ([]byte, error) { return nameOf("on_limit", onLimits, uint32(l)) }

// UnmarshalText reads "forget-oldest" or "raise-error-rate".
func (l *OnLimit) UnmarshalText(name []byte) error {
	return numberOf("on_limit", onLimits, name, (*uint32)(l))
}

// MarshalText gives "qht", "qhtd", "qqht" or "qqhtd".
func (v Variant) MarshalText() ([]byte, error) { return nameOf("variant", variants, uint32(v)) }

// UnmarshalText reads "qht", "qhtd", "qqht" or "qqhtd".
func (v *Variant) UnmarshalText(name []byte) error {
	return numberOf("variant", variants, name, (*uint32)(v))
}

// inFiles gives a choice's name as files have it: KeepFirst is keep-first, QHTD is qhtd,
// ManualClock is ns.
func inFiles(name string) string {
	if name == "ManualClock" {
		return "ns"
	}
	name = strings.TrimSuffix(name, "Clock")
	if name == strings.ToUpper(name) {
		return strings.ToLower(name)
	}
	var out strings.Builder
	for i, letter := range name {
		if unicode.IsUpper(letter) && i > 0 {
			out.WriteByte('-')
		}
		out.WriteRune(unicode.ToLower(letter))
	}
	return out.String()
}

func nameOf(option string, names []string, number uint32) ([]byte, error) {
	if number == 0 || int64(number) >= int64(len(names)) {
		return nil, jsonError(option, fmt.Sprint(number), names)
	}
	return []byte(inFiles(names[number])), nil
}

func numberOf(option string, names []string, name []byte, number *uint32) error {
	at := slices.IndexFunc(names[1:], func(known string) bool { return inFiles(known) == string(name) })
	if at < 0 {
		return jsonError(option, fmt.Sprintf("%q", name), names)
	}
	*number = uint32(at) + 1
	return nil
}

func jsonError(option, value string, names []string) error {
	return fmt.Errorf("lately: %s", outOfRange(option, value, "one of "+allOf(names)))
}

func allOf(names []string) string {
	var all []string
	for _, name := range names[1:] {
		all = append(all, inFiles(name))
	}
	return strings.Join(all, ", ")
}
