package lately

// A filter in a file: opened, saved and opened again. What is done on the disk is tested in c_tests/file.c.

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"
)

func opened(t *testing.T, path string, o Options) (*Filter, Opened) {
	t.Helper()
	filter, found, err := Open(path, o)
	must(t, err)
	t.Cleanup(func() { filter.Close() })
	return filter, found
}

// state is the path of a file that a filter with these options and the key a was
// saved to.
func state(t *testing.T, o Options) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "seen.lately")
	filter, found := opened(t, path, o)
	expect(t, found, nil, Opened{})
	begin(t, filter, o)
	must(t, filter.InsertString("a"))
	must(t, filter.Save(path))
	return path
}

// dated dates a file.
func dated(t *testing.T, path string, when time.Time) {
	t.Helper()
	must(t, os.Chtimes(path, when, when))
}

func TestASavedFilterIsOpenedAgain(t *testing.T) {
	path := state(t, Last(1000))
	filter, found := opened(t, path, Last(1000))
	expect(t, found.Found, nil, true)
	verdict, err := filter.ObserveString("a")
	expect(t, verdict, err, Duplicate)
	must(t, filter.Save(path))
	names, err := os.ReadDir(filepath.Dir(path))
	expect(t, len(names), err, 1)
}

func TestTheTimeOfAFileIsTheAgeOfItsKeys(t *testing.T) {
	path := state(t, Window(time.Hour))
	for since, want := range map[time.Duration]Verdict{0: Duplicate, 30 * time.Minute: Duplicate, 3 * time.Hour: New} {
		dated(t, path, time.Now().Add(-since))
		filter, found := opened(t, path, Window(time.Hour))
		if found.Elapsed < since || found.Elapsed > since+time.Minute || found.Ahead != 0 {
			t.Errorf("%v: %+v", since, found)
		}
		verdict, err := filter.ContainsString("a")
		expect(t, verdict, err, want)
	}
	_, _, err := Open(path, Window(2*time.Hour))
	refused(t, err, ErrOptionsDiffer, "Window", "Window = 1h0m0s: the options given come to 2h0m0s")
}

func TestAFileFromTheFutureIsNamedAndAManualClockGetsNoTime(t *testing.T) {
	path := state(t, Window(time.Hour))
	dated(t, path, time.Now().Add(time.Hour))
	_, found := opened(t, path, Window(time.Hour))
	if !found.Found || found.Elapsed != 0 || found.Ahead < 59*time.Minute || found.Ahead > time.Hour {
		t.Errorf("%+v", found)
	}
	path = state(t, small)
	dated(t, path, time.Now().Add(-time.Hour))
	_, found = opened(t, path, small)
	expect(t, found, nil, Opened{Found: true})
}

// The system's reasons are those of package os.
func TestWhatTheSystemRefusesHasItsCause(t *testing.T) {
	folder, filter := t.TempDir(), newFilter(t, Last(1000))
	under := filepath.Join(folder, "gone", "seen.lately")
	_, _, err := Open(under, Last(1000))
	for _, err := range []error{err, filter.Save(under)} {
		refused(t, err, ErrIO, "")
		if !errors.Is(err, fs.ErrNotExist) || !strings.Contains(err.Error(), "seen.lately: ") {
			t.Error(err)
		}
	}
	_, _, err = Open(folder, Last(1000))
	for _, err := range []error{err, filter.Save(folder)} {
		refused(t, err, ErrIO, "")
		if errors.Is(err, fs.ErrNotExist) {
			t.Error(err)
		}
	}
	// C would end the name there.
	cut := filepath.Join(folder, "a\x00b")
	_, _, err = Open(cut, Last(1000))
	for _, err := range []error{err, filter.Save(cut)} {
		if !errors.Is(err, syscall.EINVAL) {
			t.Error(err)
		}
	}
	names, err := os.ReadDir(folder)
	expect(t, len(names), err, 0)
}
