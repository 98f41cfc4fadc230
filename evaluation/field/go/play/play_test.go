package play

import (
	"bytes"
	"fmt"
	"strings"
	"testing"
)

func small(t *testing.T, name string) Workload {
	w, err := find(name)
	if err != nil {
		t.Fatal(err)
	}
	return w
}

// The digests of the protocol: every language has the same streams.
func TestStream_seedOneAndSeven_haveTheDigestsOfTheOtherLanguages(t *testing.T) {
	for _, c := range []struct {
		workload string
		seed     uint64
		digest   string
	}{
		{"last-2000", 1, "b44206624972d0e6"}, {"last-2000", 7, "c3aecdd2e7904390"},
		{"time-2000", 1, "e74d251a5e807a4d"}, {"time-2000", 7, "b8017276d04cb629"},
	} {
		if _, digest := small(t, c.workload).stream(c.seed); fmt.Sprintf("%016x", digest) != c.digest {
			t.Errorf("%s, seed %d: %016x", c.workload, c.seed, digest)
		}
	}
}

func subjectOf(observe func(key []byte, tick uint64) (bool, error)) Rival {
	return Rival{Name: "test", Windows: OfRecords | OfTime, New: func(Workload, *Meter) (Subject, error) {
		return Simple{Observe: observe}, nil
	}}
}

func TestPlay_subjectThatForgetsAll_missesEveryRepeat(t *testing.T) {
	w := small(t, "last-2000")
	result, verdicts, err := play(subjectOf(func([]byte, uint64) (bool, error) { return false, nil }), w, 1)
	if err != nil || result.Missed != w.Counted/2 || result.False != 0 || uint64(len(verdicts)) != w.Counted {
		t.Fatal(result, len(verdicts), err)
	}
}

func TestPlay_subjectThatKnowsAll_isWrongAboutEveryNewKey(t *testing.T) {
	w := small(t, "time-2000")
	result, _, err := play(subjectOf(func([]byte, uint64) (bool, error) { return true, nil }), w, 1)
	if err != nil || result.False != w.Counted/2 || result.Missed != 0 {
		t.Fatal(result, err)
	}
}

func TestPlay_subjectThatFails_saysSo(t *testing.T) {
	_, _, err := play(subjectOf(func([]byte, uint64) (bool, error) { return false, fmt.Errorf("broken") }), small(t, "last-2000"), 1)
	if err == nil || err.Error() != "broken" {
		t.Fatal(err)
	}
}

func TestPlay_realClock_keepsThePace(t *testing.T) {
	w := small(t, "time-2000")
	rival := subjectOf(func([]byte, uint64) (bool, error) { return false, nil })
	rival.Real = true
	result, _, err := play(rival, w, 1)
	if err != nil || result.Clock != "real" || result.Late <= 0 {
		t.Fatal(result, err)
	}
}

func TestCheck_subjectThatForgetsAll_isAnError(t *testing.T) {
	err := Check([]Rival{subjectOf(func([]byte, uint64) (bool, error) { return false, nil })})
	if err == nil || !strings.Contains(err.Error(), "called new") {
		t.Fatal(err)
	}
}

func TestPacked_nineVerdicts_fillTwoBytesFromTheLowestBit(t *testing.T) {
	if got := packed([]bool{true, false, false, false, false, false, false, true, true}); !bytes.Equal(got, []byte{0x81, 1}) {
		t.Fatal(got)
	}
}

func TestAgeWhenNew_windowOfThousand_isThousand(t *testing.T) {
	seen := map[string]uint64{}
	age, err := AgeWhenNew(func(key []byte, tick uint64) (bool, error) {
		since, ok := seen[string(key)]
		seen[string(key)] = tick
		return ok && tick-since < 1000, nil
	}, 1000)
	if err != nil || age != 1000 {
		t.Fatal(age, err)
	}
}

func TestCommand_badWords_nameWhatIsAllowed(t *testing.T) {
	rivals := []Rival{subjectOf(nil)}
	for _, words := range []string{"", "run", "run none last-2000 1 f", "run test none 1 f", "run test last-2000 -1 f", "documented none"} {
		if err := command(rivals, strings.Fields(words)); err == nil || !strings.Contains(err.Error(), "allowed") {
			t.Errorf("%q: %v", words, err)
		}
	}
}
