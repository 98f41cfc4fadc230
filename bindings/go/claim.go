package lately

import "time"

// Token names an open claim: what [Filter.Commit] and [Filter.Abandon] ask for. It
// is good for every filter that has the claim, so also for one of a snapshot.
type Token uint64

// Claim is a key that was claimed, in two steps, so that the record whose work
// failed is not lost:
//
//	claim, err := seen.ClaimString("order-17")
//	if err != nil {
//		return err
//	}
//	defer claim.Abandon() // nothing, once it was committed
//	if claim.Verdict() != lately.New {
//		return nil
//	}
//	if err := work(); err != nil {
//		return err
//	}
//	_, err = claim.Commit()
//	return err
//
// It has a copy of the key. One goroutine at a time.
type Claim struct {
	filter  *Filter
	key     []byte
	token   Token
	verdict Verdict
	open    bool
}

// Verdict tells who does the work: [New], the caller; [Duplicate], it is done;
// [Pending], another caller is doing it.
func (c *Claim) Verdict() Verdict { return c.verdict }

// Token is that of the claim: 0 unless it is [New].
func (c *Claim) Token() Token { return c.token }

// Commit stores the key: the work is done. A claim that is not open any more, or
// never was, is an [ErrClaim].
func (c *Claim) Commit() (Committed, error) {
	return c.CommitTick(Now)
}

// CommitTick is Commit at a tick. A commit that failed leaves the claim as it was.
func (c *Claim) CommitTick(now Tick) (Committed, error) {
	if c == nil || !c.open {
		return CommitAlready, &Error{Code: ErrClaim, Message: "the claim was ended, or was not New"}
	}
	found, err := c.filter.owned().commit(c.key, c.token, now)
	c.open = err != nil
	return found, err
}

// CommitAt is Commit at a date.
func (c *Claim) CommitAt(now time.Time) (Committed, error) {
	tick, err := TickOf(now)
	if err != nil {
		return CommitAlready, err
	}
	return c.CommitTick(tick)
}

// Abandon closes the claim without a trace, so that the next one is [New]. It does
// nothing to a claim that was committed, abandoned or not New, and to a nil Claim.
func (c *Claim) Abandon() error {
	if c == nil || !c.open {
		return nil
	}
	err := c.filter.Abandon(c.key, c.token)
	c.open = err != nil
	return err
}

func (f *Filter) claimed(h *handle, key []byte, now Tick) (*Claim, error) {
	verdict, token, err := h.claim(key, now)
	if err != nil {
		return nil, err
	}
	made := &Claim{filter: f, token: token, verdict: verdict, open: verdict == New}
	if made.open {
		made.key = append(made.key, key...)
	}
	return made, nil
}

// Claim tests a key, and claims it if it was not seen: [New] is for one caller, who
// does the record's work and commits. Until then every other claim of the key is
// [Pending], and Observe calls it a [Duplicate] and stores nothing. After
// Options.Lease the claim is over. Without Options.Lease it is an [ErrUnsupported];
// [ErrFull] if Options.MaxClaims claims are open, and then nothing was claimed.
func (f *Filter) Claim(key []byte) (*Claim, error) {
	return f.claimed(f.owned(), key, Now)
}

// ClaimString is Claim for the bytes of a string.
func (f *Filter) ClaimString(key string) (*Claim, error) {
	return f.Claim(view(key))
}

// Commit stores the key of a claim whose work is done, and closes the claim, by the
// token alone: the claim may be of another process. After the lease the key is stored
// too, unless the filter contains it. [ErrClaim] if the token was never given out for
// this key.
func (f *Filter) Commit(key []byte, token Token) (Committed, error) {
	return f.owned().commit(key, token, Now)
}

// Abandon closes the claim of work that failed, by the token alone; nothing changes
// if it is not open any more. [ErrClaim] if the token was never given out for this
// key.
func (f *Filter) Abandon(key []byte, token Token) error {
	return f.owned().abandon(key, token)
}
