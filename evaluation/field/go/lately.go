package main

// lately itself, by its Go binding: what the rivals in Go are compared with.

import (
	"fmt"
	"time"

	"github.com/lately/lately/bindings/go"
	"github.com/lately/lately/evaluation/field/go/play"
)

// latelyRivals are window tables, one for each of the two error rates, and one that reads the system's clock: rivals that do so too are
// compared with that, at the same pace, with the same caches gone cold in between.
func latelyRivals() []play.Rival { return []play.Rival{latelyAt(1e-3), latelyAt(1e-6), latelyReal()} }

const latelyRealName = "lately-1e-6-real"

func latelyReal() play.Rival {
	r := latelyAt(1e-6)
	r.Name, r.Base, r.Windows, r.Real = latelyRealName, latelyRealName, play.OfTime, true
	r.What = "the same with the system's clock, read in each call, at the pace of the records"
	r.New = func(w play.Workload, _ *play.Meter) (play.Subject, error) {
		options := latelyOptions(w, 1e-6)
		options.Clock = lately.SystemClock
		filter, err := lately.NewUnshared(options)
		return latelySubject{filter, false}, err
	}
	return r
}

func latelyAt(rate float64) play.Rival {
	name := fmt.Sprintf("lately-1e-%d", exponent(rate))
	return play.Rival{
		Name: name, Module: "github.com/lately/lately/bindings/go", Base: name, Error: rate,
		Bytes:   "bytes of the cells by its statistics, and HeapInuse after two collections",
		What:    "window table, unshared, one key a call, no capacity given",
		Windows: play.OfRecords | play.OfTime,
		New: func(w play.Workload, _ *play.Meter) (play.Subject, error) {
			filter, err := lately.NewUnshared(latelyOptions(w, rate))
			return latelySubject{filter, w.Timed()}, err
		},
	}
}

func latelyOptions(w play.Workload, rate float64) lately.Options {
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

func (s latelySubject) Play(part play.Part) error {
	if !s.timed {
		return part.Each(func(key []byte, _ uint64) (bool, error) {
			verdict, err := s.filter.Observe(key)
			return verdict == lately.Duplicate, err
		})
	}
	return part.Each(func(key []byte, tick uint64) (bool, error) {
		verdict, err := s.filter.AtTick(lately.Tick(tick)).Observe(key)
		return verdict == lately.Duplicate, err
	})
}

func (s latelySubject) Bytes() (now, most uint64, err error) {
	stats, err := s.filter.Stats()
	return stats.Bytes, stats.BytesPeak, err
}

func (s latelySubject) Close() { s.filter.Close() }
