package lately

// A filter in a file: opened, saved and opened again.

import (
	"errors"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"reflect"
	"runtime"
	"strings"
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

func TestAnEmptyFileIsButANameAndAFolderMustBeThere(t *testing.T) {
	path := filepath.Join(t.TempDir(), "seen.lately")
	must(t, os.WriteFile(path, nil, 0o600))
	filter, found := opened(t, path, Last(1000))
	expect(t, found, nil, Opened{})
	must(t, filter.Save(path))
	_, _, err := Open(filepath.Join(path+".gone", "seen.lately"), Last(1000))
	if !errors.Is(err, fs.ErrNotExist) {
		t.Error("without its folder:", err)
	}
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
}

func TestTheTimeOfAFileIsNothingToAManualClock(t *testing.T) {
	now := time.Unix(1000, 0)
	expect(t, passed(now.Add(-time.Hour), now, ManualClock), nil, Opened{Found: true})
	expect(t, passed(now.Add(-time.Hour), now, 0), nil, Opened{Found: true, Elapsed: time.Hour})
	expect(t, passed(now.Add(time.Hour), now, SystemClock), nil, Opened{Found: true, Ahead: time.Hour})
	expect(t, passed(now.Add(time.Hour), now, ManualClock), nil, Opened{Found: true, Ahead: time.Hour})
}

func TestOtherOptionsAreNamedAndTheFileStays(t *testing.T) {
	path := state(t, Last(1000))
	want, err := os.ReadFile(path)
	must(t, err)
	for field, o := range map[string]Options{
		"WindowKeys": Last(999),
		"Seed":       {Kind: WindowTable, WindowKeys: 1000, Seed: 7},
		"ErrorRate":  {Kind: WindowTable, WindowKeys: 1000, ErrorRate: 0.01},
	} {
		_, _, err := Open(path, o)
		refused(t, err, ErrOptionsDiffer, field)
	}
	have, err := os.ReadFile(path)
	expect(t, string(have), err, string(want))
}

func TestWhatIsNoFilterIsNeitherOpenedNorReplaced(t *testing.T) {
	good, err := os.ReadFile(state(t, Last(1000)))
	must(t, err)
	filter := newFilter(t, Last(1000))
	changed := append([]byte{}, good...)
	changed[len(changed)/2] ^= 1
	for text, want := range map[string]Code{
		"a list of my own":         ErrMagic,
		string(good) + "{}":        ErrCorrupt,
		string(good[:len(good)-1]): ErrCorrupt,
		string(changed):            ErrChecksum,
	} {
		path := filepath.Join(t.TempDir(), "file")
		must(t, os.WriteFile(path, []byte(text), 0o600))
		_, _, err := Open(path, Last(1000))
		refused(t, err, want, "")
		if want != ErrMagic {
			continue // it is the caller's to replace a filter that Open refused
		}
		refused(t, filter.Save(path), want, "")
		have, err := os.ReadFile(path)
		expect(t, string(have), err, text)
	}
	if err := filter.Save(t.TempDir()); err == nil {
		t.Error("a folder was replaced")
	}
}

func TestAFileKeepsItsModeAndItsLink(t *testing.T) {
	path := state(t, Last(1000))
	link, other := path+".link", filepath.Join(t.TempDir(), "new")
	must(t, os.Chmod(path, 0o640))
	must(t, os.Symlink(filepath.Base(path), link))
	filter, _ := opened(t, link, Last(1000))
	must(t, filter.InsertString("b"))
	must(t, filter.Save(link))
	facts, err := os.Lstat(path)
	expect(t, facts.Mode(), err, 0o640)
	facts, err = os.Lstat(link)
	expect(t, facts.Mode().Type(), err, fs.ModeSymlink)
	again, _ := opened(t, path, Last(1000))
	verdict, err := again.ContainsString("b")
	expect(t, verdict, err, Duplicate)
	if os.Getuid() == 0 {
		must(t, os.Chown(path, 1234, 2345))
		must(t, filter.Save(path))
		facts, err := os.Stat(path)
		must(t, err)
		uid, gid := reflect.ValueOf(facts.Sys()).Elem().FieldByName("Uid"), reflect.ValueOf(facts.Sys()).Elem().FieldByName("Gid")
		expect(t, [2]uint64{uid.Uint(), gid.Uint()}, nil, [2]uint64{1234, 2345})
	}
	must(t, os.Symlink(other, link+"2"))
	must(t, filter.Save(link+"2")) // a link to nothing yet
	_, err = os.Lstat(other)
	must(t, err)
	must(t, os.Symlink("circle", filepath.Join(filepath.Dir(path), "circle")))
	if err := filter.Save(filepath.Join(filepath.Dir(path), "circle")); err == nil {
		t.Error("a circle of links has an end")
	}
}

// aged puts a file that was written so long ago into a folder.
func aged(t *testing.T, folder, name string, since time.Duration) string {
	t.Helper()
	path := filepath.Join(folder, name)
	must(t, os.WriteFile(path, []byte("half a snapshot"), 0o600))
	dated(t, path, time.Now().Add(-since))
	return path
}

func isThere(path string) bool {
	_, err := os.Lstat(path)
	return err == nil
}

func TestDraftsNotWrittenForTenMinutesGoAndTheRestStays(t *testing.T) {
	const old = 610 * time.Second
	filter, folder := newFilter(t, Last(1000)), t.TempDir()
	var gone, stay []string
	for _, random := range []string{"0123456789abcdef", "ffffffffffffffff", "0000000000000000"} {
		gone = append(gone, aged(t, folder, "seen."+random+".new", old))
	}
	for _, name := range []string{
		"seen.new", "seen..new", "0123456789abcdef.new", "seen.0123456789abcde.new", "seen.0123456789abcdef0.new",
		"seen.3123456789ABCDEF.new",
		"seen.0123456789abcdeg.new", "seen.g123456789abcdef.new", "seen.01234567g9abcdef.new", "seen.0123456789abcdef.old",
		"seen.0123456789abcdef", "seen.0123456789abcdef.new.old", "seen-0123456789abcdef.new",
		"other.0123456789abcdef.new", "soon.0123456789abcdef.new", "my.seen.0123456789abcdef.new",
	} {
		stay = append(stay, aged(t, folder, name, old))
	}
	stay = append(stay, aged(t, folder, "seen.1123456789abcdef.new", 590*time.Second))
	stay = append(stay, aged(t, folder, "seen.2123456789abcdef.new", -time.Hour))
	inside := filepath.Join(folder, "seen.4123456789abcdef.new")
	must(t, os.Mkdir(inside, 0o700))
	dated(t, inside, time.Now().Add(-old))
	link := filepath.Join(folder, "seen.5123456789abcdef.new")
	must(t, os.Symlink(aged(t, folder, "target", old), link))
	if runtime.GOOS != "windows" {
		must(t, exec.Command("touch", "-h", "-t", "200101010000", link).Run()) // Go dates only what a link leads to
	}
	must(t, filter.Save(filepath.Join(folder, "seen")))
	for _, path := range gone {
		if isThere(path) {
			t.Error(path, "stays")
		}
	}
	for _, path := range append(stay, inside, link, filepath.Join(folder, "target")) {
		if !isThere(path) {
			t.Error(path, "is gone")
		}
	}
}

func TestWhatASaverDrawsIsTheNameOfADraft(t *testing.T) {
	for range 200 { // one number in 16 begins with a zero
		if draft := draftOf("seen"); !isDraft(draft, "seen") {
			t.Fatal(draft)
		}
	}
}

func TestTheDraftsBehindALinkGo(t *testing.T) {
	filter, folder := newFilter(t, Last(1000)), t.TempDir()
	must(t, os.Mkdir(filepath.Join(folder, "data"), 0o700))
	must(t, os.Symlink("data/seen", filepath.Join(folder, "link")))
	ofFile := aged(t, folder, "data/seen.0123456789abcdef.new", time.Hour)
	ofLink := aged(t, folder, "link.0123456789abcdef.new", time.Hour)
	must(t, filter.Save(filepath.Join(folder, "link")))
	expect(t, [2]bool{isThere(ofFile), isThere(ofLink)}, nil, [2]bool{false, true})
	t.Chdir(folder)
	here := aged(t, ".", "seen.0123456789abcdef.new", time.Hour)
	must(t, filter.Save("seen")) // a path without a folder
	expect(t, isThere(here), nil, false)
}

// A saver stalls with its draft on the disk, and another one comes.
func TestASaverThatStalledFindsItsDraftGoneAndTheFileAsItWas(t *testing.T) {
	folder := t.TempDir()
	path := filepath.Join(folder, "seen")
	other := newFilter(t, Last(1000))
	must(t, other.InsertString("b"))
	stalled := draftOf(path)
	must(t, writeNew(stalled, []byte("late"), nil))
	dated(t, stalled, time.Now().Add(-601*time.Second))
	must(t, other.Save(path))
	err := rename(stalled, path)
	if !errors.Is(err, fs.ErrNotExist) || !strings.Contains(err.Error(), "seen: not saved: its draft is gone: a save removes") {
		t.Errorf("%v", err)
	}
	names, err := os.ReadDir(folder)
	expect(t, len(names), err, 1)
	again, found := opened(t, path, Last(1000))
	verdict, err := again.ContainsString("b")
	expect(t, found.Found, nil, true)
	expect(t, verdict, err, Duplicate)
	// An error of another kind is the system's.
	young := draftOf(path)
	must(t, writeNew(young, []byte("early"), nil))
	if err := rename(young, filepath.Join(path, "below")); err == nil || strings.Contains(err.Error(), "gone") {
		t.Errorf("%v", err)
	}
}

func TestAFileThatIsMountedByItselfIsRefused(t *testing.T) {
	mounts, err := os.ReadFile("/proc/self/mountinfo")
	if err != nil {
		return // no system that lists them
	}
	place := strings.Fields(string(mounts))[4] // the first of them; a folder will do
	filter := newFilter(t, Last(1000))
	link := filepath.Join(t.TempDir(), "link")
	must(t, os.Symlink(place, link))
	_, _, ofOpen := Open(place, Last(1000))
	_, _, ofLink := Open(link, Last(1000))
	for _, err := range []error{ofOpen, ofLink, filter.Save(place), filter.Save(link)} {
		if err == nil || !strings.HasSuffix(err.Error(), ": mount its folder") {
			t.Errorf("%v", err)
		}
	}
	expect(t, unescaped.Replace(`/a\040b\134c\012`), nil, "/a b\\c\n")
}

func TestAKeyedFilterInAFileNeedsItsSecret(t *testing.T) {
	o := Last(1000)
	o.Keyed = true
	_, _, err := Open(filepath.Join(t.TempDir(), "none"), o)
	refused(t, err, ErrOption, "Secret")
	o.Secret = SecretOf(1, 2)
	path := state(t, o)
	opened(t, path, o)
	o.Secret = SecretOf(1, 3)
	_, _, err = Open(path, o)
	refused(t, err, ErrSecret, "")
}
