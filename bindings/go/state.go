package lately

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"syscall"
	"time"
)

// A filter in a file, from run to run:
//
//	Open  no file, or an empty one: a new filter; else that of the file, if the
//	      options make such a one
//	Save  snapshot -> a draft, on the disk -> renamed to the path;
//	      the draft is FILE.RANDOM.new, where RANDOM is 16 hex digits
//
// A snapshot does not say when it was written: the file does. The draft of a killed
// program goes with a later save.

// Opened is what [Open] found.
type Opened struct {
	// Found: there was a file, and its filter continues.
	Found bool
	// Elapsed is the time that passed since the file was written, by which every
	// age grew; 0 with [ManualClock], where the next tick shows what passed.
	Elapsed time.Duration
	// Ahead is by how much the file is from the future, 0 if it is not: the clock of
	// the machine was set back, or the file is from another one. Elapsed is 0 then,
	// and keys are kept for that much too long.
	Ahead time.Duration
}

// Open returns the filter that [Filter.Save] wrote to a file, for any number of
// goroutines at once, or a new one if there is no file or an empty one. The filter
// must be as the options make it: else the error is an [ErrOptionsDiffer], and
// Error.Field the first option that differs. Whatever the error, the file stays as it
// is. Without the file nothing is written before Save. A file that is mounted by itself
// is an error, since no other file can take its name: mount its folder.
//
// A keyed filter needs Options.Secret: one that is drawn is in no file.
func Open(path string, o Options) (*Filter, Opened, error) {
	if o.Keyed && o.Secret.IsZero() {
		const text = "Secret: required to open a file: one that is drawn is not in it"
		return nil, Opened{}, &Error{Code: ErrOption, Field: "Secret", Message: text}
	}
	if err := expectNotMounted("open", path); err != nil {
		return nil, Opened{}, err
	}
	file, written, err := stateOf(path)
	if err != nil {
		return nil, Opened{}, err
	}
	if file == nil {
		// A folder that is missing is found now, and not when all work is done.
		if _, err := os.Stat(filepath.Dir(path)); err != nil {
			return nil, Opened{}, err
		}
		filter, err := NewFilter(o)
		return filter, Opened{}, err
	}
	defer file.Close()
	opened := passed(written, time.Now(), o.Clock)
	filter, err := reopen(file, opened.Elapsed, &o)
	if err != nil {
		return nil, Opened{}, fmt.Errorf("%s: %w", path, err)
	}
	return filter, opened, nil
}

// passed tells what a file says of the time.
func passed(written, now time.Time, clock Clock) Opened {
	since := now.Sub(written)
	opened := Opened{Found: true, Elapsed: max(since, 0), Ahead: max(-since, 0)}
	if clock == ManualClock {
		opened.Elapsed = 0
	}
	return opened
}

// stateOf returns the file and when it was written; nil if there is none, or an empty
// one, which is but a name.
func stateOf(path string) (*os.File, time.Time, error) {
	file, err := os.Open(path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, time.Time{}, nil
	}
	if err != nil {
		return nil, time.Time{}, err
	}
	facts, err := file.Stat()
	if err != nil || facts.Mode().IsRegular() && facts.Size() == 0 {
		file.Close()
		return nil, time.Time{}, err
	}
	return file, facts.ModTime(), nil
}

// reopen reads the filter of a file, which must have nothing else and be what the
// options make.
func reopen(file io.Reader, elapsed time.Duration, o *Options) (*Filter, error) {
	in := bufio.NewReader(file)
	filter, err := ReadFilter(in, elapsed, LoadOptions{Secret: o.Secret})
	if err != nil {
		return nil, err
	}
	if _, more := in.ReadByte(); more == nil {
		const text = "bytes follow the filter, as in a state of the command lately: read it by ReadFilter"
		err = &Error{Code: ErrCorrupt, Message: text}
	} else if more != io.EOF {
		err = more
	} else {
		err = filter.Expect(*o)
	}
	if err != nil {
		filter.Close()
		return nil, err
	}
	return filter, nil
}

// Save writes the filter to a file, whole or not at all, where [Open] finds it: what
// was there is replaced by one step, once the new file is on the disk. Mode and owner
// of the file stay, and a link still leads to it. A file that holds no filter is
// not replaced, nor one that is mounted by itself.
//
// A program that is killed meanwhile leaves a draft next to the file, FILE.RANDOM.new.
// Each save first removes the drafts of its file that were not written for ten
// minutes; one that itself stalls for so long may find its draft removed, which is an
// error, and the file stays as it is.
//
// Other goroutines may use the filter meanwhile, as with [Filter.Snapshot].
func (f *Filter) Save(path string) error {
	path, err := followed(path)
	if err != nil {
		return err
	}
	if err := expectNotMounted("save", path); err != nil {
		return err
	}
	old, err := replaceable(path)
	if err != nil {
		return err
	}
	snapshot, err := f.Snapshot()
	if err != nil {
		return err
	}
	removeOldDrafts(path)
	draft := draftOf(path)
	err = writeNew(draft, snapshot, old)
	if err == nil {
		err = rename(draft, path)
	}
	if err != nil {
		os.Remove(draft)
		return err
	}
	return syncFolder(filepath.Dir(path))
}

// draftOf is a name that no other saver draws, next to that of the file.
func draftOf(path string) string {
	return fmt.Sprintf("%s.%016x.new", path, rand.Uint64())
}

// isDraft tells whether a name is that of a draft of the file, from any language.
func isDraft(name, file string) bool {
	const digits = 16
	rest, isOfFile := strings.CutPrefix(name, file+".")
	random, isNew := strings.CutSuffix(rest, ".new")
	return isOfFile && isNew && len(random) == digits && strings.Trim(random, "0123456789abcdef") == ""
}

// removeOldDrafts removes the drafts of the file that were not written for ten
// minutes: their savers were killed. The save needs none of this: what cannot be
// listed or removed stays.
func removeOldDrafts(path string) {
	const givenUp = 10 * time.Minute
	folder, file := filepath.Split(path)
	names, _ := os.ReadDir(folder + ".")
	for _, name := range names {
		if !isDraft(name.Name(), file) {
			continue
		}
		draft := folder + name.Name()
		if facts, err := os.Lstat(draft); err == nil && facts.Mode().IsRegular() && time.Since(facts.ModTime()) > givenUp {
			os.Remove(draft)
		}
	}
}

// rename gives the draft the name of the file.
func rename(draft, path string) error {
	err := os.Rename(draft, path)
	if _, gone := os.Lstat(draft); err != nil && errors.Is(gone, fs.ErrNotExist) {
		const text = "%s: not saved: its draft is gone: a save removes drafts that were not written for ten minutes: %w"
		return fmt.Errorf(text, path, fs.ErrNotExist)
	}
	return err
}

// followed is where a link leads, also where nothing is there yet.
func followed(path string) (string, error) {
	const mostLinks = 40
	for range mostLinks {
		target, err := os.Readlink(path)
		if err != nil {
			return path, nil
		}
		if !filepath.IsAbs(target) {
			target = filepath.Join(filepath.Dir(path), target)
		}
		path = target
	}
	return "", &fs.PathError{Op: "save", Path: path, Err: errors.New("too many links")}
}

// expectNotMounted returns an error if the file is a place where something is mounted,
// as a container has a single file of its host: no other file can take its name.
func expectNotMounted(op, path string) error {
	mounts, err := os.ReadFile("/proc/self/mountinfo")
	if err != nil {
		return nil // no system that lists them
	}
	place, err := filepath.EvalSymlinks(path)
	if err == nil {
		place, err = filepath.Abs(place)
	}
	if err != nil {
		return nil // no file
	}
	for line := range strings.Lines(string(mounts)) {
		if fields := strings.Fields(line); len(fields) > 4 && unescaped.Replace(fields[4]) == place {
			const text = "the file is mounted by itself, and a saved filter replaces it: mount its folder"
			return &fs.PathError{Op: op, Path: path, Err: errors.New(text)}
		}
	}
	return nil
}

// unescaped makes names of the list of mounts plain, whose blanks and backslashes are
// octal numbers.
var unescaped = strings.NewReplacer(`\040`, " ", `\011`, "\t", `\012`, "\n", `\134`, `\`)

// replaceable returns the facts of the file at the path, nil if there is none. It
// must be empty, or begin as a snapshot does.
func replaceable(path string) (fs.FileInfo, error) {
	facts, err := os.Stat(path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	if !facts.Mode().IsRegular() {
		return nil, &fs.PathError{Op: "save", Path: path, Err: errors.New("not a file")}
	}
	file, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	if _, err := ReadFilter(io.LimitReader(file, startEnd), 0, LoadOptions{}); err != io.EOF && !errors.Is(err, ErrCorrupt) {
		return nil, fmt.Errorf("%s: not replaced: %w", path, err)
	}
	return facts, nil
}

// writeNew writes a file that is not there yet, with the mode and the owner of an old
// one, and waits until it is on the disk.
func writeNew(path string, bytes []byte, old fs.FileInfo) error {
	file, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o666)
	if err != nil {
		return err
	}
	if old != nil {
		err = errors.Join(keepOwner(file, old), file.Chmod(old.Mode().Perm()))
	}
	if err == nil {
		_, err = file.Write(bytes)
	}
	if err == nil {
		err = file.Sync()
	}
	return errors.Join(err, file.Close())
}

// syncFolder puts the new name on the disk too. Where a folder cannot be synced the
// file is whole under its name all the same.
func syncFolder(path string) error {
	if runtime.GOOS == "windows" {
		return nil
	}
	folder, err := os.Open(path)
	if err == nil {
		err = folder.Sync()
		folder.Close()
	}
	if errors.Is(err, fs.ErrPermission) || errors.Is(err, syscall.EINVAL) {
		return nil
	}
	return err
}
