package lately

import (
	"errors"
	"strconv"
)

// Code is the cause of an [Error], by the number that it has in every
// language. A Code is itself an error, so that errors.Is(err, lately.ErrTick)
// is true. A number that this package does not know is possible.
type Code int32

// The causes. The negative one is of this package, all others are the library's.
const (
	// ErrLibrary: the library that the program runs with is not one that it was
	// built for.
	ErrLibrary Code = -1
	// ErrNull: a required pointer is NULL.
	ErrNull Code = 1
	// ErrStructSize: the library is older than an option that was given.
	ErrStructSize Code = 2
	// ErrOption: an option is missing, out of range, contradicts another, or
	// is not one of the kind; Error.Field names it.
	ErrOption Code = 3
	// ErrOffsets: offsets that decrease or leave the bytes, or slices of a
	// batch that differ in length.
	ErrOffsets Code = 4
	// ErrUnsupported: the kind has no such verb, or hashes and a keyed filter
	// were mixed.
	ErrUnsupported Code = 5
	// ErrClock: ticks were given to a filter that reads the system's clock, or
	// that has no time.
	ErrClock Code = 6
	// ErrTick: a tick leads the filter's clock by more than Options.MaxStep,
	// or a date has no tick.
	ErrTick Code = 7
	// ErrClaim: the token was never given out for this key.
	ErrClaim Code = 8
	// ErrFull: Options.MaxClaims claims are open. Or a removable set has no room
	// left in the block of the key. That is not a sign of overload: far past its
	// capacity nearly every key is a Duplicate and nothing is stored, so watch
	// Stats.ErrorRate.
	ErrFull Code = 100
	// ErrPoisoned: an earlier call on this filter returned ErrPanic.
	ErrPoisoned Code = 101
	// ErrClosed: the filter was closed.
	ErrClosed Code = 102
	// ErrShortBuffer: the buffer is too short.
	ErrShortBuffer Code = 200
	// ErrMagic: the bytes are not a snapshot.
	ErrMagic Code = 201
	// ErrVersion: the snapshot has a version that the library does not read.
	ErrVersion Code = 202
	// ErrChecksum: the checksum of the snapshot does not match its bytes.
	ErrChecksum Code = 203
	// ErrCorrupt: the snapshot has contents that no filter writes.
	ErrCorrupt Code = 204
	// ErrTooLarge: the snapshot needs more memory than allowed.
	ErrTooLarge Code = 205
	// ErrSecret: the secret of a keyed filter is missing or wrong.
	ErrSecret Code = 206
	// ErrElapsed: the time since the snapshot is missing or impossible.
	ErrElapsed Code = 207
	// ErrOptionsDiffer: the filter was made with other options than those given;
	// Error.Field names the first that differs.
	ErrOptionsDiffer Code = 208
	// ErrIO: reading or writing failed.
	ErrIO Code = 300
	// ErrPanic: a bug in the library was stopped at its border.
	ErrPanic Code = 900
	// ErrNoMemory: the system has no memory, or no randomness, to give.
	ErrNoMemory Code = 901
)

// texts has what this package says in place of the library.
var texts = map[Code]string{
	ErrLibrary: "the library is not the one that the program was built for",
	ErrClock:   "a filter with ManualClock needs a tick or Advance first; any other has no use for ticks",
}

// Error returns the meaning of the code.
func (c Code) Error() string {
	return "lately: " + c.text()
}

// Name returns the library's name of the code, such as "TICK".
func (c Code) Name() string {
	return statusName(c)
}

func (c Code) text() string {
	if text, known := texts[c]; known {
		return text
	}
	if c.Name() == "UNKNOWN" {
		return "unknown status " + strconv.Itoa(int(c))
	}
	return statusText(c)
}

// Error is why a request was refused. A refused request changes nothing except
// the counter of refused ticks.
type Error struct {
	// Code is the cause.
	Code Code
	// Field is the field of Options at fault, such as "Window"; empty if none is.
	Field string
	// Message names what is wrong and what is allowed.
	Message string

	system error // why the system refused, of an ErrIO
}

// Error returns the message.
func (e *Error) Error() string {
	if e.Message == "" {
		return e.Code.Error()
	}
	return "lately: " + e.Message
}

// Unwrap returns the code, for [errors.Is].
func (e *Error) Unwrap() error {
	return e.Code
}

// Is finds the system's reason of an [ErrIO], such as fs.ErrPermission.
func (e *Error) Is(target error) bool {
	return e.system != nil && errors.Is(e.system, target)
}

// failure returns the error of a status, nil for OK.
func failure(status cStatus) error {
	if status == 0 {
		return nil
	}
	return &Error{Code: Code(status), Message: Code(status).text()}
}
