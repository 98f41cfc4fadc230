package main

// timecache of go-libp2p-pubsub: a map of what was seen, which a goroutine sweeps once a minute.

import (
	"fmt"
	"testing"
	"testing/synctest"
	"time"

	"github.com/lately/lately/evaluation/field/go/play"
	"github.com/libp2p/go-libp2p-pubsub/timecache"
)

const timecacheModule = "github.com/libp2p/go-libp2p-pubsub"

var timecacheRival = play.Rival{
	Name: "timecache", Module: timecacheModule, Base: latelyRealName,
	Bytes:   "HeapInuse after two collections",
	What:    "the default, which counts from the first sighting, with the window as its time; it is swept once a minute, so in a run of seconds it drops nothing",
	Windows: play.OfTime, Real: true,
	New: func(w play.Workload, _ *play.Meter) (play.Subject, error) {
		cache := timecache.NewTimeCache(time.Duration(w.Window))
		return play.Simple{
			Observe: func(key []byte, _ uint64) (bool, error) { return !cache.Add(string(key)), nil },
			Done:    cache.Done,
		}, nil
	},
	Figures: timecacheFigures,
}

// timecacheFigures are of the two minutes that go-libp2p-pubsub has it for.
func timecacheFigures() ([]play.Figure, error) {
	ages := timecacheAges(2 * time.Minute)
	past := (ages.most - 2*time.Minute).Seconds()
	const first = "timecache/time_cache.go: Strategy_FirstSeen expires an entry from the time it was added"
	return []play.Figure{
		{What: "least age at which a key of a time of 2 minutes is new again", Unit: "s", Documented: 120, Measured: ages.least.Seconds(),
			Law: "at least", Source: first},
		{What: "time that a key is kept past its 2 minutes", Unit: "s", Documented: 0, Measured: past, Law: "at most", Source: first},
		{What: "time between two sweeps, the most that a key is kept past its time", Unit: "s", Documented: 60, Measured: past,
			Law: "at most", Source: "timecache/util.go: backgroundSweepInterval"},
	}, nil
}

// ages at which keys are new again.
type ages struct{ least, most time.Duration }

// timecacheAges watches keys in the time of testing/synctest, where minutes take no time. Only a test has that time. The test does
// not end, since package testing would print its result and end the program.
func timecacheAges(life time.Duration) ages {
	result := make(chan ages)
	test := testing.InternalTest{Name: "timecache", F: func(t *testing.T) {
		var seen ages
		synctest.Test(t, func(*testing.T) { seen = watchTimecache(life) })
		result <- seen
		select {}
	}}
	everything := func(string, string) (bool, error) { return true, nil }
	go testing.Main(everything, []testing.InternalTest{test}, nil, nil)
	return <-result
}

// watchTimecache adds a key a second for a minute, and looks each second which of them are new again.
func watchTimecache(life time.Duration) ages {
	cache := timecache.NewTimeCache(life)
	defer cache.Done()
	// Between two sweeps, not in the same moment with one.
	time.Sleep(time.Second / 2)
	made := map[string]time.Time{}
	for i := range 60 {
		key := fmt.Sprint(i)
		cache.Add(key)
		made[key] = time.Now()
		time.Sleep(time.Second)
	}
	seen := ages{least: 24 * time.Hour}
	for ; len(made) > 0; time.Sleep(time.Second) {
		for key, since := range made {
			if !cache.Has(key) {
				seen = ages{min(seen.least, time.Since(since)), max(seen.most, time.Since(since))}
				delete(made, key)
			}
		}
	}
	return seen
}
