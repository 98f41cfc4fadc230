package lately

// Reads the vectors of claims that every language with claims reads; their first
// lines describe them.

import (
	"errors"
	"fmt"
	"strings"
	"testing"
)

func TestClaimVectors_AreAnsweredByBothHandles(t *testing.T) {
	bothHandles(t, func(t *testing.T, build func(Options) (*Filter, error)) {
		s := &script{t: t, ran: map[string]int{}}
		for i, line := range strings.Split(read(t, "../../tests/vectors/claims.txt"), "\n") {
			if line == "" || strings.HasPrefix(line, "#") {
				continue
			}
			s.words = strings.Split(line, " ")
			if err := s.runClaims(build); err != nil {
				t.Fatalf("line %d, %.80s: %v", i+1, line, err)
			}
		}
		must(t, s.filter.Close())
		for _, verb := range []string{"filter", "stats", "abandon", "claim_at", "commit_at", "observe_at", "fails"} {
			if s.ran[verb] < 4 {
				t.Errorf("%d lines %q", s.ran[verb], verb)
			}
		}
	})
}

// runClaims runs a line and compares what it answers.
func (s *script) runClaims(build func(Options) (*Filter, error)) error {
	verb := s.word()
	s.ran[verb]++
	switch verb {
	case "filter":
		o := optionsOf(s.t, s.words)
		filter, err := build(o)
		if err != nil {
			return err
		}
		return s.use(o, filter)
	case "fails":
		status := s.word()
		_, err := s.obeyClaim(s.word())
		var why *Error
		if !errors.As(err, &why) {
			return fmt.Errorf("not refused: %v", err)
		}
		return same(strings.TrimSpace(why.Code.Name()+" "+strings.Join(s.words, " ")), status)
	}
	answer, err := s.obeyClaim(verb)
	if err != nil {
		return err
	}
	return same(answer, strings.Join(s.words, " "))
}

// obeyClaim carries an instruction out and returns its answer.
func (s *script) obeyClaim(verb string) (string, error) {
	switch verb {
	case "claim_at":
		now := s.tick()
		claim, err := s.filter.AtTick(now).Claim(s.key())
		if err != nil {
			return "", err
		}
		return words(nil, uint64(claim.Verdict())-1, uint64(claim.Token()))
	case "commit_at":
		now, key := s.tick(), s.key()
		found, err := s.filter.AtTick(now).Commit(key, Token(s.number()))
		return words(err, uint64(found))
	case "abandon":
		key := s.key()
		return "", s.filter.Abandon(key, Token(s.number()))
	case "observe_at":
		now := s.tick()
		return verdict(s.filter.AtTick(now).Observe(s.key()))
	case "stats":
		stats, err := s.filter.Stats()
		return words(err, stats.OpenClaims, stats.MaxClaims, stats.ExpiredClaims, stats.Pending, stats.NewCount,
			stats.DuplicateCount)
	}
	return "", fmt.Errorf("unknown instruction %q", verb)
}
