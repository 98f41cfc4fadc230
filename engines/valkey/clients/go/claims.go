// Claims on the shards of shards.go, made with LEASE: an item is stored when its work is done, and new again if it failed.
//
//	order, err := ClaimItem(ctx, server, "seen", 4, 0, "order-17")
//	if err != nil {
//		return err
//	}
//	defer order.Abandon(ctx) // nothing, once it was committed
package main

import (
	"context"
	"fmt"
	"strings"

	"github.com/redis/go-redis/v9"
)

// Claim is an item that was claimed: Answer is 1 if it is yours, 0 if it was seen, 2 if another works on it.
type Claim struct {
	Answer           int64
	server           redis.UniversalClient
	key, item, token string
	open             bool
}

// Commit stores the item: IN-TIME, LATE after the lease, or ALREADY where another stored it. One that failed changes nothing.
func (c *Claim) Commit(ctx context.Context) (string, error) {
	found, err := c.server.Do(ctx, "LATELY.COMMIT", c.key, c.item, c.token).Text()
	c.open = c.open && err != nil
	return found, err
}

// Abandon makes the next claim of the item 1. It does nothing to one that is not open.
func (c *Claim) Abandon(ctx context.Context) error {
	if !c.open {
		return nil
	}
	c.open = false
	return c.server.Do(ctx, "LATELY.ABANDON", c.key, c.item, c.token).Err()
}

// ClaimItem claims an item. While a filter grows from old shards, those are asked first: they know what is stored or claimed
// there; old 0: none. If it has grown since, the new shards are asked.
func ClaimItem(ctx context.Context, server redis.UniversalClient, name string, shards, old int, item string) (*Claim, error) {
	claim, grown, err := claimAt(ctx, server, name, old, item)
	if claim == nil && err == nil {
		claim, grown, err = claimAt(ctx, server, name, shards, item)
	}
	if claim != nil || err != nil {
		return claim, err
	}
	if err = Mark(ctx, server, name, shards, grown); err != nil {
		return nil, err
	}
	return ClaimItem(ctx, server, name, grown, shards, item)
}

// claimAt asks one of this number of shards: no claim, and how many shards there are, where it has grown.
func claimAt(ctx context.Context, server redis.UniversalClient, name string, shards int, item string) (*Claim, int, error) {
	if shards == 0 {
		return nil, 0, nil
	}
	key, grown := Key(name, shards, ShardOf(item, shards)), 0
	reply, err := server.Do(ctx, "LATELY.CLAIM", key, item, "OF", shards).Slice()
	if err != nil && strings.HasPrefix(err.Error(), "GROWN ") {
		_, err = fmt.Sscanf(err.Error(), "GROWN %d", &grown)
		return nil, grown, err
	}
	if err != nil {
		return nil, 0, err
	}
	answer := reply[0].(int64)
	return &Claim{answer, server, key, item, reply[1].(string), answer == 1}, 0, nil
}
