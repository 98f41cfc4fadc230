// One filter over the shards NAME:S:0 .. NAME:S:S-1 of a Valkey or Redis, or of a cluster of them. Needs go-redis.
package main

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/redis/go-redis/v9"
)

// ShardOf says which shard an item belongs to: the same in every language.
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

// Ask sends one command for each shard, in one pipeline; the answers come in the order of the items. If an item or a
// shard refuses, that is an error; the others are added all the same.
func Ask(ctx context.Context, server redis.UniversalClient, verb, name string, shards int, items []string) (answers []int64, err error) {
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
		numbers, wrong := reply.Int64Slice()
		err = errors.Join(err, wrong)
		for j, number := range numbers {
			answers[places[shard][j]] = number
		}
	}
	return answers, err
}

// Add answers 1 for each item that is new. While a filter grows from old shards, what those know is not new; old 0: none.
func Add(ctx context.Context, server redis.UniversalClient, name string, shards, old int, items []string) (answers []int64, err error) {
	seen := make([]int64, len(items))
	if old > 0 {
		seen, err = Ask(ctx, server, "LATELY.MEXISTS", name, old, items)
	}
	if err == nil {
		answers, err = Ask(ctx, server, "LATELY.MADD", name, shards, items)
	}
	for i := range answers {
		answers[i] *= 1 - seen[i]
	}
	return answers, err
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

// Grow makes the new shards as the old ones were made; then Add with old for one window, then the old ones can go.
func Grow(ctx context.Context, server redis.UniversalClient, name string, old, shards int) error {
	request, err := server.Do(ctx, "LATELY.INFO", Key(name, old, 0), "request").Text()
	if err != nil {
		return err
	}
	return Reserve(ctx, server, name, shards, strings.Split(request, " SHARD ")[0])
}
