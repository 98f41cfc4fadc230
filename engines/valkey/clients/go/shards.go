// One filter over the shards NAME:S:0 .. NAME:S:S-1 of a Valkey or Redis, or of a cluster of them. Needs go-redis.
package main

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/redis/go-redis/v9"
)

// ShardOf returns the shard of an item: the same in every language.
func ShardOf(item string, shards int) int {
	h := uint64(0xCBF29CE484222325)
	for i := range len(item) {
		h = (h ^ uint64(item[i])) * 0x100000001B3
	}
	h = (h ^ h>>32) * 0x9E3779B97F4A7C15
	return int((h ^ h>>32) % uint64(shards))
}

// Key is the name of a shard.
func Key(name string, shards, shard int) string { return fmt.Sprintf("%s:%d:%d", name, shards, shard) }

// Ask sends one command for each shard, in one pipeline; the answers come in the order of the items, -1 where the shard has
// grown, and how many shards there are then. If an item or a shard refuses, that is an error; the others are added all the
// same.
func Ask(ctx context.Context, server redis.UniversalClient, verb, name string, shards int, items []string) (answers []int64, grown int, err error) {
	words, places, replies := map[int][]any{}, map[int][]int{}, map[int]*redis.Cmd{}
	for i, item := range items {
		shard := ShardOf(item, shards)
		words[shard], places[shard] = append(words[shard], item), append(places[shard], i)
	}
	pipe := server.Pipeline()
	for shard, all := range words {
		replies[shard] = pipe.Do(ctx, append([]any{verb, Key(name, shards, shard), "OF", shards, "ITEMS"}, all...)...)
	}
	_, _ = pipe.Exec(ctx) // Its error is that of a reply.
	answers = make([]int64, len(items))
	for shard, reply := range replies {
		all, wrong := reply.BoolSlice() // In RESP2 they are 1 and 0.
		if wrong != nil && strings.HasPrefix(wrong.Error(), "GROWN ") {
			_, wrong = fmt.Sscanf(wrong.Error(), "GROWN %d", &grown)
			for _, place := range places[shard] {
				answers[place] = -1
			}
		}
		err = errors.Join(err, wrong)
		for j, yes := range all {
			if yes {
				answers[places[shard][j]] = 1
			}
		}
	}
	return answers, grown, err
}

// Add answers 1 for each item that is new. While a filter grows from old shards, what those know is not new; old 0: none.
// If it has grown since, the rest goes to the new shards.
func Add(ctx context.Context, server redis.UniversalClient, name string, shards, old int, items []string) (answers []int64, err error) {
	seen, grown := make([]int64, len(items)), 0
	if old > 0 {
		seen, _, err = Ask(ctx, server, "LATELY.MEXISTS", name, old, items)
	}
	if err == nil {
		answers, grown, err = Ask(ctx, server, "LATELY.MADD", name, shards, items)
	}
	if err == nil && grown > 0 {
		err = follow(ctx, server, name, shards, grown, items, answers)
	}
	for i := range answers {
		answers[i] *= 1 - seen[i]
	}
	return answers, err
}

// follow adds the items that have no answer yet to the new shards.
func follow(ctx context.Context, server redis.UniversalClient, name string, old, shards int, items []string, answers []int64) error {
	var rest []string
	for i, answer := range answers {
		if answer < 0 {
			rest = append(rest, items[i])
		}
	}
	err := Mark(ctx, server, name, old, shards)
	if err != nil {
		return err
	}
	more, err := Add(ctx, server, name, shards, old, rest)
	for i := range answers {
		if answers[i] < 0 && len(more) > 0 {
			answers[i], more = more[0], more[1:]
		}
	}
	return err
}

// Reserve makes the shards, each with the words of a request such as WINDOW 600000.
func Reserve(ctx context.Context, server redis.UniversalClient, name string, shards int, request string) (err error) {
	for i := 0; i < shards && err == nil; i++ {
		words := []any{"LATELY.RESERVE", Key(name, shards, i)}
		for _, word := range strings.Fields(request) {
			words = append(words, word)
		}
		err = server.Do(ctx, append(words, "SHARD", i, "OF", shards, "NX")...).Err()
	}
	return err
}

// Mark marks the old shards, which then take no more items: what they do not know by now can be new in the new ones alone.
func Mark(ctx context.Context, server redis.UniversalClient, name string, old, shards int) (err error) {
	for i := 0; i < old && err == nil; i++ {
		err = server.Do(ctx, "LATELY.GROW", Key(name, old, i), shards).Err()
	}
	return err
}

// Grow makes the new shards as the old ones were made, each with its part of what is counted or measured, and marks the old
// ones; then Add with old for one window, then the old ones can go.
func Grow(ctx context.Context, server redis.UniversalClient, name string, old, shards int) error {
	request, err := server.Do(ctx, "LATELY.INFO", Key(name, old, 0), "request").Text()
	if err != nil {
		return err
	}
	words := strings.Fields(strings.Split(request, " SHARD ")[0])
	for i := 1; i < len(words); i++ {
		if slices.Contains([]string{"CAPACITY", "MEMORY", "MAXCLAIMS"}, words[i-1]) {
			n, _ := strconv.Atoi(words[i])
			words[i] = strconv.Itoa((n*old + shards - 1) / shards)
		}
	}
	if err = Reserve(ctx, server, name, shards, strings.Join(words, " ")); err != nil {
		return err
	}
	return Mark(ctx, server, name, old, shards)
}
