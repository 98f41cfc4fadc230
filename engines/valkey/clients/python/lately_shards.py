"""One filter over the shards NAME:S:0 .. NAME:S:S-1 of a Valkey or Redis, or of a cluster of them. Needs redis-py."""


def shard_of(item: bytes, shards: int) -> int:
    """Which shard an item belongs to: the same in every language."""
    h, mask = 0xCBF29CE484222325, (1 << 64) - 1
    for byte in item:
        h = (h ^ byte) * 0x100000001B3 & mask
    h = (h ^ h >> 32) * 0x9E3779B97F4A7C15 & mask
    return (h ^ h >> 32) % shards


def ask(server, verb, name, shards, items):
    """One command for each shard, in one pipeline; the answers in the order of the items. Items are bytes.

    If an item or a shard refuses, that is an error; the others are added all the same."""
    rows = {}
    for place, item in enumerate(items):
        rows.setdefault(shard_of(item, shards), []).append(place)
    answers = [0] * len(items)
    with server.pipeline(transaction=False) as pipe:
        for shard, places in rows.items():
            pipe.execute_command(verb, f"{name}:{shards}:{shard}", "OF", shards, "ITEMS", *[items[p] for p in places])
        for places, replies in zip(rows.values(), pipe.execute()):
            for place, answer in zip(places, replies):
                if isinstance(answer, Exception):
                    raise answer
                answers[place] = answer
    return answers


def add(server, name, shards, items, old=None):
    """1 for each item that is new. While a filter grows from `old` shards, what those know is not new."""
    seen = ask(server, "LATELY.MEXISTS", name, old, items) if old else [0] * len(items)
    return [new and 1 - known for new, known in zip(ask(server, "LATELY.MADD", name, shards, items), seen)]


def reserve(server, name, shards, *words):
    for i in range(shards):
        server.execute_command("LATELY.RESERVE", f"{name}:{shards}:{i}", *words, "SHARD", i, "OF", shards, "NX")


def grow(server, name, old, shards):
    """Makes the new shards as the old ones were made; then `add` with `old` for one window, then `drop` the old ones."""
    words = server.execute_command("LATELY.INFO", f"{name}:{old}:0", "request").decode().split()
    reserve(server, name, shards, *words[: words.index("SHARD")])


def drop(server, name, shards):
    for i in range(shards):
        server.unlink(f"{name}:{shards}:{i}")
