"""Snapshots of window tables that no golden file has, written from docs/reference/format.md: keys put where the page says.

The library reads them, so it is the judge of the writer and of the reader: of tables of any number of lines, in one section
and in eight, that rest and do not, of lines that are behind, of cells that know few bits, of keys in a stash.
"""

import random
import struct

from hashes import WORD, xxh3_64
from reader import GOLDEN, first_of, shape_of, slots_of

CLOCK = 1 << 60


class Template:
    """What a golden file of a window of time fixes: its error rate, the bits of its tags, the width of its cells."""

    def __init__(self, snapshot):
        self.head, self.age_bits, self.field = snapshot.data[:184], snapshot.u32(92), snapshot.u64(144)
        self.cells = {8: 21, 16: 16, 32: 10}[self.field]


class Written:
    """One section, while keys are put in."""

    def __init__(self, draw, template, phase, place):
        self.draw, self.template, self.phase = draw, template, phase
        (self.part, self.rest, self.at), self.mode = place, draw.choice([1, 1, 1, 2])
        self.skip = 0 if phase is None else 3
        self.depth = draw.randint(3, 6) - self.skip
        self.split = draw.randrange(2 << self.depth)
        self.splits, self.lines_of = shape_of(self.depth, self.split)
        self.sides = [[{} for _ in range(lines)] for lines in self.lines_of]
        self.walk = draw.choice([0, 5])
        self.behind = [[self.parts() for _ in range(-(-lines // 32))] for lines in self.lines_of]
        self.stash = {}

    def parts(self):
        """How far a chunk is behind."""
        return self.draw.randint(0, 8 << self.template.age_bits) if self.draw.random() < 0.5 else 0

    def put(self, m):
        template, draw = self.template, self.draw
        t, side = template.age_bits, draw.randrange(2)
        fingerprint = m >> 48 + t
        string = m if side == 0 else m ^ (fingerprint * GOLDEN << 3 & WORD)
        line, depth = (string >> self.skip) % (1 << self.depth), self.depth + self.skip
        if line < self.splits[side]:
            line, depth = (string >> self.skip) % (2 << self.depth), depth + 1
        cells = self.sides[side][line]
        free = [i for i in range(template.cells) if i not in cells]
        if draw.random() < 0.05 or not free:
            self.stash[m] = draw.randint(0, 8 << t)
            return
        known = draw.choice([0, template.field // 2, template.field - 1, template.field - 1])
        tag = draw.randrange(1 << t)
        cells[draw.choice(free)] = tag << 16 - t | fingerprint, string >> depth & (1 << known) - 1 | 1 << known

    def numbers(self, running):
        draw, keys = self.draw, sorted(self.stash, key=lambda m: m * GOLDEN & WORD)
        homes, old = draw.choice([64, 100, 200]) if keys else 0, draw.choice([0, 18]) if keys else 0
        while len(keys) * 4 > homes * 3:
            homes = max(2 * homes, 18)
        mode = self.mode if running else 1
        place = [running, self.part, self.rest, self.at, mode, draw.randrange(1001) if mode == 2 else 0, self.depth, self.split]
        counts = [draw.randrange(1000), draw.randrange(4), draw.randrange(8 * ((1 << self.template.age_bits) - 1) + 2), 9, 10, 11, 12]
        walk = [draw.randrange(8), self.walk * running, draw.randrange(50)]
        # None has moved; the first few keys are still among the old slots.
        stash = [homes, old, draw.randrange(9) << 32, draw.randint(0, slots_of(homes)) | len(keys) << 32]
        words = [word for i, m in enumerate(keys) for word in (m, self.stash[m] << 1 | (i < 5 and old > 0))]
        return u64s(*place, *counts, *walk, *stash, *words)

    def lines(self, running):
        template = self.template
        mask = lambda cells: sum(1 << i for i in cells).to_bytes(-(-template.cells // 8), "little")
        cell = lambda lane, field: lane.to_bytes(2, "little") + field.to_bytes(template.field // 8, "little")
        line = lambda cells: mask(cells) + b"".join(cell(*cells[i]) for i in sorted(cells))
        behind = struct.pack(f"<{len(self.behind[0] + self.behind[1])}H", *self.behind[0], *self.behind[1])
        return behind * (running and self.walk > 0) + b"".join(line(cells) for side in self.sides for cells in side)


def u64s(*numbers):
    return struct.pack(f"<{len(numbers)}Q", *numbers)


def sealed(data):
    """The bytes with their number and their checksum."""
    data = data[:16] + u64s(len(data) + 8) + data[24:]
    return data + u64s(xxh3_64(data))


def mixed(h):
    x = (h ^ h >> 32) * GOLDEN & WORD
    return x ^ x >> 32


def snapshot(number, templates, keys):
    """The window and the bytes of the snapshot of that number, which holds these keys."""
    draw = random.Random(number)
    template, seed = templates[number % len(templates)], draw.choice([0, WORD])
    # One in five has not seen a key yet.
    running = int(number % 5 != 2)
    window, parts = draw.choice([1, 7, 1_000_000_000, WORD]), 8 * ((1 << template.age_bits) - 1)
    place = 1024, 0, 0
    if running:
        place = draw.randint(1024, 2047), draw.randrange(min(window, parts)), CLOCK - draw.randint(0, min(window, CLOCK) // parts)
    sections = [Written(draw, template, phase, place) for phase in ([None] if number % 2 else range(8))]
    for key in keys * running:
        m = mixed(xxh3_64(key, seed))
        sections[m % len(sections)].put(m)
    body = b"".join(section.numbers(running) for section in sections)
    body += b"".join(section.lines(running) for section in sections)
    # It began with the fewest lines.
    assert all(sum(section.lines_of) >= first_of(16, section.phase) for section in sections)
    head = template.head[:24] + struct.pack("<IIQQ", 1, 2, seed, CLOCK) + u64s(window, 0, 0, WORD)
    head += template.head[80:88] + struct.pack("<4I", 3, template.age_bits, 1, 1) + u64s(0, 0, 0, 0, 0)
    return window, sealed(head + u64s(template.field, 16, 0, 1 << 40, len(sections)) + body)
