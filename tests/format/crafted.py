"""Snapshots of window tables that no golden file has, written from docs/FORMAT.md: keys put where the page says.

The library reads them, so it is the judge of the writer and of the reader: of many groups and tables, of lines of every
width, of keys in a stash, of closed groups.
"""

import random
import struct

from hashes import WORD, xxh3_64
from reader import GOLDEN, MAGIC, VERSION, Shape

SHAPES = [(1, 1), (1, 9), (1, 37), (2, 3), (4, 5), (8, 2), (32, 1), (64, 1), (128, 2)]
CLOCK = 1 << 60


class Written:
    """One table, while keys are put in."""

    def __init__(self, draw, age_bits, position, stash):
        self.shape = Shape(*draw.choice(SHAPES), draw.randint(10, 31), age_bits)
        self.draw, self.position, self.generations = draw, position, (1 << age_bits) - 1
        self.cells = [{} for _ in range(self.shape.lines)]
        self.stash, self.closed, self.chance_of_stash = {}, {}, stash

    def put(self, h):
        x = (h ^ h >> 32) * GOLDEN & WORD
        home, other, fingerprint, extra = self.shape.place(x ^ x >> 32)
        j = self.draw.choice([home, other])
        kept = self.stash.setdefault(home // (2 * self.shape.pairs), [])
        if self.draw.random() < self.chance_of_stash and len(kept) < 64:
            age = self.draw.randint(0, 8 * self.generations + 12)
            kept.append((home, fingerprint, extra & (1 << self.shape.widest) - 1, age))
        elif len(self.cells[j]) < self.shape.cells:
            i = self.draw.choice([i for i in range(self.shape.cells) if i not in self.cells[j]])
            generation = self.generation(j, 0) - self.draw.randint(0, self.generations)
            tag = generation % (self.generations + 1)
            self.cells[j][i] = tag << self.shape.lane_bits | fingerprint, extra & (1 << self.shape.width(i)) - 1

    def generation(self, j, age):
        return (self.position - age + self.shape.phase(j)) // 8

    def close(self, group):
        self.closed[group] = self.draw.randint(0, 8 * self.generations + 12)

    def line(self, j):
        bits = self.generation(j, 0) % 128 << 504
        for i, (lane, extra) in self.cells[j].items():
            bits |= lane << 16 * i | extra << self.shape.extra_at(i)
        kept = self.stash.get(j // (2 * self.shape.pairs), [])
        needed = any(home == j and self.needs(j, age) for home, _, _, age in kept)
        return (bits | needed << 511).to_bytes(64, "little")

    def needs(self, j, age):
        return self.generation(j, 0) - self.generation(j, age) <= self.generations

    def record(self, share, age):
        groups = sorted({group for group in self.stash if self.stash[group]} | set(self.closed))
        data = u64s(self.shape.groups, self.shape.pairs, self.shape.cells) + struct.pack("<d", share)
        data += u64s(age, len(groups), 0, 0)
        for group in groups:
            kept = self.stash.get(group, [])
            data += u64s(group, len(kept), self.closed[group] + 1 if group in self.closed else 0)
            data += b"".join(u64s(*key) for key in kept)
        return data

    def lines(self):
        return b"".join(self.line(j) for j in range(self.shape.lines))


def u64s(*numbers):
    return struct.pack(f"<{len(numbers)}Q", *numbers)


def sealed(data):
    """The bytes with their number and their checksum."""
    data = data[:16] + u64s(len(data) + 8) + data[24:]
    return data + u64s(xxh3_64(data))


def window_of(draw, of_time):
    return draw.choice([1, 7, 1_000_000_000, WORD] if of_time else [1, 101, 1 << 40])


def snapshot(number, keys):
    """The window and the bytes of the snapshot of that number, which holds these keys."""
    draw = random.Random(number)
    of_time, age_bits, position = number % 3 > 0, draw.randint(2, 5), draw.randint(0, 1023)
    window, seed = window_of(draw, of_time), draw.choice([0, WORD])
    chances = [draw.choice([0, 0.02, 0.4]) for _ in range(draw.randint(1, 4) if of_time else 1)]
    tables = [Written(draw, age_bits, position, chance) for chance in chances]
    for key in keys:
        draw.choice(tables).put(xxh3_64(key, seed))
    close_some(draw, tables)
    records = [table.record(0.5 ** (i + 1) if of_time else 1.0, 10 * i) for i, table in enumerate(tables)]
    lines = [table.lines() for table in tables]
    data = MAGIC + struct.pack("<IIQIIQQ", VERSION, 5, 0, 1, 2 if of_time else 0, seed, CLOCK if of_time else 0)
    data += u64s(window, 0, 0, WORD) + struct.pack("<d", 0.01)
    # One position in five does not follow the clock.
    flags = 0 if not of_time else 3 if number % 5 == 2 else 7
    data += struct.pack("<4I", flags, age_bits, 1, 1)
    data += u64s(position, draw.randrange(window), 0, 0, 0, sum(map(len, lines)), 0, 0, 0, 0, 0, 0, 0, 0, 0)
    data += struct.pack("<IIQ", 0, 0, len(tables))
    return window, sealed(data + b"".join(records) + b"".join(lines))


def close_some(draw, tables):
    """Closes a group, or all groups of a table, or none."""
    for table in tables:
        if draw.random() < 0.3:
            table.close(draw.randrange(table.shape.groups))
        if draw.random() < 0.1:
            table.close(table.shape.groups)
