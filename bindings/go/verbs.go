package lately

// The calls on one key: on a filter now, and at the time of a record.

import "time"

// Observe tests and inserts in one step: have I seen this lately? With an error
// the verdict has no meaning, and the key was not stored.
//
// A removable set past its capacity accepts more keys, and its error rate rises
// until nearly every key is a Duplicate and nothing is stored any more: watch
// Stats.ErrorRate.
func (f *Filter) Observe(key []byte) (Verdict, error) {
	return f.owned().observe(key, Now)
}

// First reports whether the key is new: Observe as a condition. With an error it
// is false.
func (f *Filter) First(key []byte) (bool, error) {
	verdict, err := f.Observe(key)
	return verdict == New, err
}

// FirstString is First for a string.
func (f *Filter) FirstString(key string) (bool, error) {
	verdict, err := f.ObserveString(key)
	return verdict == New, err
}

// ObserveString is Observe for the bytes of a string.
func (f *Filter) ObserveString(key string) (Verdict, error) {
	return f.owned().observe(view(key), Now)
}

// Insert stores a key without asking about it. In the windowed kinds also under
// [KeepFirst], so that its age is renewed. A filter with Options.Removable
// stores one more entry each time, so that two insertions need two removals,
// and returns [ErrFull] when the key's block has no room left. The usual cause is
// one key inserted again and again, not overload: see [Filter.Observe].
// Any other filter without a window does what Observe would.
func (f *Filter) Insert(key []byte) error {
	return f.owned().insert(key, Now)
}

// InsertString is Insert for the bytes of a string.
func (f *Filter) InsertString(key string) error {
	return f.owned().insert(view(key), Now)
}

// Contains gives the verdict that Observe would give and changes nothing at
// all: Duplicate if the key is present.
func (f *Filter) Contains(key []byte) (Verdict, error) {
	return f.owned().contains(key, Now)
}

// ContainsString is Contains for the bytes of a string.
func (f *Filter) ContainsString(key string) (Verdict, error) {
	return f.owned().contains(view(key), Now)
}

// Remove forgets a key and reports whether it was there (in a window: within it). It is
// no observation, and an open claim of the key stays open. What [Window] and [Last]
// ask for frees every cell that agrees with the key, so that another key goes with
// it with a chance of at most the error rate. Of a set with Options.Removable
// remove only what Insert took or Observe called [New]: another removal may take the entry of
// another key. Other filters return [ErrUnsupported].
func (f *Filter) Remove(key []byte) (bool, error) {
	return f.owned().remove(key, Now)
}

// RemoveString is Remove for the bytes of a string.
func (f *Filter) RemoveString(key string) (bool, error) {
	return f.owned().remove(view(key), Now)
}

// Moment is a filter with [ManualClock] at the time of a record: [Filter.At] and
// [Filter.AtTick] make it.
//
//	verdict, err := seen.At(record.When).Observe(record.Key)
//
// Its calls are those of [Filter] at that time. A time below the filter's clock counts
// as the clock, unless Options.Lateness covers it.
type Moment struct {
	filter *Filter
	now    Tick
	err    error // of a date that has no tick
}

// At is the filter at a date. The calls on one that has no tick ([TickOf]) are
// [ErrTick].
func (f *Filter) At(date time.Time) Moment {
	now, err := TickOf(date)
	return Moment{f, now, err}
}

// AtTick is the filter at a tick, which counts from any origin; at [Now] it is the
// filter itself.
func (f *Filter) AtTick(now Tick) Moment {
	return Moment{f, now, nil}
}

// owned is the handle for a call; that of a date without a tick has none, so that every call on
// it is the error.
func (m Moment) owned() *handle {
	if m.err != nil {
		return &handle{refusal: m.err}
	}
	return m.filter.owned()
}

// Observe is [Filter.Observe] at this time.
func (m Moment) Observe(key []byte) (Verdict, error) {
	return m.owned().observe(key, m.now)
}

// ObserveString is [Filter.ObserveString] at this time.
func (m Moment) ObserveString(key string) (Verdict, error) {
	return m.Observe(view(key))
}

// First is [Filter.First] at this time.
func (m Moment) First(key []byte) (bool, error) {
	verdict, err := m.Observe(key)
	return verdict == New, err
}

// FirstString is [Filter.FirstString] at this time.
func (m Moment) FirstString(key string) (bool, error) {
	return m.First(view(key))
}

// Insert is [Filter.Insert] at this time.
func (m Moment) Insert(key []byte) error {
	return m.owned().insert(key, m.now)
}

// InsertString is [Filter.InsertString] at this time.
func (m Moment) InsertString(key string) error {
	return m.Insert(view(key))
}

// Contains is [Filter.Contains] at this time.
func (m Moment) Contains(key []byte) (Verdict, error) {
	return m.owned().contains(key, m.now)
}

// ContainsString is [Filter.ContainsString] at this time.
func (m Moment) ContainsString(key string) (Verdict, error) {
	return m.Contains(view(key))
}

// Remove is [Filter.Remove] at this time: it reports whether the key is within the window
// then. It is no observation, and does not move the clock.
func (m Moment) Remove(key []byte) (bool, error) {
	return m.owned().remove(key, m.now)
}

// RemoveString is [Filter.RemoveString] at this time.
func (m Moment) RemoveString(key string) (bool, error) {
	return m.Remove(view(key))
}

// ObserveAge is [Filter.ObserveAge] at this time.
func (m Moment) ObserveAge(key []byte) (Verdict, Age, error) {
	return m.owned().observeAge(key, m.now)
}

// ObserveAgeString is [Filter.ObserveAgeString] at this time.
func (m Moment) ObserveAgeString(key string) (Verdict, Age, error) {
	return m.ObserveAge(view(key))
}

// ContainsAge is [Filter.ContainsAge] at this time.
func (m Moment) ContainsAge(key []byte) (Verdict, Age, error) {
	return m.owned().containsAge(key, m.now)
}

// ContainsAgeString is [Filter.ContainsAgeString] at this time.
func (m Moment) ContainsAgeString(key string) (Verdict, Age, error) {
	return m.ContainsAge(view(key))
}

// Claim is [Filter.Claim] at this time.
func (m Moment) Claim(key []byte) (*Claim, error) {
	return m.filter.claimed(m.owned(), key, m.now)
}

// ClaimString is [Filter.ClaimString] at this time.
func (m Moment) ClaimString(key string) (*Claim, error) {
	return m.Claim(view(key))
}

// Commit is [Filter.Commit] at this time.
func (m Moment) Commit(key []byte, token Token) (Committed, error) {
	return m.owned().commit(key, token, m.now)
}

// Advance moves the clock to this time, however far: Options.MaxStep does not bind it,
// so it is the way over a true gap.
func (m Moment) Advance() error {
	return m.owned().advance(m.now)
}
