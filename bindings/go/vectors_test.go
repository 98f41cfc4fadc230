package lately

// Reads the vectors, the claims and the refusals that every language reads; their
// first lines say how.

import (
	"encoding/hex"
	"errors"
	"fmt"
	"reflect"
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
	// of claims.txt, whose refusals name no option and whose stats have other figures
	claims bool
}

// runFile runs a file and says how often each instruction was in it. The batches at the end of each
// filter are left out: TestABatchOfEveryFormIsItsSingleCalls has them in every form.
func runFile(t *testing.T, name string) map[string]int {
	t.Helper()
	s := &script{t: t, ran: map[string]int{}, claims: name == "claims.txt"}
	behindBatches := false
	for i, line := range strings.Split(read(t, "../../tests/vectors/"+name), "\n") {
		verb, _, _ := strings.Cut(line, " ")
		behindBatches = verb != "filter" && (behindBatches || strings.HasSuffix(verb, "_slices"))
		if behindBatches || line == "" || strings.HasPrefix(line, "#") {
			continue
		}
		for _, call := range singleCalls(t, line) {
			s.words = strings.Split(call, " ")
			if err := s.run(); err != nil {
				t.Fatalf("%s, line %d, %.80s: %v", name, i+1, call, err)
			}
		}
	}
	must(t, s.filter.Close())
	return s.ran
}

func TestVectors(t *testing.T) {
	for name, verbs := range map[string]string{
		"vectors.txt": "hash filter plan observe observe_at insert insert_at contains contains_at remove advance clear " +
			"copy fails hash_of secret stats",
		"claims.txt": "filter stats abandon claim_at commit_at observe_at fails",
		"errors.txt": "filter fails",
	} {
		ran := runFile(t, name)
		for _, verb := range strings.Fields(verbs) {
			if ran[verb] < 4 {
				t.Errorf("%s: %d lines %q", name, ran[verb], verb)
			}
		}
	}
}

// splitMix64 is the generator of the runs.
type splitMix64 uint64

func (s *splitMix64) next() uint64 {
	*s += 0x9e3779b97f4a7c15
	z := uint64(*s)
	z = (z ^ z>>30) * 0xbf58476d1ce4e5b9
	z = (z ^ z>>27) * 0x94d049bb133111eb
	return z ^ z>>31
}

// key returns the key of a round, in hexadecimal.
func (s *splitMix64) key() string {
	n := min(s.next()%300, s.next()%300)
	if n == 0 {
		return "-"
	}
	digits := splitMix64(n)
	return fmt.Sprintf("%016x%016x", digits.next(), digits.next())[:2*(n%12+1)]
}

// singleCalls expands a run into lines of single calls, made from its seed. Any other
// line stays as it is.
func singleCalls(t *testing.T, line string) (lines []string) {
	t.Helper()
	w := strings.Split(line, " ")
	if w[0] != "run" {
		return []string{line}
	}
	numbers := make([]uint64, 7)
	for _, i := range []int{1, 2, 4, 5, 6} {
		var err error
		numbers[i], err = strconv.ParseUint(w[i], 10, 64)
		must(t, err)
	}
	dice, now, asked, verbs := splitMix64(numbers[1]), numbers[4], 0, strings.Split(w[3], ",")
	for range numbers[2] {
		now += dice.next() % numbers[5]
		joined, tick := verbs[dice.next()%uint64(len(verbs))], now
		if dice.next()%16 == 0 {
			tick -= dice.next() % numbers[6]
		}
		key := dice.key()
		for _, verb := range strings.Split(joined, "+") {
			call := verb + " " + key
			if strings.HasSuffix(verb, "_at") {
				call = fmt.Sprintf("%s %d %s", verb, tick, key)
			}
			if !strings.HasPrefix(verb, "insert") {
				digit, err := strconv.ParseUint(w[7][asked/4:asked/4+1], 16, 4)
				must(t, err)
				call += fmt.Sprintf(" %d", digit>>(3-asked%4)&1)
				asked++
			}
			lines = append(lines, call)
		}
	}
	if len(w[7]) != (asked+3)/4 {
		t.Fatalf("%.80s: %d digits for %d verdicts", line, len(w[7]), asked)
	}
	return lines
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
		if s.claims {
			return words(err, stats.OpenClaims, stats.MaxClaims, stats.ExpiredClaims, stats.Pending, stats.NewCount,
				stats.DuplicateCount)
		}
		return words(err, stats.NewCount, stats.DuplicateCount, stats.LateTicks, stats.RefusedTicks, uint64(stats.Clock),
			stats.Bytes, stats.Items, stats.Shifts, stats.RowsFull,
			stats.Moved, stats.Stashed, uint64(stats.MaxLateness), uint64(stats.LastRefusedTick))
	case "secret":
		secret, err := s.filter.Secret()
		lo, hi := secret.Words()
		return words(err, lo, hi)
	case "clear":
		return "", s.filter.Clear()
	case "copy":
		return "", s.use(s.filter.Clone())
	}
	return s.obeyKey(verb)
}

// obeyKey carries an instruction on a key out, with a tick if its name ends in _at.
func (s *script) obeyKey(verb string) (string, error) {
	now := Now
	name, isAt := strings.CutSuffix(verb, "_at")
	if isAt || verb == "advance" {
		now = s.tick()
	}
	moment := s.filter.AtTick(now)
	switch name {
	case "advance":
		return "", moment.Advance()
	case "hash_of":
		return hash(s.filter.Hash(s.key()))
	case "claim":
		claim, err := moment.Claim(s.key())
		if err != nil {
			return "", err
		}
		return words(nil, uint64(claim.Verdict())-1, uint64(claim.Token()))
	case "commit":
		key := s.key()
		found, err := moment.Commit(key, Token(s.number()))
		return words(err, uint64(found))
	case "abandon":
		key := s.key()
		return "", s.filter.Abandon(key, Token(s.number()))
	}
	if call := reflect.ValueOf(moment).MethodByName(camel(name)); call.IsValid() {
		return answerOf(call.Call([]reflect.Value{reflect.ValueOf(s.key())}))
	}
	return "", fmt.Errorf("unknown instruction %q", verb)
}

// answerOf is what a verb of one key returned: a verdict, a bool or nothing, and an error.
func answerOf(out []reflect.Value) (string, error) {
	err, _ := out[len(out)-1].Interface().(error)
	switch said := out[0].Interface().(type) {
	case Verdict:
		return words(err, uint64(said)-1)
	case bool:
		return words(err, map[bool]uint64{true: 1}[said])
	}
	return "", err
}

func (s *script) build() error {
	s.options, s.words = optionsOf(s.t, s.words), nil
	return s.use(construct(s.options))
}

// use makes the lines below speak to a filter.
func (s *script) use(filter *Filter, err error) error {
	if err == nil && s.filter != nil {
		err = s.filter.Close()
	}
	if err == nil {
		s.filter = filter
	}
	return err
}

// fails runs an instruction that must fail, because of the option that the
// line says in C's spelling and the error in Go's.
func (s *script) fails() error {
	status, field := s.word(), "-"
	if !s.claims {
		field = s.word()
	}
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
