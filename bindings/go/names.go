package lately

import (
	"fmt"
	"strings"
)

// The names of the choices and of what the calls answer, by their numbers.
var (
	answers  = []string{"none", "New", "Duplicate", "Pending", "AbsentKey"}
	finds    = []string{"InTime", "Late", "Already"}
	clocks   = []string{"", "SystemClock", "ManualClock"}
	repeats  = []string{"", "Refresh", "KeepFirst"}
	onLimits = []string{"", "ForgetOldest", "RaiseErrorRate"}
	variants = []string{"", "QHT", "QHTD", "QQHT", "QQHTD"}
)

// String returns the name of the kind, as its constant is called.
func (k Kind) String() string { return choiceName("Kind", kinds, uint32(k)) }

// String returns the name of the clock, such as "ManualClock".
func (c Clock) String() string { return choiceName("Clock", clocks, uint32(c)) }

// String returns the name of the rule, such as "KeepFirst".
func (r Repeat) String() string { return choiceName("Repeat", repeats, uint32(r)) }

// String returns the name of the rule, such as "ForgetOldest".
func (l OnLimit) String() string { return choiceName("OnLimit", onLimits, uint32(l)) }

// String returns the name of the variant, such as "QQHTD".
func (v Variant) String() string { return choiceName("Variant", variants, uint32(v)) }

// choiceName is the name of a choice; one without a name is its type and number.
func choiceName(of string, names []string, number uint32) string {
	if int64(number) < int64(len(names)) && names[number] != "" {
		return names[number]
	}
	return fmt.Sprintf("%s(%d)", of, number)
}

// oneOf finds a number that is no choice, which only a name can explain.
func oneOf(field string, choice fmt.Stringer, number uint32, names []string) error {
	if int64(number) < int64(len(names)) {
		return nil
	}
	return optionError(field, choice, "one of "+strings.Join(names[1:], ", "))
}

// choices finds a choice that is none.
func (o *Options) choices() error {
	if o.Kind == 0 || int64(o.Kind) >= int64(len(kinds)) {
		return optionError("Kind", o.Kind, "one of "+strings.Join(kinds[1:], ", "))
	}
	for _, err := range []error{
		oneOf("Clock", o.Clock, uint32(o.Clock), clocks),
		oneOf("Repeat", o.Repeat, uint32(o.Repeat), repeats),
		oneOf("OnLimit", o.OnLimit, uint32(o.OnLimit), onLimits),
		oneOf("Variant", o.Variant, uint32(o.Variant), variants),
	} {
		if err != nil {
			return err
		}
	}
	return nil
}
