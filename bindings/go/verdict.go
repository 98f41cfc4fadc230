package lately

// Verdict is the answer about a key. It is not a bool, because in half of
// such libraries true means the opposite. Its zero value is no verdict: that of
// a call that failed, and of what no call has filled. The numbers are those of
// C and one more.
type Verdict uint8

const (
	// New: the key was not seen within the window.
	New Verdict = 1
	// Duplicate: the key was seen within the window or, at most at
	// the error rate, is believed to have been.
	Duplicate Verdict = 2
	// Pending is given for a key that is claimed already, while that claim is
	// open. [Filter.Claim] alone gives it.
	Pending Verdict = 3
	// AbsentKey is given for a key that a [Column] does not have: the key
	// was not observed. No other call returns it.
	AbsentKey Verdict = 4
)

// String returns "New", "Duplicate", "Pending" or "AbsentKey"; "none" of the zero value.
func (v Verdict) String() string { return choiceName("Verdict", answers, uint32(v)) }

// Committed is what a commit found.
type Committed uint8

const (
	// CommitInTime: the claim was open. The key is stored now.
	CommitInTime Committed = 0
	// CommitLate: the claim was over, and no other caller had stored the key. It is
	// stored now.
	CommitLate Committed = 1
	// CommitAlready: the claim was over, and the filter contains the key. Nothing
	// changed.
	CommitAlready Committed = 2
)

// String returns "InTime", "Late" or "Already".
func (c Committed) String() string { return choiceName("Committed", finds, uint32(c)) }
