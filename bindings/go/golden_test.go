package lately

// The golden files of tests/golden: read, answered as listed, written again and
// regenerated, byte for byte.

import (
	"bytes"
	"encoding/binary"
	"strconv"
	"strings"
	"testing"
	"time"
)

const golden = "../../tests/golden/0.1/"

// table returns the lines of a table under its first one, which names the columns.
func table(t *testing.T, name string, columns int) (lines [][]string) {
	t.Helper()
	for _, line := range strings.Split(strings.TrimSpace(read(t, golden+name)), "\n") {
		words := strings.Split(line, "\t")
		expect(t, len(words), nil, columns)
		lines = append(lines, words)
	}
	if len(lines) < 20 {
		t.Fatalf("%s has %d lines", name, len(lines))
	}
	return lines[1:]
}

func number(t *testing.T, word string) uint64 {
	t.Helper()
	n, err := strconv.ParseUint(word, 10, 64)
	must(t, err)
	return n
}

func key64(i uint64) []byte {
	return binary.LittleEndian.AppendUint64(nil, i)
}

// recipe is a line of filters.tsv: how a file is made.
type recipe struct {
	name                              string
	options                           Options
	keys, calls, start, step, removed uint64
}

func recipes(t *testing.T) (all []recipe) {
	t.Helper()
	for _, line := range table(t, "filters.tsv", 7) {
		all = append(all, recipe{line[0], optionsOf(t, strings.Split(line[1], " ")), number(t, line[2]),
			number(t, line[3]), number(t, line[4]), number(t, line[5]), number(t, line[6])})
	}
	return all
}

func (r *recipe) made(t *testing.T) *Filter {
	t.Helper()
	filter, err := construct(r.options)
	must(t, err)
	t.Cleanup(func() { filter.Close() })
	for i := range r.calls {
		var err error
		if key := key64(i % r.keys); r.options.Clock == ManualClock {
			_, err = filter.AtTick(Tick(r.start + i*r.step)).Observe(key)
		} else {
			_, err = filter.Observe(key)
		}
		must(t, err)
	}
	for i := range r.removed {
		_, err := filter.Remove(key64(i))
		must(t, err)
	}
	return filter
}

// loaded is the filter of the golden file, that much later.
func (r *recipe) loaded(t *testing.T, elapsed time.Duration) *Filter {
	t.Helper()
	return restored(t, r.file(t), elapsed, LoadOptions{Secret: r.options.Secret})
}

func (r *recipe) file(t *testing.T) []byte {
	t.Helper()
	return []byte(read(t, golden+r.name+".lately"))
}

func TestGoldenFilesAreMadeAnewAndWrittenAgain(t *testing.T) {
	for _, r := range recipes(t) {
		for how, filter := range map[string]*Filter{"regenerated": r.made(t), "read and written": r.loaded(t, 0)} {
			if !bytes.Equal(saved(t, filter), r.file(t)) {
				t.Errorf("%s: %s it is another", r.name, how)
			}
		}
	}
}

func TestGoldenFilesAnswerAsListed(t *testing.T) {
	byName := map[string]recipe{}
	for _, r := range recipes(t) {
		byName[r.name] = r
	}
	for _, line := range table(t, "answers.tsv", 3) {
		r, known := byName[line[0]]
		expect(t, known, nil, true)
		filter := r.loaded(t, time.Duration(number(t, line[1])))
		stats, err := filter.Stats()
		must(t, err)
		now := Now
		if r.options.Clock == ManualClock {
			now = stats.Clock // that of an untouched filter had no tick yet
		}
		for i, want := range line[2] {
			verdict, err := filter.AtTick(now).Contains(key64(uint64(i)))
			must(t, err)
			if (verdict == Duplicate) != (want == '1') {
				t.Errorf("%s after %s ns: key %d is %v", r.name, line[1], i, verdict)
			}
		}
	}
}
