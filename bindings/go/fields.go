package lately

import (
	"fmt"
	"regexp"
	"strconv"
	"strings"
	"time"
)

// option is an option's name in C and the field of Options that is its like.
type option struct{ c, field string }

// options lists them by their numbers, LATELY_FIELD_*.
var options = map[uint32]option{
	// <options>
	1:  {"kind", "Kind"},
	2:  {"clock", "Clock"},
	3:  {"repeat", "Repeat"},
	4:  {"on_limit", "OnLimit"},
	5:  {"window_ns", "Window"},
	6:  {"window_keys", "WindowKeys"},
	7:  {"capacity", "Capacity"},
	8:  {"error_rate", "ErrorRate"},
	9:  {"miss_rate", "MissRate"},
	10: {"memory", "Memory"},
	11: {"max_step_ns", "MaxStep"},
	12: {"k", "K"},
	13: {"l", "L"},
	14: {"max_slices", "MaxSlices"},
	15: {"fill", "Fill"},
	16: {"variant", "Variant"},
	17: {"fingerprint_bits", "FingerprintBits"},
	18: {"semi_sort", "SemiSort"},
	19: {"removable", "Removable"},
	20: {"block_bytes", "BlockBytes"},
	21: {"chains", "Chains"},
	22: {"load", "Load"},
	23: {"keyed", "Keyed"},
	24: {"seed", "Seed"},
	25: {"secret_lo", "Secret"},
	26: {"secret_hi", "Secret"},
	27: {"age_bits", "AgeBits"},
	28: {"lateness_ns", "Lateness"},
	29: {"lease_ns", "Lease"},
	30: {"max_claims", "MaxClaims"},
	// </options>
}

// named finds an option in a message: a word before " = ", or
// that has an underscore, which no other word has.
var named = regexp.MustCompile(`\b[a-z]+(?:_[a-z]+)+\b|\b[a-z]+ = `)

// The options of time.
//
// <spans>
const spanNames = `Window|MaxStep|Lateness|Lease`

// </spans>

// spans finds the nanoseconds of a message: the value of an option of time, a
// range, or a number before ns.
var spans = regexp.MustCompile(`\b(?:` + spanNames + `) = \d+|\b\d+ to \d+ ns\b|-?\b\d+ ns\b`)

var digits = regexp.MustCompile(`-?\d+`)

// inSpans gives nanoseconds in a message the form of a time.Duration, where it
// can hold them.
func inSpans(message string) string {
	return spans.ReplaceAllStringFunc(message, func(found string) string {
		return digits.ReplaceAllStringFunc(strings.TrimSuffix(found, " ns"), func(ns string) string {
			if span, err := strconv.ParseInt(ns, 10, 64); err == nil {
				return time.Duration(span).String()
			}
			return ns + "ns"
		})
	})
}

// inGo gives the options that a message of the library names their Go names,
// and spans of time the form that they have in Go.
func inGo(message string) string {
	return inSpans(inNames(message))
}

func inNames(message string) string {
	return named.ReplaceAllStringFunc(message, func(found string) string {
		for _, option := range options {
			switch found {
			case option.c:
				return option.field
			case option.c + " = ":
				return option.field + " = "
			}
		}
		return found
	})
}

// inGo gives a message of the library the names of this package: those of the
// options, and that of the choice at fault.
func (o *Options) inGo(number uint32, message string) string {
	message = inGo(message)
	name := options[number].field
	choice := o.choice(name)
	before, after, found := strings.Cut(message, ": ")
	if choice == nil || !found || !strings.HasPrefix(before, name+" = ") {
		return message
	}
	return fmt.Sprintf("%s = %v: %s", name, choice, after)
}

// choice is the value of an option that is one of several names, nil of others.
func (o *Options) choice(name string) fmt.Stringer {
	if o == nil {
		return nil
	}
	switch name {
	// <choices>
	case "Kind":
		return o.Kind
	case "Clock":
		return o.Clock
	case "Repeat":
		return o.Repeat
	case "OnLimit":
		return o.OnLimit
	case "Variant":
		return o.Variant
		// </choices>
	}
	return nil
}

// optionError is the error of a field of Options whose value is out of range.
func optionError(field string, value any, bounds string) error {
	return &Error{Code: ErrOption, Field: field, Message: outOfRange(field, value, bounds)}
}

// outOfRange is the message on a value that must be within these bounds.
func outOfRange(name string, value any, bounds string) string {
	return fmt.Sprintf("%s = %v: must be %s", name, value, bounds)
}
