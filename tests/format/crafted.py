"""Snapshots of window tables that no golden file has, written from docs/reference/format.md: keys put where the page says.

The library reads them, so it is the judge of the writer and of the reader: of tables of any number of lines, in one section
and in eight, of lines of every code, of cells that know few bits, of keys in a stash.
"""

import random
import struct

from hashes import WORD, xxh3_64
from reader import GOLDEN, Width, cells_of_codes, checksum, hashed

CLOCK = 1 << 60
ONE = struct.unpack("<Q", struct.pack("<d", 1.0))[0]


class Template:
    """What a golden file of a window of time fixes: its error rate, and so the cells of its lines."""

    def __init__(self, snapshot):
        self.head, self.age_bits = snapshot.data[:160], snapshot.u32(92)
        self.widths = [Width(cells, self.age_bits, code) for code, cells in enumerate(cells_of_codes(snapshot))]


class Line:
    """A line while cells are put in."""

    def __init__(self, width, code, depth, now):
        self.width, self.code, self.depth, self.now, self.cells = width, code, depth, now, {}

    def put(self, draw, template, fingerprint, string):
        """A cell that knows some of what it can, seen in one of the last generations; says whether there was room."""
        free = [i for i in range(self.width.cells) if i not in self.cells]
        if not free:
            return False
        i, t = draw.choice(free), template.age_bits
        known = self.width.widths[i] - self.width.says
        if self.width.says:
            known = min(draw.choice([0, known // 2, known, known]), 50 - self.depth)
        tag = (self.now - draw.randrange(1 << t)) % (1 << t)
        field = string >> self.depth & (1 << known) - 1 | self.width.says << known
        self.cells[i] = tag << 16 - t | fingerprint, field
        return True

    def bytes(self, t):
        bits = self.code << 509 | self.now % (4 << t) << 507 - t
        for i, (lane, field) in self.cells.items():
            bits |= lane << 16 * i | field << self.width.at[i]
        return bits.to_bytes(64, "little")


class Written:
    """One section, while keys are put in."""

    def __init__(self, draw, template, position, phase):
        self.draw, self.template, self.position, self.phase = draw, template, position, phase
        self.skip = 0 if phase is None else 3
        self.depth = draw.randint(3, 6)
        self.half = 1 << self.depth - self.skip
        self.split = draw.randrange(2 * self.half)
        self.splits = [min(self.split, self.half), max(self.split - self.half, 0)]
        self.sides = [[self.line(side, i) for i in range(self.half + self.splits[side])] for side in (0, 1)]
        self.stash = {}

    def line(self, side, i):
        phase = self.phase if self.phase is not None else (i if side == 0 else -i) % 8
        code = self.draw.randrange(len(self.template.widths))
        depth = self.depth + (i % self.half < self.splits[side])
        return Line(self.template.widths[code], code, depth, (1024 + self.position + phase) // 8)

    def put(self, m):
        t, draw = self.template.age_bits, self.draw
        fingerprint = 1 + ((m & 0x3FFF) * ((1 << 16 - t) - 1) >> 14)
        side, string = draw.randrange(2), m >> 14
        if side == 1:
            string = (fingerprint * GOLDEN << 3) - string & WORD
        i = (string >> self.skip) % self.half
        if i < self.splits[side]:
            i = (string >> self.skip) % (2 * self.half)
        if draw.random() < 0.05 or not self.sides[side][i].put(draw, self.template, fingerprint, string):
            self.stash[m] = draw.randint(0, 8 << t)

    def numbers(self, running, rest):
        draw, stores = self.draw, self.draw.randrange(1000)
        walk = draw.randrange(3)
        phase = -self.position % 8 if self.phase is None else self.phase
        line = [0, 8 * draw.randrange(4) + phase, 8 * draw.randrange(4) + -phase % 8][walk]
        place = [running, self.position, rest, self.depth, self.split]
        growth = [ONE, draw.randrange(115), draw.randrange(2), draw.randrange(2), 0, draw.randrange(257), 0, 0]
        growth += [draw.choice([0, 100, WORD]) for _ in range(3)]
        growth += [stores, 3, 4, stores + draw.randrange(1025), 5, draw.randint(0, stores), ONE, 0, draw.randrange(1025)]
        owed = draw.choice([0, draw.randrange(50)])
        # Nothing is due in one of a few.
        calm = int(running and not walk and not owed)
        tending = [calm, draw.randrange(13), walk, line, 6, draw.randrange(2), draw.randrange(50)]
        tending += [owed, draw.randrange(30), 0]
        stash = [number for m in sorted(self.stash) for number in (m, self.stash[m])]
        return u64s(*place, *growth, *tending, 0, 7, ONE, 8, 9, 10, 11, 12, 13, len(self.stash), *stash)

    def lines(self):
        return b"".join(line.bytes(self.template.age_bits) for side in self.sides for line in side)


def u64s(*numbers):
    return struct.pack(f"<{len(numbers)}Q", *numbers)


def sealed(data):
    """The bytes with their number and their checksum."""
    data = data[:16] + u64s(len(data) + 8) + data[24:]
    return data + u64s(checksum(data))


def mixed(h):
    x = (h ^ h >> 32) * GOLDEN & WORD
    return x ^ x >> 32


def snapshot(number, templates, keys):
    """The window and the bytes of the snapshot of that number, which holds these keys."""
    draw = random.Random(number)
    template, seed = templates[number % len(templates)], draw.choice([0, WORD])
    # One in five has not seen a key yet.
    running = int(number % 5 != 2)
    position = draw.randrange(1024) * running
    window = draw.choice([1, 7, 1_000_000_000, WORD])
    sections = [Written(draw, template, position, phase) for phase in ([None] if number % 2 else range(8))]
    for key in keys * running:
        m = mixed(hashed(xxh3_64, key, seed))
        sections[(m >> 14) % len(sections)].put(m)
    rest = draw.randrange(window)
    body = b"".join(section.numbers(running, rest) for section in sections)
    body += b"".join(section.lines() for section in sections)
    head = template.head[:24] + struct.pack("<IIQQ", 1, 2, seed, CLOCK) + u64s(window, 0, 0, WORD)
    head += template.head[80:88] + struct.pack("<4I", 3, template.age_bits, 1, 1) + u64s(0, 0, 0, 0, 1 << 40)
    return window, sealed(head + template.head[144:152] + u64s(len(sections)) + body)
