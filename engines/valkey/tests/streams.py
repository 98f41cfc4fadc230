"""Streams with true duplicates, and an exact oracle."""

import random


def made_up(n, seed=7):
    """(item, ms): half of the items repeat one of the last 500, a tenth come up to 5 s late."""
    rng = random.Random(seed)
    now, recent = 1_700_000_000_000, []
    for i in range(n):
        now += rng.randrange(40)
        item = rng.choice(recent) if recent and rng.random() < 0.5 else f"query-{i}"
        recent = (recent + [item])[-500:]
        yield item, now - (rng.randrange(5000) if rng.random() < 0.1 else 0)


class Oracle:
    """When each item was seen last; exact. It counts the duplicates that were missed, the items that were never seen, and those of them
    that were called duplicates. Such an item was stored nowhere: a server that starts from its append-only file may call it new, and it
    is due from then on."""

    def __init__(self, window):
        self.window, self.clock, self.last, self.mistaken = window, 0, {}, set()
        self.missed = self.fresh = self.wrong = 0

    def judge(self, item, at, new):
        """Takes the answer of the server."""
        self.clock = max(self.clock, at)
        last = self.last.get(item)
        must = last is not None and self.clock - last <= self.window and item not in self.mistaken
        self.missed += must and new
        self.fresh += last is None
        self.wrong += last is None and not new
        self.last[item] = self.clock
        self.mistaken = self.mistaken - {item} if new else self.mistaken | ({item} if last is None else set())

    def due(self):
        """The items of the window."""
        return [item for item, last in self.last.items() if self.clock - last <= self.window and item not in self.mistaken]
