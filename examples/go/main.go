// Prints each line of standard input that was not seen in the last ten minutes.
package main

import (
	"bufio"
	"fmt"
	"io"
	"log"
	"os"
	"time"

	lately "github.com/lately/lately/bindings/go"
)

func main() {
	if err := firstSightings(os.Stdin, os.Stdout); err != nil {
		log.Fatal(err)
	}
}

func firstSightings(in io.Reader, out io.Writer) error {
	options := lately.Window(10 * time.Minute)
	options.Memory = 64 << 20 // without it the filter grows with its traffic
	seen, err := lately.NewFilter(options)
	if err != nil {
		return err
	}
	defer seen.Close()
	lines := bufio.NewScanner(in)
	for lines.Scan() {
		verdict, err := seen.Observe(lines.Bytes())
		if err != nil {
			return err
		}
		if verdict == lately.New {
			fmt.Fprintln(out, lines.Text())
		}
	}
	return lines.Err()
}
