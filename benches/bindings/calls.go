// What a call costs, in Go: as calls.c, which says what goes in and out.
package main

import (
	"bufio"
	"encoding/binary"
	"fmt"
	"log"
	"os"
	"syscall"
	"time"

	lately "github.com/lately/lately/bindings/go"
)

const (
	keys  = 1 << 16
	batch = 256
)

// stream is the same numbers as keys of one length, back to back, and where
// each lies.
type stream struct {
	bytes   []byte
	offsets []uint64
	keys    [][]byte
}

func (s *stream) add(key []byte) {
	if s.offsets == nil {
		s.offsets = []uint64{0}
	}
	s.bytes = append(s.bytes, key...)
	s.keys = append(s.keys, key)
	s.offsets = append(s.offsets, uint64(len(s.bytes)))
}

var (
	words        []uint64
	pairs, texts stream
	strings      []string
)

func fill() {
	state := uint64(1)
	for range keys {
		state = state*6364136223846793005 + 1442695040888963407
		number := (state >> 33) % 40000
		words = append(words, number)
		pair := binary.LittleEndian.AppendUint64(nil, number)
		pairs.add(binary.LittleEndian.AppendUint64(pair, ^number))
		text := fmt.Sprintf("%040d", number)
		texts.add([]byte(text))
		strings = append(strings, text)
	}
}

func singles(observe func(i int) (lately.Verdict, error)) (seen uint64) {
	for i := range keys {
		verdict, err := observe(i)
		if err != nil {
			log.Fatal(err)
		}
		if verdict == lately.Duplicate {
			seen++
		}
	}
	return seen
}

func batches(size int, observe func(i int, verdicts []lately.Verdict) (int, error)) func() uint64 {
	verdicts := make([]lately.Verdict, size)
	return func() (seen uint64) {
		for i := 0; i < keys; i += size {
			if _, err := observe(i, verdicts); err != nil {
				log.Fatal(err)
			}
			for _, verdict := range verdicts {
				if verdict == lately.Duplicate {
					seen++
				}
			}
		}
		return seen
	}
}

// packed observes keys that lie back to back.
func packed(filter *lately.Filter, from *stream, size int) func() uint64 {
	var all []*lately.Keys
	for i := 0; i < keys; i += size {
		all = append(all, lately.KeysOf(from.bytes, from.offsets[i:i+size+1]))
	}
	return batches(size, func(i int, verdicts []lately.Verdict) (int, error) {
		return filter.ObserveBatch(all[i/size], nil, verdicts)
	})
}

// rows are the calls of calls.c in its order, each on a filter of its own.
func rows(build func(lately.Options) (*lately.Filter, error), options lately.Options) []func() uint64 {
	var f [9]*lately.Filter
	for i := range f {
		filter, err := build(options)
		if err != nil {
			log.Fatal(err)
		}
		f[i] = filter
	}
	return []func() uint64{
		func() uint64 {
			return singles(func(i int) (lately.Verdict, error) { return f[0].Observe(lately.Uint64(words[i])) })
		},
		batches(batch, func(i int, verdicts []lately.Verdict) (int, error) {
			return f[1].ObserveBatch(lately.Uint64s(words[i:i+batch]), nil, verdicts)
		}),
		func() uint64 {
			return singles(func(i int) (lately.Verdict, error) { return f[2].Observe(pairs.keys[i]) })
		},
		packed(f[3], &pairs, 32),
		packed(f[4], &pairs, batch),
		batches(batch, func(i int, verdicts []lately.Verdict) (int, error) {
			return f[5].ObserveBatch(lately.Slices(pairs.keys[i:i+batch]), nil, verdicts)
		}),
		func() uint64 {
			return singles(func(i int) (lately.Verdict, error) { return f[6].ObserveString(strings[i]) })
		},
		packed(f[7], &texts, batch),
		batches(batch, func(i int, verdicts []lately.Verdict) (int, error) {
			return f[8].ObserveBatch(lately.Strings(strings[i:i+batch]), nil, verdicts)
		}),
	}
}

// now is the CPU time of this process, in nanoseconds: Go names no thread's, and
// what the collector does for a call belongs to its cost.
func now() int64 {
	var usage syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &usage); err != nil {
		log.Fatal(err)
	}
	return usage.Utime.Nano() + usage.Stime.Nano()
}

// row prints what a call took, for each key.
func row(call func() uint64) uint64 {
	start := now()
	seen := call()
	fmt.Printf("%.3f ", float64(now()-start)/keys)
	return seen
}

func empty() (sum uint64) {
	for range keys {
		sum += uint64(lately.ABIVersion())
	}
	return sum
}

func main() {
	fill()
	var calls []func() uint64
	for _, options := range []lately.Options{lately.Last(20000), lately.Window(time.Hour)} {
		calls = append(calls, rows(lately.NewUnshared, options)...)
		calls = append(calls, rows(lately.NewFilter, options)...)
	}
	duplicates := uint64(0)
	for lines := bufio.NewScanner(os.Stdin); lines.Scan(); {
		for _, call := range calls {
			duplicates += row(call)
		}
		if row(empty) != keys*uint64(lately.ABIVersion()) {
			log.Fatal("an empty call lies")
		}
		fmt.Println(duplicates)
	}
}
