// What a call costs, in Go: as calls.c, which says what goes in and out.
package main

import (
	"bufio"
	"encoding/binary"
	"fmt"
	"log"
	"os"
	"time"

	lately "github.com/lately/lately/bindings/go"
)

const (
	keys   = 1 << 16
	length = 16
)

var sizes = []int{1, 32, 256}

func stream() (bytes []byte, offsets []uint64) {
	offsets = []uint64{0}
	state := uint64(1)
	for range keys {
		state = state*6364136223846793005 + 1442695040888963407
		number := (state >> 33) % 40000
		bytes = binary.LittleEndian.AppendUint64(bytes, number)
		bytes = binary.LittleEndian.AppendUint64(bytes, ^number)
		offsets = append(offsets, uint64(len(bytes)))
	}
	return bytes, offsets
}

func singles(filter *lately.Filter, bytes []byte) (seen uint64) {
	for i := 0; i < len(bytes); i += length {
		verdict, err := filter.Observe(bytes[i : i+length])
		if err != nil {
			log.Fatal(err)
		}
		if verdict == lately.Duplicate {
			seen++
		}
	}
	return seen
}

func batches(filter *lately.Filter, all []*lately.Keys, verdicts []lately.Verdict) (seen uint64) {
	for _, keys := range all {
		if _, err := filter.ObserveBatch(keys, nil, verdicts); err != nil {
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

// cell prints what a call took, for each key.
func cell(call func() uint64) uint64 {
	start := time.Now()
	seen := call()
	fmt.Printf("%.3f ", float64(time.Since(start).Nanoseconds())/keys)
	return seen
}

func empty() (sum uint64) {
	for range keys {
		sum += uint64(lately.ABIVersion())
	}
	return sum
}

func main() {
	bytes, offsets := stream()
	options := lately.Last(20000)
	options.ErrorRate = 1e-3
	var calls []func() uint64
	for _, build := range []func(lately.Options) (*lately.Filter, error){lately.NewUnshared, lately.NewFilter} {
		for _, size := range sizes {
			filter, err := build(options)
			if err != nil {
				log.Fatal(err)
			}
			defer filter.Close()
			if size == 1 {
				calls = append(calls, func() uint64 { return singles(filter, bytes) })
				continue
			}
			var all []*lately.Keys
			for i := 0; i < keys; i += size {
				all = append(all, lately.KeysOf(bytes, offsets[i:i+size+1]))
			}
			verdicts := make([]lately.Verdict, size)
			calls = append(calls, func() uint64 { return batches(filter, all, verdicts) })
		}
	}
	duplicates := uint64(0)
	for lines := bufio.NewScanner(os.Stdin); lines.Scan(); {
		for _, call := range calls {
			duplicates += cell(call)
		}
		if cell(empty) != keys*uint64(lately.ABIVersion()) {
			log.Fatal("an empty call lies")
		}
		fmt.Println(duplicates)
	}
}
