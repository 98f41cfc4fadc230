package play

// The stream of a workload: the same records in every language, from a seed.

import "encoding/binary"

// KeySize is the bytes of a key.
const KeySize = 8

// Workload is what a rival is asked to do. A window of zero nanoseconds is one of the last records.
type Workload struct {
	Name    string
	Records uint64 // of a window
	Window  uint64 // nanoseconds
	Span    uint64 // how far back a repeat reaches, in new keys
	Warm    uint64 // records before those that are counted
	Counted uint64
}

var workloads = []Workload{
	{"last-2000", 2_000, 0, 1_000, 4_000, 20_000},
	{"last-50000", 50_000, 0, 25_000, 100_000, 2_000_000},
	{"last-1000000", 1_000_000, 0, 500_000, 2_000_000, 2_000_000},
	{"time-2000", 2_000, 200_000_000, 750, 4_000, 8_000},
	{"time-100000", 100_000, 4_000_000_000, 37_500, 200_000, 400_000},
}

// Timed says whether the window is one of time.
func (w Workload) Timed() bool { return w.Window > 0 }

// Tick is the time of a record in nanoseconds.
func (w Workload) Tick(record uint64) uint64 { return record * w.Window / w.Records }

func find(name string) (Workload, error) {
	return named("workload", workloads, name, func(w Workload) string { return w.Name })
}

func splitmix64(x uint64) uint64 {
	z := x + 0x9E3779B97F4A7C15
	z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9
	z = (z ^ (z >> 27)) * 0x94D049BB133111EB
	return z ^ (z >> 31)
}

// key of a record: every second one is new, the others repeat one of the last new keys.
func (w Workload) key(seed, record uint64) uint64 {
	if record%2 == 0 {
		return splitmix64(seed + record/2)
	}
	made := (record + 1) / 2
	back := splitmix64((seed^0x5555555555555555)+record) >> 33
	return splitmix64(seed + made - 1 - back%min(made, w.Span))
}

// stream returns the keys of all records in a row, and their digest.
func (w Workload) stream(seed uint64) ([]byte, uint64) {
	total := w.Warm + w.Counted
	keys, digest := make([]byte, 0, total*KeySize), uint64(0)
	for record := range total {
		key := w.key(seed, record)
		digest = (digest ^ key) * 0x100000001B3
		keys = binary.LittleEndian.AppendUint64(keys, key)
	}
	return keys, digest
}
