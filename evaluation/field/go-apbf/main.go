// The field in Go: the age-partitioned Bloom filter of dcrd. It is another program than that of ../go, so that the rivals there can
// run where this package is missing; lately by its binding, which it is compared with, is there.
package main

import (
	"encoding/binary"
	"math"

	"github.com/decred/dcrd/container/apbf"
	"github.com/lately/lately/evaluation/field/go/play"
)

func rivals() []play.Rival {
	return []play.Rival{rival("apbf-1e-3", "lately-1e-3", 1e-3), rival("apbf-1e-6", "lately-1e-6", 1e-6)}
}

func main() { play.Main(rivals()) }

func rival(name, base string, rate float64) play.Rival {
	return play.Rival{
		Name: name, Module: "github.com/decred/dcrd/container/apbf", Base: base, Error: rate,
		Bytes: "HeapInuse after two collections",
		What: "Contains and Add for each record, this rate, capacity N (l + 1) / l: of the keys within its capacity it misses some that are " +
			"older than l / (l + 1) of it",
		Windows: play.OfRecords,
		New: func(w play.Workload, _ *play.Meter) (play.Subject, error) {
			filter := apbf.NewFilter(enough(w.Records, rate), rate)
			return play.Simple{Observe: func(key []byte, _ uint64) (bool, error) {
				seen := filter.Contains(key)
				filter.Add(key)
				return seen, nil
			}}, nil
		},
		Figures: func() ([]play.Figure, error) { return figures(rate), nil },
	}
}

// enough is a capacity with which the last n keys are never missed. A key that was added at the end of a generation lives for l
// more, of capacity / (l + 1) keys each.
func enough(n uint64, rate float64) uint32 {
	l := uint64(apbf.NewFilter(1, rate).L())
	return uint32((n*(l+1) + l - 1) / l)
}

const (
	capacity = 100_000
	never    = "filter.go, Contains: the most recent max capacity number of items added to the filter will always return true"
)

// figures are of its documentation: what it never misses, how often it is wrong, what it takes.
func figures(rate float64) []play.Figure {
	filter := apbf.NewFilter(capacity, rate)
	seen := watch(filter, int(max(1e5, min(10/rate, 4e6))))
	formula := 1.3 * capacity * -math.Log10(rate)
	all := []play.Figure{
		{What: "keys that it says it keeps, of 100,000 asked for", Unit: "keys", Documented: capacity, Measured: float64(filter.Capacity()),
			Law: "at least", Source: "filter.go, NewFilter: both parameters are lower bounds"},
		{What: "age of the youngest key that it missed, at a capacity of 100,000", Unit: "keys", Documented: capacity,
			Measured: float64(seen.youngest), Law: "at least", Source: never},
		{What: "share that it missed of the keys within its capacity", Unit: "rate", Documented: 0,
			Measured: float64(seen.missed) / float64(seen.kept), Law: "exactly", Source: never},
		{What: "false duplicates a key that was never added", Unit: "rate", Documented: rate, Measured: float64(seen.wrong) / float64(seen.absent),
			Law: "at most", Slack: 3 * math.Sqrt(rate/float64(seen.absent)), Source: "filter.go, NewFilter: at least the requested target values"},
		{What: "bytes for 100,000 keys by the formula", Unit: "bytes", Documented: formula, Measured: float64(filter.Size()),
			Law: "about", Slack: formula / 10, Source: "filter.go, NewFilter: approximately 1.3n * -log(fpRate), where log is base 10"},
	}
	if rate == 1e-3 {
		all = append(all, play.Figure{What: "bytes for 100,000 keys by the table", Unit: "bytes", Documented: 402.62 * 1024,
			Measured: float64(filter.Size()), Law: "about", Slack: 0.005 * 1024, Source: "README.md: 100000 at 0.1% takes 402.62 KiB"})
	}
	return all
}

// seen is what a filter was asked for, and what it got wrong.
type seen struct{ kept, missed, youngest, absent, wrong int }

// watch fills a filter four times over. In the fourth it stops a hundred times, and asks for a thousand ages that it must know and
// for its part of those that it must not.
func watch(filter *apbf.Filter, absent int) seen {
	all := seen{youngest: math.MaxInt32}
	for n := range 4 * capacity {
		filter.Add(name(true, n))
		if n < 3*capacity || n%(capacity/100) != 0 {
			continue
		}
		for age := 1 + n/1000%97; age <= capacity; age += 97 {
			all.kept++
			if !filter.Contains(name(true, n+1-age)) {
				all.missed++
				all.youngest = min(all.youngest, age)
			}
		}
		for range absent / 100 {
			all.absent++
			if filter.Contains(name(false, all.absent)) {
				all.wrong++
			}
		}
	}
	return all
}

// name is a key that is added or one that never is.
func name(added bool, n int) []byte {
	key := binary.LittleEndian.AppendUint64(nil, uint64(n))
	if added {
		key = append(key, 1)
	}
	return key
}
