package lately_test

import (
	"bytes"
	"errors"
	"fmt"
	"log"
	"strings"
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

// Records that carry their own time.
func ExampleFilter_At() {
	options := lately.Window(time.Minute)
	options.Clock = lately.ManualClock
	options.MaxStep = time.Hour // no record may take the clock further than this
	seen, err := lately.NewFilter(options)
	if err != nil {
		log.Fatal(err)
	}
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

// Many keys in one call.
func ExampleFilter_ObserveBatch() {
	seen, err := lately.NewFilter(lately.Window(time.Minute))
	if err != nil {
		log.Fatal(err)
	}
	defer seen.Close()
	var keys lately.Keys // reused: Reset keeps its memory
	for _, key := range []string{"a", "b", "a"} {
		keys.AppendString(key)
	}
	verdicts := make([]lately.Verdict, keys.Len())
	if _, err := seen.ObserveBatch(&keys, nil, verdicts); err != nil {
		log.Fatal(err)
	}
	fmt.Println(verdicts)
	// Output: [New New Duplicate]
}

// Keys that lie anywhere.
func ExampleStrings() {
	seen, err := lately.NewFilter(lately.Window(time.Minute))
	if err != nil {
		log.Fatal(err)
	}
	defer seen.Close()
	keys := []string{"a", "b", "a"}
	verdicts := make([]lately.Verdict, len(keys))
	if _, err := seen.ObserveBatch(lately.Strings(keys), nil, verdicts); err != nil {
		log.Fatal(err)
	}
	fmt.Println(verdicts)
	// Output: [New New Duplicate]
}

// A column in Arrow's layout, whose second key is absent.
func ExampleColumn() {
	seen, err := lately.NewFilter(lately.Window(time.Minute))
	if err != nil {
		log.Fatal(err)
	}
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
	seen, err := lately.NewFilter(lately.Window(10 * time.Minute))
	if err != nil {
		log.Fatal(err)
	}
	defer seen.Close()
	if _, err := seen.ObserveString("order-17"); err != nil {
		log.Fatal(err)
	}
	var file bytes.Buffer
	if _, err := seen.WriteTo(&file); err != nil {
		log.Fatal(err)
	}
	restored, err := lately.ReadFilter(&file, 9*time.Minute, lately.LoadOptions{Memory: 64 << 20})
	if err != nil {
		log.Fatal(err)
	}
	defer restored.Close()
	verdict, err := restored.ObserveString("order-17")
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(verdict)
	// Output: Duplicate
}

// The time that passed has no default: a clock that was set back is reported.
func ExampleReadFilter() {
	_, err := lately.ReadFilter(strings.NewReader("no snapshot"), -time.Second, lately.LoadOptions{})
	fmt.Println(errors.Is(err, lately.ErrElapsed), err)
	_, err = lately.ReadFilter(strings.NewReader("no snapshot"), 0, lately.LoadOptions{})
	fmt.Println(errors.Is(err, lately.ErrMagic))
	// Output:
	// true lately: elapsed = -1s: must be at least 0s
	// true
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
