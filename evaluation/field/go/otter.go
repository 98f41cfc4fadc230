package main

// otter: a cache whose entries expire a time after they were made.

import (
	"sync/atomic"
	"time"

	"github.com/lately/lately/evaluation/field/go/play"
	"github.com/maypok86/otter/v2"
)

const otterModule = "github.com/maypok86/otter/v2"

var otterRival = play.Rival{
	Name: "otter", Module: otterModule, Base: "lately-1e-6",
	Bytes:   "HeapInuse after two collections",
	What:    "SetIfAbsent of string keys, ExpiryCreating the window, no maximum size",
	Windows: play.OfTime,
	New: func(w play.Workload, _ *play.Meter) (play.Subject, error) {
		return newOtter(time.Duration(w.Window))
	},
	Figures: otterFigures,
}

// setClock is a clock of otter that is set. Ticks are the system's: otter cleans up by them once a second.
type setClock struct{ now atomic.Int64 }

func (c *setClock) NowNano() int64 { return c.now.Load() }

func (c *setClock) Tick(d time.Duration) <-chan time.Time { return time.Tick(d) }

func newOtter(window time.Duration) (play.Subject, error) {
	clock := new(setClock)
	cache, err := otter.New(&otter.Options[string, struct{}]{
		Clock:            clock,
		ExpiryCalculator: otter.ExpiryCreating[string, struct{}](window),
	})
	if err != nil {
		return nil, err
	}
	return play.Simple{
		Observe: func(key []byte, tick uint64) (bool, error) {
			clock.now.Store(int64(tick))
			_, added := cache.SetIfAbsent(string(key), struct{}{})
			return !added, nil
		},
		Done: func() { cache.StopAllGoroutines() },
	}, nil
}

// otterFigures: an entry is there up to its time, and not from then on.
func otterFigures() ([]play.Figure, error) {
	subject, err := newOtter(time.Second)
	if err != nil {
		return nil, err
	}
	defer subject.Close()
	age, err := play.AgeWhenNew(subject.(play.Simple).Observe, uint64(time.Second))
	return []play.Figure{{
		What: "age at which a key of a time of 1 s is new again", Unit: "ns", Documented: 1e9, Measured: float64(age), Law: "exactly",
		Source: "expiry_calculator.go: ExpiryCreating deletes an entry once the duration has elapsed after its creation",
	}}, err
}
