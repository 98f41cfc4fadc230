package play

// One run: a rival, a workload and a seed.

import (
	"fmt"
	"runtime"
	"time"
)

// step is the records of a part, between two looks at the clock; samples is how often the bytes are looked at.
const (
	step    = 64
	samples = 64
)

// run is a run that goes on.
type run struct {
	workload Workload
	real     bool
	subject  Subject
	keys     []byte
	verdicts []bool
	start    time.Time
	late     time.Duration
}

// Result of a run: the line that is printed.
type Result struct {
	Rival    string `json:"rival"`
	Version  string `json:"version"`
	Workload string `json:"workload"`
	Seed     uint64 `json:"seed"`
	Stream   string `json:"stream"`
	Keys     uint64 `json:"keys"`
	CPU      uint64 `json:"cpu_ns"`
	Peak     uint64 `json:"peak_bytes"`
	Settled  uint64 `json:"settled_bytes"`
	False    uint64 `json:"false"`
	Missed   uint64 `json:"missed"`
	Clock    string `json:"clock"`
	Late     int64  `json:"late_ns"`
}

// play runs a rival, and returns the verdicts of the counted records too.
func play(rival Rival, w Workload, seed uint64) (Result, []bool, error) {
	keys, digest := w.stream(seed)
	r := run{workload: w, real: rival.Real, keys: keys, verdicts: make([]bool, w.Warm+w.Counted)}
	var meter Meter
	meter.Begin()
	subject, err := rival.New(w, &meter)
	if err != nil {
		return Result{}, nil, err
	}
	defer subject.Close()
	r.subject, r.start = subject, time.Now()
	cpu, err := r.measured(&meter)
	if err != nil {
		return Result{}, nil, err
	}
	settled, err := meter.settled(subject)
	// What was allocated before the subject must not be freed before this.
	runtime.KeepAlive(keys)
	counted := r.verdicts[w.Warm:]
	wrong, missed := count(counted)
	return Result{
		Rival: rival.Name, Version: version(rival.Module), Workload: w.Name, Seed: seed, Stream: fmt.Sprintf("%016x", digest),
		Keys: w.Counted, CPU: cpu, Peak: meter.peak, Settled: settled, False: wrong, Missed: missed,
		Clock: rival.clock(w), Late: r.late.Nanoseconds(),
	}, counted, err
}

// measured plays all records, and returns the processor time of the counted ones without that of the samples.
func (r *run) measured(meter *Meter) (uint64, error) {
	if _, err := r.records(0, r.workload.Warm); err != nil {
		return 0, err
	}
	cpu := uint64(0)
	for i := range uint64(samples) {
		if err := meter.sample(r.subject); err != nil {
			return 0, err
		}
		first, end := r.workload.Counted*i/samples, r.workload.Counted*(i+1)/samples
		spent, err := r.records(r.workload.Warm+first, r.workload.Warm+end)
		if err != nil {
			return 0, err
		}
		cpu += spent
	}
	return cpu, meter.sample(r.subject)
}

// records plays those from first up to end, and returns the processor time. The waiting is no part of it: it takes a multiple of what
// a rival does.
func (r *run) records(first, end uint64) (uint64, error) {
	if !r.real {
		return r.burst(first, end)
	}
	cpu := uint64(0)
	for ; first < end; first += step {
		r.wait(first)
		spent, err := r.burst(first, min(first+step, end))
		if err != nil {
			return 0, err
		}
		cpu += spent
	}
	return cpu, nil
}

// burst plays records without a pause.
func (r *run) burst(first, end uint64) (uint64, error) {
	before, err := spent()
	if err != nil {
		return 0, err
	}
	for ; first < end; first += step {
		upto := min(first+step, end)
		part := Part{r.keys[first*KeySize : upto*KeySize], r.verdicts[first:upto], first, r.workload}
		if err := r.subject.Play(part); err != nil {
			return 0, err
		}
	}
	after, err := spent()
	return after - before, err
}

// wait until the time of a record.
func (r *run) wait(record uint64) {
	due := r.start.Add(time.Duration(r.workload.Tick(record)))
	time.Sleep(time.Until(due))
	r.late = max(r.late, time.Since(due))
}

// count returns how many new keys were called duplicates, and how many repeats new. Warm is even, so the first counted record is new.
func count(verdicts []bool) (wrong, missed uint64) {
	for i, duplicate := range verdicts {
		if i%2 == 0 && duplicate {
			wrong++
		}
		if i%2 == 1 && !duplicate {
			missed++
		}
	}
	return wrong, missed
}
