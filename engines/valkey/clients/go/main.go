// One filter over the shards NAME:S:0 .. NAME:S:S-1 of a Valkey or Redis, or of a cluster of them.
// The commands are those of the client in Python.
package main

import (
	"bufio"
	"context"
	"encoding/hex"
	"fmt"
	"os"
	"strconv"
	"strings"

	"github.com/redis/go-redis/v9"
)

var ctx = context.Background()

// ShardOf says which shard an item belongs to: the same in every language.
func ShardOf(item []byte, shards int) int {
	h := uint64(0xCBF29CE484222325)
	for _, b := range item {
		h = (h ^ uint64(b)) * 0x100000001B3
	}
	h = (h ^ h>>32) * 0x9E3779B97F4A7C15
	return int((h ^ h>>32) % uint64(shards))
}

func key(name string, shards, shard int) string { return fmt.Sprintf("%s:%d:%d", name, shards, shard) }

// Ask sends one pipelined command for each shard; the answers come in the order of the items.
func Ask(server redis.UniversalClient, verb, name string, shards int, items []string) ([]int64, error) {
	places := make([][]int, shards)
	for i, item := range items {
		shard := ShardOf([]byte(item), shards)
		places[shard] = append(places[shard], i)
	}
	pipe, replies := server.Pipeline(), make([]*redis.Cmd, shards)
	for shard, rows := range places {
		if len(rows) > 0 {
			words := []any{verb, key(name, shards, shard), "OF", shards, "ITEMS"}
			for _, i := range rows {
				words = append(words, items[i])
			}
			replies[shard] = pipe.Do(ctx, words...)
		}
	}
	_, err := pipe.Exec(ctx)
	answers := make([]int64, len(items))
	for shard, rows := range places {
		if len(rows) > 0 && err == nil {
			var reply []int64
			reply, err = replies[shard].Int64Slice()
			for j := 0; j < len(reply) && j < len(rows); j++ {
				answers[rows[j]] = reply[j]
			}
		}
	}
	return answers, err
}

// Add answers 1 for each item that is new. While a filter grows, what its old shards know is not new; old 0: none.
func Add(server redis.UniversalClient, name string, shards, old int, items []string) ([]int64, error) {
	seen := make([]int64, len(items))
	var err error
	if old > 0 {
		if seen, err = Ask(server, "LATELY.MEXISTS", name, old, items); err != nil {
			return nil, err
		}
	}
	answers, err := Ask(server, "LATELY.MADD", name, shards, items)
	for i := range answers {
		answers[i] *= 1 - seen[i]
	}
	return answers, err
}

// Reserve makes the shards.
func Reserve(server redis.UniversalClient, name string, shards int, words []string) (err error) {
	for i := 0; i < shards && err == nil; i++ {
		all := []any{"LATELY.RESERVE", key(name, shards, i)}
		for _, word := range words {
			all = append(all, word)
		}
		err = server.Do(ctx, append(all, "SHARD", i, "OF", shards, "NX")...).Err()
	}
	return err
}

// Grow makes the new shards as the old ones were made.
func Grow(server redis.UniversalClient, name string, old, shards int) error {
	request, err := server.Do(ctx, "LATELY.INFO", key(name, old, 0), "request").Text()
	if err != nil {
		return err
	}
	words, _, _ := strings.Cut(request, " SHARD ")
	return Reserve(server, name, shards, strings.Fields(words))
}

func lines() (all []string) {
	for in := bufio.NewScanner(os.Stdin); in.Scan(); {
		all = append(all, in.Text())
	}
	return all
}

func number(text string) int {
	n, err := strconv.Atoi(text)
	must(err)
	return n
}

func must(err error) {
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func check() {
	for _, line := range lines() {
		row := strings.Fields(line)
		if row[0] != "#" {
			item, _ := hex.DecodeString(strings.Trim(row[2], "-"))
			if ShardOf(item, number(row[0])) != number(row[1]) {
				must(fmt.Errorf("wrong: %s", line))
			}
		}
	}
}

func main() {
	if os.Args[1] == "check" {
		check()
		return
	}
	scheme, address, _ := strings.Cut(os.Args[1], "://")
	verb, name, shards, rest := os.Args[2], os.Args[3], number(os.Args[4]), os.Args[5:]
	server := redis.NewUniversalClient(&redis.UniversalOptions{Addrs: []string{address}, IsClusterMode: scheme == "cluster"})
	switch verb {
	case "add":
		answers, err := Add(server, name, shards, number(strings.Join(append([]string{"0"}, rest...), "")), lines())
		must(err)
		for _, answer := range answers {
			fmt.Println(answer)
		}
	case "reserve":
		must(Reserve(server, name, shards, rest))
	case "grow":
		must(Grow(server, name, shards, number(rest[0])))
	case "drop":
		for i := range shards {
			must(server.Unlink(ctx, key(name, shards, i)).Err())
		}
	}
}
