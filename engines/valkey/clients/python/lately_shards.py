"""One filter over the shards NAME:S:0 .. NAME:S:S-1 of a Valkey or Redis, or of a cluster of them. Needs redis-py."""


def shard_of(item: bytes, shards: int) -> int:
    """Which shard an item belongs to: the same in every language."""
    h, mask = 0xCBF29CE484222325, (1 << 64) - 1
    for byte in item:
        h = (h ^ byte) * 0x100000001B3 & mask
    h = (h ^ h >> 32) * 0x9E3779B97F4A7C15 & mask
    return (h ^ h >> 32) % shards


def ask(server, verb, name, shards, items):
    """One command for each shard, in one pipeline; the answers in the order of the items, None where the shard has grown,
    and how many shards there are then. Items are bytes.

    If an item or a shard refuses, that is an error; the others are added all the same."""
    rows, grown = {}, None
    for place, item in enumerate(items):
        rows.setdefault(shard_of(item, shards), []).append(place)
    answers = [None] * len(items)
    with server.pipeline(transaction=False) as pipe:
        for shard, places in rows.items():
            pipe.execute_command(verb, f"{name}:{shards}:{shard}", "OF", shards, "ITEMS", *[items[p] for p in places])
        for places, replies in zip(rows.values(), pipe.execute(raise_on_error=False)):
            if isinstance(replies, Exception):
                if not str(replies).startswith("GROWN "):
                    raise replies
                grown, replies = int(str(replies).split()[1]), []
            for place, answer in zip(places, replies):
                if isinstance(answer, Exception):
                    raise answer
                answers[place] = int(answer)
    return answers, grown


def add(server, name, shards, items, old=None):
    """1 for each item that is new. While a filter grows from `old` shards, what those know is not new. If it has grown
    since, the rest goes to the new shards."""
    seen = ask(server, "LATELY.MEXISTS", name, old, items)[0] if old else [0] * len(items)
    news, grown = ask(server, "LATELY.MADD", name, shards, items)
    if grown:
        mark(server, name, shards, grown)
        rest = [place for place, answer in enumerate(news) if answer is None]
        for place, new in zip(rest, add(server, name, grown, [items[place] for place in rest], shards)):
            news[place] = new
    return [new and 1 - known for new, known in zip(news, seen)]


def reserve(server, name, shards, *words):
    for i in range(shards):
        server.execute_command("LATELY.RESERVE", f"{name}:{shards}:{i}", *words, "SHARD", i, "OF", shards, "NX")


def mark(server, name, old, shards):
    """The old shards take no more items: whatever they do not know by now can be new in the new ones alone."""
    for i in range(old):
        server.execute_command("LATELY.GROW", f"{name}:{old}:{i}", shards)


def grow(server, name, old, shards):
    """Makes the new shards as the old ones were made, each with its part of what is counted or measured, and marks the old
    ones; then `add` with `old` for one window, then `drop` the old ones."""
    words = server.execute_command("LATELY.INFO", f"{name}:{old}:0", "request").decode().split()
    for i, word in enumerate(words[:-1]):
        if word in ("CAPACITY", "MEMORY", "MAXCLAIMS"):
            words[i + 1] = str(-(-int(words[i + 1]) * old // shards))
    reserve(server, name, shards, *words[: words.index("SHARD")])
    mark(server, name, old, shards)


def drop(server, name, shards):
    for i in range(shards):
        server.unlink(f"{name}:{shards}:{i}")
