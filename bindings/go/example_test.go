package lately_test

import (
	"bytes"
	"errors"
	"fmt"
	"log"
	"time"

	lately "github.com/lately/lately/bindings/go"
)

// Tell first sightings from repeats, within ten minutes.
func Example() {
	options := lately.Window(10 * time.Minute)
	options.Memory = 64 << 20
	seen, err := lately.NewFilter(options)
	if err != nil {
		log.Fatal(err)
	}
	defer seen.Close()
	for _, order := range []string{"order-17", "order-18", "order-17"} {
		verdict, err := seen.ObserveString(order)
		if err != nil {
			log.Fatal(err)
		}
		fmt.Println(order, verdict)
	}
	// Output:
	// order-17 New
	// order-18 New
	// order-17 Duplicate
}

// built returns a filter, or ends the example.
func built(options lately.Options) *lately.Filter {
	seen, err := lately.NewFilter(options)
	if err != nil {
		log.Fatal(err)
	}
	return seen
}

// observed returns a verdict, or ends the example.
func observed(seen *lately.Filter, key string) lately.Verdict {
	verdict, err := seen.ObserveString(key)
	if err != nil {
		log.Fatal(err)
	}
	return verdict
}

// The default for a window of keys: here the last three observations.
func ExampleLast() {
	options := lately.Last(3)
	options.Repeat = lately.KeepFirst
	seen := built(options)
	defer seen.Close()
	fmt.Println(observed(seen, "a"), observed(seen, "b"), observed(seen, "c"), observed(seen, "a"))
	// Output: New New New Duplicate
}

// Work that fails leaves its record to the next delivery.
func ExampleClaim() {
	options := lately.Window(10 * time.Minute)
	options.Lease = 30 * time.Second
	seen := built(options)
	defer seen.Close()
	deliver := func(order string, work func() error) error {
		claim, err := seen.ClaimString(order)
		if err != nil {
			return err
		}
		defer claim.Abandon() // nothing, once it was committed
		fmt.Println(claim.Verdict())
		if claim.Verdict() != lately.New {
			return nil
		}
		if err := work(); err != nil {
			return err
		}
		_, err = claim.Commit()
		return err
	}
	fmt.Println(deliver("order-17", func() error { return errors.New("the database is away") }))
	fmt.Println(deliver("order-17", func() error { return nil }))
	fmt.Println(deliver("order-17", func() error { return nil }))
	// Output:
	// New
	// the database is away
	// New
	// <nil>
	// Duplicate
	// <nil>
}

// How long ago a key was seen.
func ExampleAge() {
	options := lately.Window(70 * time.Second)
	options.Clock = lately.ManualClock
	seen := built(options)
	defer seen.Close()
	start := time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)
	verdict, _, err := seen.At(start).ObserveAgeString("order-17")
	fmt.Println(verdict, err)
	verdict, age, err := seen.At(start.Add(25 * time.Second)).ObserveAgeString("order-17")
	atLeast, atMost := age.Durations()
	fmt.Println(verdict, err, atLeast <= 25*time.Second, atMost >= 25*time.Second, atMost-atLeast <= 10*time.Second)
	// Output:
	// New <nil>
	// Duplicate <nil> true true true
}

// A test of ten minutes that takes no time.
func ExampleFilter_By() {
	options := lately.Window(10 * time.Minute)
	options.Clock = lately.ManualClock
	filter := built(options)
	defer filter.Close()

	now := time.Date(2026, 1, 1, 12, 0, 0, 0, time.UTC)
	seen := filter.By(func() time.Time { return now })
	fmt.Println(observed(seen, "order-17"), observed(seen, "order-17"))
	now = now.Add(20 * time.Minute)
	fmt.Println(observed(seen, "order-17"))
	// Output:
	// New Duplicate
	// New
}

// Records that carry their own time.
func ExampleFilter_At() {
	options := lately.Window(time.Minute)
	options.Clock = lately.ManualClock
	options.MaxStep = time.Hour // no record may take the clock further than this
	seen := built(options)
	defer seen.Close()
	start := time.Date(2026, 1, 1, 12, 0, 0, 0, time.UTC)
	for _, after := range []time.Duration{0, 30 * time.Second, 5 * time.Minute, 9000 * time.Hour} {
		verdict, err := seen.At(start.Add(after)).Observe([]byte("sensor-3"))
		if errors.Is(err, lately.ErrTick) {
			fmt.Println(err)
			continue
		}
		fmt.Println(after, verdict)
	}
	// Output:
	// 0s New
	// 30s Duplicate
	// 5m0s New
	// lately: the tick is too far ahead of the filter's clock, or too large
}

// Many keys in one call: where they lie, or gathered one by one.
func ExampleFilter_ObserveBatch() {
	seen := built(lately.Window(time.Minute))
	defer seen.Close()
	var keys lately.Keys // reused: Reset keeps its memory
	keys.AppendString("c")
	keys.Append([]byte("a"))
	keys.AppendUint64(19)
	verdicts := make([]lately.Verdict, 3)
	for _, batch := range []lately.Batch{lately.Strings{"a", "b", "a"}, &keys} {
		done, err := seen.ObserveBatch(batch, nil, verdicts)
		fmt.Println(done, err, verdicts)
	}
	// Output:
	// 3 <nil> [New New Duplicate]
	// 3 <nil> [New Duplicate New]
}

// A column in Arrow's layout, whose second key is absent.
func ExampleColumn() {
	seen := built(lately.Window(time.Minute))
	defer seen.Close()
	column := lately.Column{Bytes: []byte("aa"), Offsets32: []int32{0, 1, 1, 2}, Validity: []byte{0b101}}
	verdicts := make([]lately.Verdict, column.Len())
	if _, err := seen.ObserveBatch(&column, nil, verdicts); err != nil {
		log.Fatal(err)
	}
	fmt.Println(verdicts)
	// Output: [New AbsentKey Duplicate]
}

// A filter that outlives its process. Nine minutes pass on disk.
func ExampleFilter_WriteTo() {
	seen := built(lately.Window(10 * time.Minute))
	defer seen.Close()
	observed(seen, "order-17")
	var file bytes.Buffer
	if _, err := seen.WriteTo(&file); err != nil {
		log.Fatal(err)
	}
	restored, err := lately.ReadFilter(&file, 9*time.Minute, lately.LoadOptions{Memory: 64 << 20})
	if err != nil {
		log.Fatal(err)
	}
	defer restored.Close()
	fmt.Println(observed(restored, "order-17"))
	// Output: Duplicate
}

// What a request costs, before anything is built.
func ExamplePlan() {
	plan, err := lately.Plan(lately.Options{
		Kind:      lately.TimeLimited,
		Window:    time.Hour,
		ErrorRate: 1e-3,
		Capacity:  1_000_000,
	})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Printf("%.0f MB\n", float64(plan.Bytes)/1e6)
	// Output: 4 MB
}

// An option that cannot be is named.
func ExampleError() {
	_, err := lately.NewFilter(lately.Options{Kind: lately.TimeLimited, Window: time.Minute, ErrorRate: 2})
	var why *lately.Error
	if errors.As(err, &why) {
		fmt.Println(why.Code == lately.ErrOption, why.Field)
		fmt.Println(why)
	}
	// Output:
	// true ErrorRate
	// lately: ErrorRate = 2: must be above 0 and at most 0.5
}
