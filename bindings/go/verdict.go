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
)

// String returns "New" or "Duplicate".
func (v Verdict) String() string {
	switch v {
	case New:
		return "New"
	case Duplicate:
		return "Duplicate"
	}
	return "Verdict(" + strconv.Itoa(int(v)) + ")"
}
