// The field in Go: timecache, JetStream and otter, and lately by its binding. The script `drive` builds and runs it.
package main

import "github.com/lately/lately/evaluation/field/go/play"

func rivals() []play.Rival {
	return append(latelyRivals(), otterRival, timecacheRival, jetstreamRival)
}

func main() { play.Main(rivals()) }
