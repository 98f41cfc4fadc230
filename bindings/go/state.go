package lately

import "time"

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
// Error.Field the first option that differs. What the system refuses is an [ErrIO], of
// which errors.Is finds the cause, such as fs.ErrPermission. Whatever the error, the file
// stays as it is. Without the file nothing is written before Save. A file that is mounted
// by itself is an error, since no other file can take its name: mount its folder.
//
// A keyed filter needs Options.Secret: one that is drawn is in no file.
func Open(path string, o Options) (*Filter, Opened, error) {
	if err := o.ready(); err != nil {
		return nil, Opened{}, err
	}
	filter, opened, err := open(path, &o)
	made, err := owner(filter, true, err)
	return made, opened, err
}

// Save writes the filter to a file, whole or not at all, where [Open] finds it: what
// was there is replaced by one step, once the new file is on the disk. The mode of the
// file stays, its owner as far as this user may give it, and a link still leads to it. A
// file that has no filter in it is not replaced, nor one that is mounted by itself.
//
// A program that is killed meanwhile leaves a draft next to the file, FILE.RANDOM.new.
// Each save first removes the drafts of its file that were not written for ten
// minutes; one that itself stalls for so long may find its draft removed, which is an
// error, and the file stays as it is.
//
// Other goroutines may use the filter meanwhile, as with [Filter.Snapshot].
func (f *Filter) Save(path string) error {
	return f.owned().save(path)
}
