// Prints the first sightings among the lines of standard input, then one line
// of figures. Record n has the tick n ms, and a line is new if it was not seen
// in the last 10 s, that is, in the last 10,000 records.
//
//	cd bindings/go && go run ../../examples/dedup.go <records
package main

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"log"
	"os"
	"time"

	lately "github.com/lately/lately/bindings/go"
)

func main() {
	log.SetFlags(0)
	out := bufio.NewWriter(os.Stdout)
	if err := dedup(bufio.NewReader(os.Stdin), out); err != nil {
		log.Fatal(err)
	}
	if err := out.Flush(); err != nil {
		log.Fatal(err)
	}
}

func dedup(in *bufio.Reader, out *bufio.Writer) error {
	options := lately.Window(10 * time.Second)
	options.Clock = lately.ManualClock
	options.ErrorRate = 1e-3
	seen, err := lately.NewFilter(options)
	if err != nil {
		return err
	}
	defer seen.Close()
	if err := copyFirst(seen, in, out); err != nil {
		return err
	}
	return figures(seen, out)
}

// copyFirst copies the lines that are new.
func copyFirst(seen *lately.Filter, in *bufio.Reader, out *bufio.Writer) error {
	for record := lately.Tick(1); ; record++ {
		key, err := line(in)
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return err
		}
		verdict, err := seen.AtTick(record * lately.Tick(time.Millisecond)).Observe(key)
		if err != nil {
			return err
		}
		if verdict == lately.New {
			out.Write(key)
			out.WriteByte('\n')
		}
	}
}

// line reads a line without its newline, which the last one may lack.
func line(in *bufio.Reader) ([]byte, error) {
	text, err := in.ReadBytes('\n')
	if errors.Is(err, io.EOF) && len(text) > 0 {
		return text, nil
	}
	return bytes.TrimSuffix(text, []byte("\n")), err
}

func figures(seen *lately.Filter, out io.Writer) error {
	stats, err := seen.Stats()
	if err != nil {
		return err
	}
	read := stats.NewCount + stats.DuplicateCount
	_, err = fmt.Fprintf(out, "read=%d new=%d duplicate=%d bytes=%d\n", read, stats.NewCount, stats.DuplicateCount, stats.Bytes)
	return err
}
