"""One filter over the shards NAME:S:0 .. NAME:S:S-1 of a Valkey or Redis, or of a cluster of them. Needs redis-py.

    lately_shards.py check < shards.txt
    lately_shards.py redis://127.0.0.1:6379 reserve NAME S WINDOW 600000      (cluster:// of a cluster)
    lately_shards.py redis://127.0.0.1:6379 add NAME S [OLD] < items          prints 1 for each item that is new
    lately_shards.py redis://127.0.0.1:6379 grow NAME OLD NEW                 then `add NAME NEW OLD` for one window
    lately_shards.py redis://127.0.0.1:6379 drop NAME OLD                     then `add NAME NEW`
"""
import sys
import redis


def shard_of(item: bytes, shards: int) -> int:
    """Which shard an item belongs to: the same in every language."""
    h, mask = 0xCBF29CE484222325, (1 << 64) - 1
    for byte in item:
        h = (h ^ byte) * 0x100000001B3 & mask
    h = (h ^ h >> 32) * 0x9E3779B97F4A7C15 & mask
    return (h ^ h >> 32) % shards


def ask(server, verb, name, shards, items):
    """One pipelined command for each shard; the answers in the order of the items. An answer may be an error."""
    rows = {}
    for place, item in enumerate(items):
        rows.setdefault(shard_of(item, shards), []).append(place)
    answers = [0] * len(items)
    with server.pipeline(transaction=False) as pipe:
        for shard, places in rows.items():
            pipe.execute_command(verb, f"{name}:{shards}:{shard}", "OF", shards, "ITEMS", *[items[p] for p in places])
        for places, reply in zip(rows.values(), pipe.execute()):
            for place, answer in zip(places, reply):
                answers[place] = answer
    return answers


def add(server, name, shards, items, old=None):
    """1 for each item that is new. While a filter grows, what its old shards know is not new."""
    seen = ask(server, "LATELY.MEXISTS", name, old, items) if old else [0] * len(items)
    return [new if not known else 0 for new, known in zip(ask(server, "LATELY.MADD", name, shards, items), seen)]


def reserve(server, name, shards, *words):
    for i in range(shards):
        server.execute_command("LATELY.RESERVE", f"{name}:{shards}:{i}", *words, "SHARD", i, "OF", shards, "NX")


def grow(server, name, old, new):
    """The new shards, made as the old ones were."""
    words = server.execute_command("LATELY.INFO", f"{name}:{old}:0", "request").decode().split()
    reserve(server, name, new, *words[: words.index("SHARD")])


def drop(server, name, shards):
    for i in range(shards):
        server.unlink(f"{name}:{shards}:{i}")


if __name__ == "__main__":
    if sys.argv[1] == "check":
        rows = [line.split() for line in sys.stdin if not line.startswith("#")]
        wrong = [r for r in rows if shard_of(bytes.fromhex(r[2].strip("-")), int(r[0])) != int(r[1])]
        sys.exit(f"wrong: {wrong}" if wrong else None)
    url, verb, name, shards, *rest = sys.argv[1:]
    kind = redis.RedisCluster if url.startswith("cluster") else redis.Redis
    server, shards = kind.from_url(url.replace("cluster:", "redis:")), int(shards)
    if verb == "add":
        items = sys.stdin.buffer.read().splitlines()
        print(*add(server, name, shards, items, *map(int, rest)), sep="\n")
    else:
        {"reserve": reserve, "grow": lambda *a: grow(*a[:3], int(a[3])), "drop": drop}[verb](server, name, shards, *rest)
