package lately

import (
	"fmt"
	"math"
	"time"
)

// Tick is a moment of a manual clock: nanoseconds from an origin that the
// caller chooses and keeps. For dates the origin is 1970-01-01 UTC.
type Tick uint64

// Now is no moment, but the clock as it is: that of the system, or a manual one
// where it is. The forms without a tick have it.
const Now Tick = math.MaxUint64

const (
	nanos      = uint64(time.Second)
	lastSecond = (math.MaxUint64 - 1) / nanos
	lastNano   = (math.MaxUint64 - 1) % nanos // the tick after it is Now
)

// TickOf returns the tick of a date: nanoseconds since 1970-01-01 UTC. A date
// before that, or after 2554-07-21, is an [ErrTick].
func TickOf(date time.Time) (Tick, error) {
	if second := date.Unix(); second >= 0 && uint64(second) <= lastSecond {
		if nano := uint64(date.Nanosecond()); uint64(second) < lastSecond || nano <= lastNano {
			return Tick(uint64(second)*nanos + nano), nil
		}
	}
	return 0, dateError(date)
}

func dateError(date time.Time) error {
	const text = "the date %s has no tick: it must be 1970-01-01 to 2554-07-21 UTC"
	return &Error{Code: ErrTick, Message: fmt.Sprintf(text, date.UTC().Format(time.RFC3339Nano))}
}

// Time returns the date of a tick that counts from 1970-01-01 UTC.
func (t Tick) Time() time.Time {
	return time.Unix(int64(uint64(t)/nanos), int64(uint64(t)%nanos)).UTC()
}
