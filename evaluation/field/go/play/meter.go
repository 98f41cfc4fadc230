package play

// What a run costs: processor time of the process, bytes of Go's heap.

import (
	"runtime"

	"golang.org/x/sys/unix"
)

// Meter measures the bytes of one subject.
type Meter struct {
	before uint64
	peak   uint64
}

// Begin subtracts what the heap has now: it is not the subject's.
func (m *Meter) Begin() {
	m.before = collected()
	m.peak = 0
}

// sample notes what the subject takes now, garbage included.
func (m *Meter) sample(subject Subject) error {
	_, err := m.taken(subject, inUse())
	return err
}

// settled is what the subject takes without garbage.
func (m *Meter) settled(subject Subject) (uint64, error) {
	return m.taken(subject, collected())
}

func (m *Meter) taken(subject Subject, heap uint64) (uint64, error) {
	now, most, err := subject.Bytes()
	own := heap - min(heap, m.before)
	m.peak = max(m.peak, own+most)
	return own + now, err
}

func collected() uint64 {
	runtime.GC()
	runtime.GC()
	return inUse()
}

func inUse() uint64 {
	var stats runtime.MemStats
	runtime.ReadMemStats(&stats)
	return stats.HeapInuse
}

// spent is the processor time of all threads of the process, in nanoseconds.
func spent() (uint64, error) {
	var now unix.Timespec
	err := unix.ClockGettime(unix.CLOCK_PROCESS_CPUTIME_ID, &now)
	return uint64(now.Nano()), err
}
