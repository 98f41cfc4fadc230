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

// The least that each kind asks for.
func ExampleOptions() {
	for _, options := range []lately.Options{
		lately.Window(time.Minute),
		lately.Last(1_000),
		{Kind: lately.TimeLimited, Window: time.Minute},
		{Kind: lately.Quotient, Memory: 1 << 20},
	} {
		seen := built(options)
		fmt.Println(observed(seen, "order-17"), observed(seen, "order-17"))
		seen.Close()
	}
	// Output:
	// New Duplicate
	// New Duplicate
	// New Duplicate
	// New Duplicate
}

// The default for a window of time.
func ExampleWindow() {
	seen := built(lately.Window(10 * time.Minute))
	defer seen.Close()
	fmt.Println(observed(seen, "order-17"), observed(seen, "order-17"))
	// Output: New Duplicate
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

// A set from which keys can be taken out again.
func ExampleKind() {
	seen := built(lately.Options{Kind: lately.TinySet, Capacity: 1_000, Removable: true})
	defer seen.Close()
	fmt.Println(observed(seen, "order-17"))
	removed, err := seen.RemoveString("order-17")
	fmt.Println(removed, err)
	fmt.Println(observed(seen, "order-17"))
	// Output:
	// New
	// true <nil>
	// New
}

// A log of yesterday is judged by the times that it carries.
func ExampleClock() {
	seen := built(lately.Options{Kind: lately.TimeLimited, Window: time.Minute, Clock: lately.ManualClock})
	defer seen.Close()
	yesterday := time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)
	for _, after := range []time.Duration{0, time.Minute, time.Hour} {
		verdict, err := seen.At(yesterday.Add(after)).ObserveString("order-17")
		fmt.Println(verdict, err)
	}
	// Output:
	// New <nil>
	// Duplicate <nil>
	// New <nil>
}

// A time as the filter counts it, and back.
func ExampleTick() {
	tick, err := lately.TickOf(time.Date(1970, 1, 1, 0, 0, 1, 5, time.UTC))
	fmt.Println(uint64(tick), err)
	fmt.Println(tick.Time())
	_, err = lately.TickOf(time.Date(1969, 12, 31, 0, 0, 0, 0, time.UTC))
	fmt.Println(errors.Is(err, lately.ErrTick))
	// Output:
	// 1000000005 <nil>
	// 1970-01-01 00:00:01.000000005 +0000 UTC
	// true
}

// With KeepFirst the window begins with the sighting that was new, and repeats do not prolong it.
func ExampleRepeat() {
	seen := built(lately.Options{
		Kind: lately.TimeLimited, Window: time.Minute, Clock: lately.ManualClock, Repeat: lately.KeepFirst,
	})
	defer seen.Close()
	for _, second := range []int64{0, 50, 120} {
		verdict, err := seen.AtTick(lately.Tick(second * int64(time.Second))).ObserveString("order-17")
		fmt.Println(verdict, err)
	}
	// Output:
	// New <nil>
	// Duplicate <nil>
	// New <nil>
}

// What gives way at the memory limit: here the window, and Stats says to what it shortened.
func ExampleOnLimit() {
	seen := built(lately.Options{
		Kind: lately.TimeLimited, Window: time.Hour, Clock: lately.ManualClock,
		Memory: 64 << 10, OnLimit: lately.ForgetOldest,
	})
	defer seen.Close()
	for n := range 200_000 {
		key := fmt.Sprint("order-", n)
		if _, err := seen.AtTick(lately.Tick(n * int(time.Millisecond))).ObserveString(key); err != nil {
			log.Fatal(err)
		}
	}
	stats, err := seen.Stats()
	fmt.Println(err, stats.Bytes <= 64<<10, stats.Forgotten > 0, stats.Reach < time.Hour)
	// Output: <nil> true true true
}

// What a filter has done so far.
func ExampleStats() {
	seen := built(lately.Options{Kind: lately.Quotient, Memory: 1 << 16})
	defer seen.Close()
	for _, key := range []string{"a", "b", "a", "a"} {
		observed(seen, key)
	}
	stats, err := seen.Stats()
	fmt.Println(stats.NewCount, stats.DuplicateCount, err)
	// Output: 2 2 <nil>
}

// The rows and cells that follow from a request.
func ExamplePlanResult() {
	plan, err := lately.Plan(lately.Options{
		Kind: lately.Quotient, Memory: 1 << 20, K: 4, FingerprintBits: 8,
	})
	fmt.Println(plan.Rows, plan.K, plan.FingerprintBits, plan.Bytes, err)
	// Output: 262144 4 8 1048576 <nil>
}

// Which of the quotient family: here the one that takes a key in once.
func ExampleVariant() {
	seen := built(lately.Options{Kind: lately.Quotient, Memory: 1 << 16, Variant: lately.QQHT})
	defer seen.Close()
	fmt.Println(observed(seen, "order-17"), observed(seen, "order-17"))
	// Output: New Duplicate
}

// Verdicts print as words, and compare with the two constants.
func ExampleVerdict() {
	seen := built(lately.Options{Kind: lately.Quotient, Memory: 1 << 10})
	defer seen.Close()
	verdict := observed(seen, "order-17")
	fmt.Println(verdict, verdict == lately.New)
	// Output: New true
}

// The keys of a batch, gathered one by one; Reset keeps their memory for the next.
func ExampleKeys() {
	var keys lately.Keys
	keys.AppendString("order-17")
	keys.Append([]byte("order-18"))
	keys.AppendUint64(19)
	fmt.Println(keys.Len())
	keys.Reset()
	fmt.Println(keys.Len())
	// Output:
	// 3
	// 0
}

// A filter whose hashes an attacker cannot aim at. A secret is never printed by accident.
func ExampleSecret() {
	seen := built(lately.Options{
		Kind: lately.Quotient, Memory: 1 << 10, Keyed: true, Secret: lately.SecretOf(1, 2),
	})
	defer seen.Close()
	secret, err := seen.Secret()
	lo, hi := secret.Words()
	fmt.Println(lo, hi, err)
	fmt.Println(strings.Contains(fmt.Sprint(secret), "1"))
	// Output:
	// 1 2 <nil>
	// false
}

// Errors are compared by their codes.
func ExampleCode() {
	seen := built(lately.Options{Kind: lately.Quotient, Memory: 1 << 10})
	_, err := seen.RemoveString("order-17")
	fmt.Println(errors.Is(err, lately.ErrUnsupported), lately.ErrUnsupported.Name())
	seen.Close()
	_, err = seen.ObserveString("order-17")
	fmt.Println(errors.Is(err, lately.ErrClosed))
	// Output:
	// true UNSUPPORTED
	// true
}

// A filter is kept as bytes and resumes where it was, in no more memory than is granted.
func ExampleLoadOptions() {
	seen := built(lately.Options{Kind: lately.Quotient, Memory: 1 << 10})
	observed(seen, "order-17")
	snapshot, err := seen.Snapshot()
	if err != nil {
		log.Fatal(err)
	}
	seen.Close()
	again, err := lately.ReadFilter(bytes.NewReader(snapshot), 0, lately.LoadOptions{Memory: 1 << 20})
	if err != nil {
		log.Fatal(err)
	}
	defer again.Close()
	fmt.Println(observed(again, "order-17"), observed(again, "order-18"))
	// Output: Duplicate New
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
