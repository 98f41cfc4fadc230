// Package play plays the streams of the experiment "field" through rivals written in Go, and prints its lines.
package play

// Rival is a way to detect duplicates.
type Rival struct {
	Name    string
	Module  string // whose version is printed
	Base    string // the lately that it is compared with
	Error   float64
	Bytes   string // what its bytes are
	What    string // how it is set up
	Windows Windows
	Real    bool // whether its time is the system's: the driver waits for each record's
	New     func(w Workload, meter *Meter) (Subject, error)
	Figures func() ([]Figure, error)
}

// Windows are the sorts of window that a rival has.
type Windows int

const (
	// OfRecords: a number of the last records.
	OfRecords Windows = 1 << iota
	// OfTime: a span of time.
	OfTime
)

// takes says whether the rival has the window of a workload.
func (r Rival) takes(w Workload) bool {
	if w.Timed() {
		return r.Windows&OfTime != 0
	}
	return r.Windows&OfRecords != 0
}

// clock is where the rival has the time of a workload from.
func (r Rival) clock(w Workload) string {
	switch {
	case !w.Timed():
		return "none"
	case r.Real:
		return "real"
	}
	return "manual"
}

// Subject is a rival that was made.
type Subject interface {
	// Play observes every key of the part.
	Play(part Part) error
	// Bytes that the garbage collector does not know of: now, and at most so far.
	Bytes() (now, most uint64, err error)
	Close()
}

// Part is some records in a row.
type Part struct {
	Keys     []byte // KeySize bytes each
	Verdicts []bool // true: a duplicate
	First    uint64 // the number of the first record
	Workload Workload
}

// Each calls f for every key with its time in nanoseconds, and keeps the verdicts.
func (p Part) Each(f func(key []byte, tick uint64) (bool, error)) error {
	for i := range p.Verdicts {
		verdict, err := f(p.Key(i), p.Workload.Tick(p.First+uint64(i)))
		if err != nil {
			return err
		}
		p.Verdicts[i] = verdict
	}
	return nil
}

// Key of a record of the part.
func (p Part) Key(i int) []byte { return p.Keys[i*KeySize : (i+1)*KeySize : (i+1)*KeySize] }

// Simple is a subject that observes key by key and lies in Go's heap.
type Simple struct {
	Observe func(key []byte, tick uint64) (bool, error)
	Done    func()
}

// Play observes every key of the part.
func (s Simple) Play(part Part) error { return part.Each(s.Observe) }

// Bytes are all known to the garbage collector.
func (s Simple) Bytes() (now, most uint64, err error) { return 0, 0, nil }

// Close frees what Done frees.
func (s Simple) Close() {
	if s.Done != nil {
		s.Done()
	}
}
