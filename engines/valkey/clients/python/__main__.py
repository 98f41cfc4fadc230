"""The client as a command; those in the other languages take the same words.

    python3 clients/python redis://127.0.0.1:6379 reserve NAME S WINDOW 600000      (cluster:// of a cluster)
    python3 clients/python redis://127.0.0.1:6379 add NAME S [OLD] < items          prints 1 for each item that is new
    python3 clients/python redis://127.0.0.1:6379 grow NAME OLD NEW                 then `add NAME NEW OLD` for one window
    python3 clients/python redis://127.0.0.1:6379 drop NAME OLD                     then `add NAME NEW`
    python3 clients/python redis://127.0.0.1:6379 commit NAME S [OLD] < items       claims each, prints what came of it and commits
    python3 clients/python redis://127.0.0.1:6379 abandon NAME S [OLD] < items      the same, and gives it up
    python3 clients/python check < shards.txt                                       the shard function against its vectors
"""

import sys

import redis

from lately_claims import claim
from lately_shards import add, drop, grow, reserve, shard_of


def check():
    rows = [line.split() for line in sys.stdin if not line.startswith("#")]
    wrong = [row for row in rows if shard_of(bytes.fromhex(row[2].strip("-")), int(row[0])) != int(row[1])]
    sys.exit(f"wrong: {wrong}" if wrong else None)


def work(server, verb, name, shards, items, *old):
    for item in items:
        with claim(server, name, shards, item, *old) as claimed:
            found = claimed.commit().decode() if verb == "commit" and claimed.answer == 1 else ""
            print(claimed.answer, found)


def main(url, verb, name, shards, *rest):
    sort = redis.RedisCluster if url.startswith("cluster") else redis.Redis
    server, shards = sort.from_url(url.replace("cluster:", "redis:")), int(shards)
    if verb == "add":
        items = sys.stdin.buffer.read().splitlines()
        print(*add(server, name, shards, items, *map(int, rest)), sep="\n")
    elif verb in ("commit", "abandon"):
        work(server, verb, name, shards, sys.stdin.buffer.read().splitlines(), *map(int, rest))
    elif verb == "grow":
        grow(server, name, shards, int(rest[0]))
    else:
        {"reserve": reserve, "drop": drop}[verb](server, name, shards, *rest)


if __name__ == "__main__":
    check() if sys.argv[1:] == ["check"] else main(*sys.argv[1:])
