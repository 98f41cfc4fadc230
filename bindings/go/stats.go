package lately

import "time"

// Stats are the statistics of a filter. Fields that a kind does not have are 0.
type Stats struct {
	// Bytes of the cells now. A copy or a loaded filter has no spare lines, so
	// its bytes may be fewer (WT).
	Bytes uint64
	// BytesPeak is the most bytes of the cells so far. A loaded filter counts
	// its lines alone (WT).
	BytesPeak uint64
	// Slices (TL, AP) that are allocated; 1 (WT).
	Slices uint64
	// NewestSliceBits is the bits of the newest slice (TL, AP) or of all
	// lines (WT).
	NewestSliceBits uint64
	// Items is the keys that the generations within the window have counted
	// (TL, AP), cells in use within it (WT), entries (TS), filled cells (Q).
	Items uint64
	// Stored is the keys that all allocated generations but the k oldest have
	// counted (TL), or what Items is: 8 x Bytes / Stored is the price per key.
	Stored uint64
	// Reach is how far back the promise reaches now: the window, unless Memory
	// shortened it.
	Reach time.Duration
	// ErrorRate is the chance that an absent key is called a duplicate now,
	// from the real fills.
	ErrorRate float64
	// Shifts so far (TL, AP).
	Shifts uint64
	// Forgotten slices (TL) or cells (WT): those that Memory took before their
	// time.
	Forgotten uint64
	// Deferred shifts: those that Memory put off, so that the error rate rises.
	Deferred uint64
	// NewCount is observations answered New since the last reset.
	NewCount uint64
	// DuplicateCount is observations answered Duplicate since the last reset.
	DuplicateCount uint64
	// LateTicks is ticks below the clock by more than Options.Lateness, judged
	// at the clock, since the last reset.
	LateTicks uint64
	// RefusedTicks is ticks refused by MaxStep since the last reset.
	RefusedTicks uint64
	// Clock is the filter's clock.
	Clock Tick
	// RowsFull is rows all of whose cells are filled (Q).
	RowsFull uint64
	// MissRate is the chance that a key seen very long ago is called New now
	// (Q).
	MissRate float64
	// Moved is cells that moved to their other line so far, to make room (WT).
	Moved uint64
	// Stashed is keys that found no room in their lines and are in the stash
	// (WT).
	Stashed uint64
	// MaxLateness is the most that a tick was below the clock since the last
	// reset: the Options.Lateness that takes them all.
	MaxLateness time.Duration
	// LastRefusedTick is the last tick refused by MaxStep since the last reset,
	// 0 if none was.
	LastRefusedTick Tick
	// OpenClaims is the claims that are open now: neither committed nor abandoned,
	// and their lease is not over.
	OpenClaims uint64
	// MaxClaims is Options.MaxClaims; 0 without claims.
	MaxClaims uint64
	// ExpiredClaims is claims whose lease ran out since the last reset.
	ExpiredClaims uint64
	// Pending is claims answered Pending since the last reset.
	Pending uint64
	// Removed is keys that Remove forgot so far. WT.
	Removed uint64
}
