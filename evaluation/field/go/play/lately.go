package play

// lately itself, by its Go binding: what the rivals in Go are compared with.

import (
	"fmt"
	"time"

	"github.com/lately/lately/bindings/go"
)

// Lately is a window table for each of the two error rates.
func Lately() []Rival { return []Rival{latelyAt(1e-3), latelyAt(1e-6)} }

func latelyAt(rate float64) Rival {
	name := fmt.Sprintf("lately-1e-%d", exponent(rate))
	return Rival{
		Name: name, Module: "github.com/lately/lately/bindings/go", Base: name, Error: rate,
		Bytes:   "bytes of the cells by its statistics, and HeapInuse after two collections",
		What:    "window table, unshared, one key a call, no capacity given",
		Windows: OfRecords | OfTime,
		New: func(w Workload, _ *Meter) (Subject, error) {
			filter, err := lately.NewUnshared(latelyOptions(w, rate))
			return latelySubject{filter, w.Timed()}, err
		},
	}
}

func latelyOptions(w Workload, rate float64) lately.Options {
	options := lately.Last(w.Records)
	if w.Timed() {
		options = lately.Window(time.Duration(w.Window))
		options.Clock = lately.ManualClock
	}
	options.ErrorRate = rate
	return options
}

func exponent(rate float64) int {
	n := 0
	for ; rate < 0.99; rate *= 10 {
		n++
	}
	return n
}

type latelySubject struct {
	filter *lately.Filter
	timed  bool
}

func (s latelySubject) Play(part Part) error {
	if !s.timed {
		return part.Each(func(key []byte, _ uint64) (bool, error) {
			verdict, err := s.filter.Observe(key)
			return verdict == lately.Duplicate, err
		})
	}
	return part.Each(func(key []byte, tick uint64) (bool, error) {
		verdict, err := s.filter.ObserveTick(key, lately.Tick(tick))
		return verdict == lately.Duplicate, err
	})
}

func (s latelySubject) Bytes() (now, most uint64, err error) {
	stats, err := s.filter.Stats()
	return stats.Bytes, stats.BytesPeak, err
}

func (s latelySubject) Close() { s.filter.Close() }
