package lately

import (
	"math"
	"time"
)

// Age is how long ago a key was last seen: between the two, one generation
// apart. In nanoseconds where the window is a span of time ([Age.Durations]),
// else in observations and insertions, of which the last was 1 ago. Of a [New]
// key it is zero, and of a false duplicate it means nothing.
//
// A generation is the window / (2^[Options.AgeBits] - 1); of a window of keys it
// is an eighth more. Of one key in some thousands, whose cell had to move, the
// true age may be above AtMost by less than a generation for each move.
type Age struct {
	// AtLeast: the key was not seen since then.
	AtLeast uint64
	// AtMost: the key was seen since then.
	AtMost uint64
}

// Durations returns both ends as spans of time. Only where the window is one.
func (a Age) Durations() (atLeast, atMost time.Duration) {
	return span(a.AtLeast), span(a.AtMost)
}

// span is the duration of that many nanoseconds, or the longest that there is.
func span(ns uint64) time.Duration {
	return time.Duration(min(ns, math.MaxInt64))
}

// ObserveAge is [Filter.Observe] that also reports how long ago a duplicate was
// seen last. A kind without [Options.AgeBits] has no ages: [ErrUnsupported]. It
// costs about twice as much as Observe.
func (f *Filter) ObserveAge(key []byte) (Verdict, Age, error) {
	return f.owned().observeAge(key, Now)
}

// ObserveAgeString is ObserveAge for the bytes of a string.
func (f *Filter) ObserveAgeString(key string) (Verdict, Age, error) {
	return f.owned().observeAge(view(key), Now)
}

// ContainsAge gives the verdict and the age that [Filter.ObserveAge] would give
// and changes nothing at all.
func (f *Filter) ContainsAge(key []byte) (Verdict, Age, error) {
	return f.owned().containsAge(key, Now)
}

// ContainsAgeString is ContainsAge for the bytes of a string.
func (f *Filter) ContainsAgeString(key string) (Verdict, Age, error) {
	return f.owned().containsAge(view(key), Now)
}
