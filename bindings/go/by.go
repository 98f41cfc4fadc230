package lately

import "time"

// By is the same filter by a clock of the program's own, which each call without a time
// reads in place of the system's: in a test, so that a window passes in no time.
//
//	options := lately.Window(10 * time.Minute)
//	options.Clock = lately.ManualClock
//	filter, err := lately.NewFilter(options)
//	...
//	seen := filter.By(clock.Now) // clock is a fake, or time.Now inside testing/synctest
//
// It is not one more owner: either's Close closes both. The filter needs [ManualClock]
// (else each call is an [ErrClock]), and dates that have a tick (else [ErrTick]). A clock
// that goes back counts as standing still. By(nil) is the filter without such a clock.
func (f *Filter) By(now func() time.Time) *Filter {
	return &Filter{f.held(), now}
}

// moved is the handle with its clock at what the program's shows. Where that cannot be, every
// call on what is returned is the error.
func (f *Filter) moved() *handle {
	if f == nil {
		return nil
	}
	tick, err := TickOf(f.now())
	if err == nil {
		err = f.handle.advance(tick)
	}
	if err != nil {
		return &handle{refusal: err}
	}
	return f.handle
}
