package lately

// Reads the test vectors that every language reads; their first lines say how.

import (
	"encoding/hex"
	"errors"
	"fmt"
	"strconv"
	"strings"
	"testing"
	"time"
)

// script runs the lines of the file on the filter that the last line
// "filter" built.
type script struct {
	t      *testing.T
	words  []string // of the line, not yet read
	filter *Filter
	ran    map[string]int
}

func TestVectors(t *testing.T) {
	s := &script{t: t, ran: map[string]int{}}
	for i, line := range strings.Split(read(t, "../../tests/vectors/vectors.txt"), "\n") {
		if line == "" || strings.HasPrefix(line, "#") {
			continue
		}
		s.words = strings.Split(line, " ")
		if err := s.run(); err != nil {
			t.Fatalf("line %d, %.80s: %v", i+1, line, err)
		}
	}
	must(t, s.filter.Close())
	for _, verb := range []string{"hash", "filter", "observe", "observe_at", "insert", "insert_at", "contains",
		"contains_at", "advance", "refused", "hash_of", "stats"} {
		if s.ran[verb] == 0 {
			t.Errorf("no line %q", verb)
		}
	}
}

func (s *script) word() string {
	if len(s.words) == 0 {
		s.t.Fatal("the line is too short")
	}
	word := s.words[0]
	s.words = s.words[1:]
	return word
}

func (s *script) number() uint64 {
	number, err := strconv.ParseUint(s.word(), 10, 64)
	must(s.t, err)
	return number
}

func (s *script) hash() uint64 {
	number, err := strconv.ParseUint(s.word(), 16, 64)
	must(s.t, err)
	return number
}

func (s *script) key() []byte {
	word := s.word()
	if word == "-" {
		return nil
	}
	key, err := hex.DecodeString(word)
	must(s.t, err)
	return key
}

func (s *script) tick() Tick       { return Tick(s.number()) }
func (s *script) verdict() Verdict { return Verdict(s.number()) }

// run runs a line.
func (s *script) run() error {
	verb := s.word()
	s.ran[verb]++
	switch verb {
	case "hash":
		seed, key := s.number(), s.key()
		return same(Hash64(key, seed), s.hash(), nil)
	case "filter":
		return s.build()
	case "observe":
		got, err := s.filter.Observe(s.key())
		return same(got, s.verdict(), err)
	case "insert":
		return s.filter.Insert(s.key())
	case "contains":
		got, err := s.filter.ContainsString(string(s.key()))
		return same(got, s.verdict(), err)
	case "observe_at":
		now, key := s.tick(), s.key()
		got, err := s.filter.ObserveTick(key, now)
		return same(got, s.verdict(), err)
	case "insert_at":
		now := s.tick()
		return s.filter.InsertAt(s.key(), now.Time())
	case "contains_at":
		now, key := s.tick(), s.key()
		got, err := s.filter.ContainsStringAt(string(key), now.Time())
		return same(got, s.verdict(), err)
	case "advance":
		return s.filter.AdvanceTick(s.tick())
	case "refused":
		return s.refused()
	case "hash_of":
		got, err := s.filter.Hash(s.key())
		return same(got, s.hash(), err)
	case "stats":
		return s.stats()
	}
	return fmt.Errorf("unknown line %q", verb)
}

func (s *script) build() (err error) {
	o := Options{Kind: TimeLimited, Clock: ManualClock}
	o.Window = time.Duration(s.number())
	o.ErrorRate, err = strconv.ParseFloat(s.word(), 64)
	must(s.t, err)
	o.Repeat, o.OnLimit = Repeat(s.number()), OnLimit(s.number())
	o.Memory, o.MaxStep = s.number(), time.Duration(s.number())
	o.Seed, o.Keyed = s.number(), s.number() == 1
	o.Secret.Lo, o.Secret.Hi = s.number(), s.number()
	if s.filter != nil {
		must(s.t, s.filter.Close())
	}
	s.filter, err = NewFilter(o)
	return err
}

func (s *script) refused() error {
	now, key := s.tick(), s.key()
	_, err := s.filter.ObserveTick(key, now)
	var why *Error
	if !errors.As(err, &why) {
		return fmt.Errorf("not refused: %v", err)
	}
	return same(why.Code.Name(), s.word(), nil)
}

func (s *script) stats() error {
	want := Stats{News: s.number(), Duplicates: s.number(), LateTicks: s.number(), RefusedTicks: s.number(), Clock: s.tick()}
	have, err := s.filter.Stats()
	got := Stats{News: have.News, Duplicates: have.Duplicates, LateTicks: have.LateTicks,
		RefusedTicks: have.RefusedTicks, Clock: have.Clock}
	return same(got, want, err)
}

func same[T comparable](got, want T, err error) error {
	if err != nil {
		return err
	}
	if got != want {
		return fmt.Errorf("got %v, the vectors say %v", got, want)
	}
	return nil
}
