package lately

import (
	"bytes"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"time"
	"unicode"
)

// written is Options as files have them: each option under its name in the C
// interface, which Rust and the shell use too, and only what was given.
type written struct {
	Kind            Kind    `json:"kind,omitempty"`
	WindowNs        int64   `json:"window_ns,omitempty"`
	Clock           Clock   `json:"clock,omitempty"`
	Repeat          Repeat  `json:"repeat,omitempty"`
	OnLimit         OnLimit `json:"on_limit,omitempty"`
	WindowKeys      uint64  `json:"window_keys,omitempty"`
	Capacity        uint64  `json:"capacity,omitempty"`
	ErrorRate       float64 `json:"error_rate,omitempty"`
	MissRate        float64 `json:"miss_rate,omitempty"`
	Memory          uint64  `json:"memory,omitempty"`
	MaxStepNs       int64   `json:"max_step_ns,omitempty"`
	K               uint32  `json:"k,omitempty"`
	L               uint32  `json:"l,omitempty"`
	MaxSlices       uint32  `json:"max_slices,omitempty"`
	Fill            float64 `json:"fill,omitempty"`
	Variant         Variant `json:"variant,omitempty"`
	FingerprintBits uint32  `json:"fingerprint_bits,omitempty"`
	SemiSort        bool    `json:"semi_sort,omitempty"`
	Removable       bool    `json:"removable,omitempty"`
	BlockBytes      uint32  `json:"block_bytes,omitempty"`
	Chains          uint32  `json:"chains,omitempty"`
	Load            float64 `json:"load,omitempty"`
	Keyed           bool    `json:"keyed,omitempty"`
	Seed            uint64  `json:"seed,omitempty"`
	AgeBits         uint32  `json:"age_bits,omitempty"`
}

// MarshalJSON writes what was given, each option under its name in the C
// interface and choices by name, as the other languages read it:
// {"kind":"window-table","window_ns":600000000000}. The secret is left out: keep it
// apart, as one keeps a password.
func (o Options) MarshalJSON() ([]byte, error) {
	return json.Marshal(written{
		o.Kind, int64(o.Window), o.Clock, o.Repeat, o.OnLimit, o.WindowKeys, o.Capacity, o.ErrorRate, o.MissRate, o.Memory,
		int64(o.MaxStep), o.K, o.L, o.MaxSlices, o.Fill, o.Variant, o.FingerprintBits, o.SemiSort, o.Removable,
		o.BlockBytes, o.Chains, o.Load, o.Keyed, o.Seed, o.AgeBits,
	})
}

// UnmarshalJSON reads what MarshalJSON, Rust or a person wrote. A name that is no
// option is an error, and so is a secret, which belongs into no such file.
func (o *Options) UnmarshalJSON(text []byte) error {
	var w written
	decoder := json.NewDecoder(bytes.NewReader(text))
	decoder.DisallowUnknownFields()
	if err := decoder.Decode(&w); err != nil {
		return fmt.Errorf("lately: options: %w", err)
	}
	*o = Options{
		w.Kind, w.Clock, w.Repeat, w.OnLimit, time.Duration(w.WindowNs), w.WindowKeys, w.Capacity, w.ErrorRate, w.MissRate,
		w.Memory, time.Duration(w.MaxStepNs), w.K, w.L, w.MaxSlices, w.Fill, w.Variant, w.FingerprintBits, w.SemiSort,
		w.Removable, w.BlockBytes, w.Chains, w.Load, w.Keyed, w.Seed, Secret{}, w.AgeBits,
	}
	return nil
}

// MarshalText gives the name of the kind as the shell and files have it, such as
// "window-table".
func (k Kind) MarshalText() ([]byte, error) { return nameOf("kind", kinds, uint32(k)) }

// UnmarshalText reads the name of a kind, such as "window-table".
func (k *Kind) UnmarshalText(name []byte) error { return numberOf("kind", kinds, name, (*uint32)(k)) }

// MarshalText gives "system" or "manual".
func (c Clock) MarshalText() ([]byte, error) { return nameOf("clock", clocks, uint32(c)) }

// UnmarshalText reads "system" or "manual".
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
// ManualClock is manual.
func inFiles(name string) string {
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
		return nil, fmt.Errorf("lately: %s = %d: allowed is %s", option, number, allOf(names))
	}
	return []byte(inFiles(names[number])), nil
}

func numberOf(option string, names []string, name []byte, number *uint32) error {
	at := slices.IndexFunc(names[1:], func(known string) bool { return inFiles(known) == string(name) })
	if at < 0 {
		return fmt.Errorf("lately: %s = %q: allowed is %s", option, name, allOf(names))
	}
	*number = uint32(at) + 1
	return nil
}

func allOf(names []string) string {
	var all []string
	for _, name := range names[1:] {
		all = append(all, inFiles(name))
	}
	return strings.Join(all, ", ")
}
