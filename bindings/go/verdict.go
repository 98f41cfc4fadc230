package lately

import "strconv"

// Verdict is the answer about a key. It is not a bool: half of the world's
// libraries mean the opposite by true.
type Verdict uint8

const (
	// New says that the key was not seen within the window.
	New Verdict = 0
	// Duplicate says that the key was seen within the window or, at most at
	// the error rate, is believed to have been.
	Duplicate Verdict = 1
	// AbsentKey is given for a key that a [Column] does not have: nothing was
	// asked and nothing observed. No other call gives it.
	AbsentKey Verdict = 3
)

// String returns "New", "Duplicate" or "AbsentKey".
func (v Verdict) String() string {
	switch v {
	case New:
		return "New"
	case Duplicate:
		return "Duplicate"
	case AbsentKey:
		return "AbsentKey"
	}
	return "Verdict(" + strconv.Itoa(int(v)) + ")"
}
