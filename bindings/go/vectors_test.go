package lately

// Reads the vectors and the refusals that every language reads; their first
// lines say how.

import (
	"encoding/hex"
	"errors"
	"fmt"
	"strconv"
	"strings"
	"testing"
)

// script runs the lines of a file on the filter that the last line "filter"
// built.
type script struct {
	t       *testing.T
	words   []string // of the line, not yet read
	options Options
	filter  *Filter
	ran     map[string]int
}

// runFile runs a file and says how often each instruction was in it.
func runFile(t *testing.T, name string) map[string]int {
	t.Helper()
	s := &script{t: t, ran: map[string]int{}}
	for i, line := range strings.Split(read(t, "../../tests/vectors/"+name), "\n") {
		if line == "" || strings.HasPrefix(line, "#") {
			continue
		}
		s.words = strings.Split(line, " ")
		if err := s.run(); err != nil {
			t.Fatalf("%s, line %d, %.80s: %v", name, i+1, line, err)
		}
	}
	must(t, s.filter.Close())
	return s.ran
}

func TestVectors(t *testing.T) {
	ran := runFile(t, "vectors.txt")
	for _, verb := range []string{"hash", "filter", "plan", "observe", "observe_at", "insert", "insert_at", "contains",
		"contains_at", "remove", "advance", "clear", "copy", "fails", "hash_of", "secret", "stats"} {
		if ran[verb] == 0 {
			t.Errorf("no line %q", verb)
		}
	}
}

func TestRefusals(t *testing.T) {
	if ran := runFile(t, "errors.txt"); ran["fails"] < 50 {
		t.Errorf("only %d refusals", ran["fails"])
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

func (s *script) key() []byte {
	word := s.word()
	if word == "-" {
		return nil
	}
	key, err := hex.DecodeString(word)
	must(s.t, err)
	return key
}

func (s *script) tick() Tick { return Tick(s.number()) }

// run runs a line and compares what it says.
func (s *script) run() error {
	verb := s.word()
	s.ran[verb]++
	if verb == "fails" {
		return s.fails()
	}
	said, err := s.obey(verb)
	if err != nil {
		return err
	}
	return same(said, strings.Join(s.words, " "))
}

// obey carries an instruction out and returns its answer.
func (s *script) obey(verb string) (string, error) {
	switch verb {
	case "hash":
		seed := s.number()
		return hash(Hash64(s.key(), seed), nil)
	case "filter":
		return "", s.build()
	case "plan":
		plan, err := Plan(s.options)
		return words(err, plan.Bytes, plan.K, plan.L, plan.Slices, plan.Blocks, plan.Rows, plan.WindowKeys,
			plan.FingerprintBits, plan.Chains, plan.BlockBytes)
	case "stats":
		stats, err := s.filter.Stats()
		return words(err, stats.NewCount, stats.DuplicateCount, stats.LateTicks, stats.RefusedTicks, uint64(stats.Clock),
			stats.Bytes, stats.Items, stats.Shifts, stats.RowsFull,
			stats.Moved, stats.Stashed, uint64(stats.MaxLateness), uint64(stats.LastRefusedTick))
	case "secret":
		secret, err := s.filter.Secret()
		lo, hi := secret.Words()
		return words(err, lo, hi)
	case "advance":
		return "", s.filter.AdvanceTick(s.tick())
	case "clear":
		return "", s.filter.Clear()
	case "copy":
		return "", s.copy()
	}
	return s.obeyKey(verb)
}

// obeyKey carries an instruction on a key out.
func (s *script) obeyKey(verb string) (string, error) {
	switch verb {
	case "observe":
		return verdict(s.filter.Observe(s.key()))
	case "contains":
		return verdict(s.filter.ContainsString(string(s.key())))
	case "insert":
		return "", s.filter.Insert(s.key())
	case "remove":
		removed, err := s.filter.Remove(s.key())
		return words(err, map[bool]uint64{true: 1}[removed])
	case "hash_of":
		return hash(s.filter.Hash(s.key()))
	case "observe_at":
		now := s.tick()
		return verdict(s.filter.ObserveTick(s.key(), now))
	case "contains_at":
		now := s.tick()
		return verdict(s.filter.ContainsStringAt(string(s.key()), now.Time()))
	case "insert_at":
		now := s.tick()
		return "", s.filter.InsertAt(s.key(), now.Time())
	}
	return "", fmt.Errorf("unknown instruction %q", verb)
}

func (s *script) build() error {
	o := optionsOf(s.t, s.words)
	filter, err := construct(o)
	if err != nil {
		return err
	}
	s.words = nil
	return s.use(o, filter)
}

func (s *script) copy() error {
	filter, err := s.filter.Clone()
	if err != nil {
		return err
	}
	return s.use(s.options, filter)
}

func (s *script) use(o Options, filter *Filter) (err error) {
	if s.filter != nil {
		err = s.filter.Close()
	}
	s.options, s.filter = o, filter
	return err
}

// fails runs an instruction that must fail, because of the option that the
// line says in C's spelling and the error in Go's.
func (s *script) fails() error {
	status, field := s.word(), s.word()
	_, err := s.obey(s.word())
	var why *Error
	if !errors.As(err, &why) {
		return fmt.Errorf("not refused: %v", err)
	}
	want := ""
	if field != "-" {
		want = goName(field)
	}
	if want != "" && !strings.Contains(why.Message, want+" = ") {
		return fmt.Errorf("%q does not name %s", why.Message, want)
	}
	return same(why.Code.Name()+" "+why.Field, status+" "+want)
}

func verdict(verdict Verdict, err error) (string, error) {
	return words(err, uint64(verdict))
}

func hash(hash uint64, err error) (string, error) {
	return fmt.Sprintf("%016x", hash), err
}

func words(err error, numbers ...uint64) (string, error) {
	return strings.Trim(fmt.Sprint(numbers), "[]"), err
}

func same(got, want string) error {
	if got != want {
		return fmt.Errorf("got %q, the file says %q", got, want)
	}
	return nil
}
