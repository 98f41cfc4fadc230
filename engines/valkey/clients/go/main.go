// The client as a command. The words are those of the command in Python.
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

func main() {
	if os.Args[1] == "check" {
		check()
		return
	}
	scheme, address, _ := strings.Cut(os.Args[1], "://")
	verb, name, shards, rest := os.Args[2], os.Args[3], number(os.Args[4]), os.Args[5:]
	server := redis.NewUniversalClient(&redis.UniversalOptions{Addrs: []string{address}, IsClusterMode: scheme == "cluster"})
	ctx := context.Background()
	switch verb {
	case "add":
		answers, err := Add(ctx, server, name, shards, number(strings.Join(append([]string{"0"}, rest...), "")), lines())
		must(err)
		for _, answer := range answers {
			fmt.Println(answer)
		}
	case "commit", "abandon":
		for _, item := range lines() {
			work(ctx, server, verb, name, shards, number(strings.Join(append([]string{"0"}, rest...), "")), item)
		}
	case "reserve":
		must(Reserve(ctx, server, name, shards, strings.Join(rest, " ")))
	case "grow":
		must(Grow(ctx, server, name, shards, number(rest[0])))
	case "drop":
		for i := range shards {
			must(server.Unlink(ctx, Key(name, shards, i)).Err())
		}
	}
}

// work claims an item and commits it, or gives it up.
func work(ctx context.Context, server redis.UniversalClient, verb, name string, shards, old int, item string) {
	claim, err := ClaimItem(ctx, server, name, shards, old, item)
	must(err)
	defer func() { must(claim.Abandon(ctx)) }()
	found := ""
	if verb == "commit" && claim.Answer == 1 {
		found, err = claim.Commit(ctx)
		must(err)
	}
	fmt.Println(claim.Answer, found)
}

// check compares the shard function with its vectors.
func check() {
	for _, line := range lines() {
		row := strings.Fields(line)
		if row[0] != "#" {
			item, _ := hex.DecodeString(strings.Trim(row[2], "-"))
			if ShardOf(string(item), number(row[0])) != number(row[1]) {
				must(fmt.Errorf("wrong: %s", line))
			}
		}
	}
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
