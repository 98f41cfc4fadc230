// Says of each line of standard input whether it is among the 20 lines before
// it: "new" or "duplicate". The number of the line is its time.
package main

import (
	"bufio"
	"fmt"
	"io"
	"log"
	"os"

	lately "github.com/lately/lately/bindings/go"
)

func main() {
	if err := verdicts(os.Stdin, os.Stdout); err != nil {
		log.Fatal(err)
	}
}

func verdicts(in io.Reader, out io.Writer) error {
	seen, err := lately.NewFilter(lately.Options{
		Kind: lately.TimeLimited, Clock: lately.ManualClock, Window: 20, ErrorRate: 0.2,
	})
	if err != nil {
		return err
	}
	defer seen.Close()
	lines := bufio.NewScanner(in)
	for now := lately.Tick(0); lines.Scan(); now++ {
		verdict, err := seen.AtTick(now).Observe(lines.Bytes())
		if err != nil {
			return err
		}
		fmt.Fprintln(out, name(verdict))
	}
	return lines.Err()
}

func name(verdict lately.Verdict) string {
	if verdict == lately.New {
		return "new"
	}
	return "duplicate"
}
