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
    """When each item was seen last; exact. An item that was called seen by error was stored nowhere: a server that starts from
    its append-only file may call it new, and it is due from then on."""

    def __init__(self, window):
        self.window, self.clock, self.last, self.mistaken = window, 0, {}, set()

    def observe(self, item, at):
        """Whether the item must be a duplicate, and whether it was never seen."""
        self.clock = max(self.clock, at)
        last = self.last.get(item)
        self.last[item] = self.clock
        must = last is not None and self.clock - last <= self.window and item not in self.mistaken
        return must, last is None

    def judge(self, item, at, new):
        """Whether a duplicate was missed, whether the item was never seen, and whether that was called a duplicate."""
        must, never = self.observe(item, at)
        self.mistaken = self.mistaken - {item} if new else self.mistaken | ({item} if never else set())
        return must and new, never, never and not new

    def due(self):
        """The items of the window."""
        return [item for item, last in self.last.items() if self.clock - last <= self.window and item not in self.mistaken]
