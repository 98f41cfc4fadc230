#!/usr/bin/env python3
"""Answers `contains` from the bytes of a snapshot: a reader written from docs/FORMAT.md, and from nothing else.

    reader.py FILE [--elapsed NS] [--secret LOW HIGH] [--text] [KEY ...]

Keys are hexadecimal, `-` the empty one, or text with --text; without keys they are read from the standard input, one a
line. Prints a line for each key: the key, and 1 if it is present, else 0. Python's standard library only.
"""

import argparse
import struct
import sys
from math import comb

from hashes import WORD, siphash, xxh3_64

MAGIC = bytes.fromhex("894c544c590d0a1a")
VERSION = 1
GOLDEN = 0x9E3779B97F4A7C15


class Refused(Exception):
    """The bytes are no snapshot of this version, or the secret or the time is wrong. The first word is the status."""


def need(holds, status, why):
    if not holds:
        raise Refused(f"{status}: {why}")


class Bytes:
    """The bytes of a snapshot, as numbers and as arrays of bits."""

    def __init__(self, data):
        self.data = data

    def u32(self, at):
        return int.from_bytes(self.data[at : at + 4], "little")

    def u64(self, at):
        return int.from_bytes(self.data[at : at + 8], "little")

    def f64(self, at):
        return struct.unpack("<d", self.data[at : at + 8])[0]

    def numbers(self, at, count):
        """`count` u64 at `at`."""
        need(at + 8 * count <= len(self.data) - 8, "CORRUPT", f"{count} numbers at byte {at} do not fit")
        return [self.u64(at + 8 * i) for i in range(count)]

    def cells(self, at, words):
        """The array of `words` words at `at`. Words are little-endian, so bit p is bit p mod 8 of byte p / 8."""
        need(at + 8 * words <= len(self.data) - 8, "CORRUPT", f"{words} words at byte {at} do not fit")
        return Bits(self.data[at : at + 8 * words])

    def ends(self, at):
        need(at == len(self.data) - 8, "CORRUPT", f"the cells end at byte {at} of {len(self.data) - 8}")


class Bits:
    """An array of bits."""

    def __init__(self, data):
        self.data = data

    def bit(self, p):
        return self.data[p // 8] >> p % 8 & 1

    def field(self, p, n):
        covering = self.data[p // 8 : (p + n + 7) // 8]
        return int.from_bytes(covering, "little") >> p % 8 & (1 << n) - 1


def mix(x):
    x = (x ^ x >> 30) * 0xBF58476D1CE4E5B9 & WORD
    x = (x ^ x >> 27) * 0x94D049BB133111EB & WORD
    return x ^ x >> 31


def derive(h, i):
    return mix(h + (i + 1) * GOLDEN & WORD)


def spread(x, n):
    return x * n >> 64


def rest(x, n):
    return x * n & WORD


class TimeLimited:
    """Kind 1: slices of a bit for each key, the newest first; old ones do not count."""

    def __init__(self, bytes_, elapsed):
        self.window, self.elapsed = bytes_.u64(48), elapsed
        self.k, self.n, self.made = bytes_.u32(88), bytes_.u64(144), bytes_.u64(152)
        flags, youngest = bytes_.u64(104), bytes_.u64(112)
        need(self.k >= 1 and self.n >= self.k and self.made >= self.n, "CORRUPT", "k, n or made")
        records, at = 224, 224 + 40 * self.n
        self.slices = []
        for j in range(self.n):
            record = records + 40 * j
            words, age = bytes_.u64(record), bytes_.u64(record + 32)
            need(words >= 1, "CORRUPT", f"slice {j} has no words")
            if j < self.k:
                age = youngest if flags & 2 else None
            self.slices.append((age, 64 * words, bytes_.cells(at, words)))
            at += 8 * words
        bytes_.ends(at)

    def out_of_date(self, age):
        return age is None or age + self.elapsed > self.window

    def contains(self, h):
        alive = self.n
        while alive > 0 and self.out_of_date(self.slices[alive - 1][0]):
            alive -= 1
        hits = [self.hit(h, j) for j in range(alive)]
        return any(all(hits[j : j + self.k]) for j in range(alive - self.k + 1))

    def hit(self, h, j):
        _, bits, cells = self.slices[j]
        return cells.bit(spread(derive(h, (self.made - 1 - j) % self.k), bits))


class AgePartitioned:
    """Kind 2: a matrix for each function, a row for each position, a column for each slice."""

    def __init__(self, bytes_):
        self.rows, generation = bytes_.u64(48), bytes_.u64(56)
        self.k, l, insertions = bytes_.u32(64), bytes_.u32(68), bytes_.u64(80)
        need(self.rows and generation and self.k, "CORRUPT", "m, g or k is 0")
        self.width = (2 * self.k + l) // self.k
        words = (self.rows * self.width + 63) // 64
        self.matrices = [bytes_.cells(104 + 8 * words * i, words) for i in range(self.k)]
        bytes_.ends(104 + 8 * words * self.k)
        shifts = (insertions - 1) // generation if insertions else 0
        youngest = self.k - 1 + shifts
        self.numbers = range(max(0, youngest - self.k - l + 1), youngest + 1)

    def contains(self, h):
        hits = [self.hit(h, n) for n in self.numbers]
        return any(all(hits[j : j + self.k]) for j in range(len(hits) - self.k + 1))

    def hit(self, h, n):
        row = spread(derive(h, n % self.k), self.rows)
        return self.matrices[n % self.k].bit(row * self.width + n // self.k % self.width)


class TinySet:
    """Kind 3: blocks with chains of fingerprints, as wide as there is room for."""

    def __init__(self, bytes_):
        self.blocks, self.block_bytes = bytes_.u64(48), bytes_.u32(64)
        self.chains, self.removable = bytes_.u32(68), bytes_.u32(72)
        need(self.block_bytes in (32, 64), "CORRUPT", f"blocks of {self.block_bytes} bytes")
        words = self.blocks * self.block_bytes // 8
        self.cells = bytes_.cells(96, words)
        bytes_.ends(96 + 8 * words)

    def contains(self, h):
        base = 8 * self.block_bytes * spread(derive(h, 0), self.blocks)
        x = derive(h, 1)
        chain, remainder = spread(x, self.chains), rest(x, self.chains)
        if not self.cells.bit(base + chain):
            return False
        return Block(self, base).has(chain, remainder)


class Block:
    """One block of a TinySet, which has an entry."""

    def __init__(self, tiny, base):
        self.cells, self.base, self.bits = tiny.cells, base, 8 * tiny.block_bytes
        self.removable, self.chains = tiny.removable, tiny.chains
        self.start = tiny.chains
        self.ends = self.ends_of_chains()
        self.array = self.bits - self.start
        r = self.ends[-1] + 1
        self.width = min(self.array // r - 1, 48)
        self.extensions = min(r, self.array - r * (self.width + 1))

    def ends_of_chains(self):
        """The last entry of every chain that is not empty."""
        c = sum(self.cells.bit(self.base + i) for i in range(self.chains))
        ends, s = [], 0
        while len(ends) < c:
            need(self.start + s < self.bits, "CORRUPT", "a chain does not end in its block")
            if self.cells.bit(self.base + self.start + s):
                ends.append(s)
            s += 1
        return ends

    def has(self, chain, remainder):
        nth = sum(self.cells.bit(self.base + i) for i in range(chain))
        first = self.ends[nth - 1] + 1 if nth else 0
        return any(self.matches(s, remainder) for s in range(first, self.ends[nth] + 1))

    def matches(self, s, remainder):
        entry = self.cells.field(self.base + self.bits - (s + 1) * self.width, self.width)
        known, extended = self.width, s < self.extensions
        if extended or self.removable:
            extension = self.cells.bit(self.base + self.start + self.ends[-1] + 1 + s) if extended else 0
            entry, known = entry << 1 | extension, self.width + 1
        if self.removable:
            if entry == 0:
                return True
            unknown = (entry & -entry).bit_length()
            entry, known = entry >> unknown, known - unknown
        return entry == remainder >> 64 - known


class Quotient:
    """Kind 4: rows of k fingerprints, each in a cell, or sorted and packed."""

    def __init__(self, bytes_):
        self.rows, self.k, self.s = bytes_.u64(48), bytes_.u32(80), bytes_.u32(84)
        self.sorted = bytes_.u32(92)
        need(1 <= self.s <= 16, "CORRUPT", f"fingerprints of {self.s} bits")
        self.upper = min(self.s, 4)
        # The number of a sorted row has the bits that its largest value needs.
        self.number_bits = (comb(2**self.upper + self.k - 1, self.k) - 1).bit_length()
        self.row_bits = self.k * self.s
        if self.sorted:
            self.row_bits = self.number_bits + self.k * (self.s - self.upper)
        words = (self.rows * self.row_bits + 63) // 64
        self.cells = bytes_.cells(624, words)
        bytes_.ends(624 + 8 * words)

    def contains(self, h):
        row = spread(derive(h, 0), self.rows) * self.row_bits
        fingerprint = 1 + spread(derive(h, 1), (1 << self.s) - 1)
        return fingerprint in (self.sorted_row(row) if self.sorted else self.row(row))

    def row(self, at):
        return [self.cells.field(at + self.s * c, self.s) for c in range(self.k)]

    def sorted_row(self, at):
        left = self.cells.field(at, self.number_bits)
        lower_bits, row = self.s - self.upper, []
        for c in reversed(range(self.k)):
            # The largest n with C(n, c + 1) not above what is left.
            n = max(n for n in range(2**self.upper + self.k) if comb(n, c + 1) <= left)
            left -= comb(n, c + 1)
            lower = self.cells.field(at + self.number_bits + c * lower_bits, lower_bits)
            row.append(n - c << lower_bits | lower)
        return row


class WindowTable:
    """Kind 5: tables of lines, whose cells have a fingerprint and the generation in which it was last seen."""

    def __init__(self, bytes_, elapsed):
        check_window_table(bytes_)
        flags, self.age_bits, self.position = bytes_.u32(88), bytes_.u32(92), bytes_.u64(104)
        self.generations = (1 << self.age_bits) - 1
        self.passed = 0
        if flags & 4:
            self.passed = (8 * self.generations * elapsed + bytes_.u64(112)) // bytes_.u64(48)
        at, self.tables = 240, []
        for _ in range(bytes_.u64(232)):
            self.tables.append(Table(self, bytes_, at))
            at = self.tables[-1].end
        for table in self.tables:
            at = table.read_lines(bytes_, at)
        bytes_.ends(at)
        check_tables(self.tables, bytes_)

    def contains(self, h):
        x = (h ^ h >> 32) * GOLDEN & WORD
        m = x ^ x >> 32
        return any(table.contains(m) for table in self.tables)


def check_window_table(bytes_):
    """The numbers before the tables, in their ranges."""
    flags, window, memory = bytes_.u32(88), bytes_.u64(48), bytes_.u64(64)
    of_time = flags & 1
    need(flags < 16 and (of_time or not flags), "CORRUPT", f"flags {flags}")
    need(of_time == (bytes_.u32(28) != 0), "CORRUPT", "a window of time has a clock, and no other has one")
    need(1 <= window and (of_time or window <= 1 << 40), "CORRUPT", f"a window of {window}")
    need(bytes_.u64(56) <= 1 << 40 and bytes_.u64(72) >= 1, "CORRUPT", "capacity or max_step_ns")
    need(memory == 0 or memory >= 128, "CORRUPT", f"memory {memory}")
    need(1e-12 <= bytes_.f64(80) <= 0.5, "CORRUPT", f"error rate {bytes_.f64(80)}")
    need(2 <= bytes_.u32(92) <= 5, "CORRUPT", f"age_bits {bytes_.u32(92)}")
    need(bytes_.u32(96) in (1, 2) and bytes_.u32(100) == 1, "CORRUPT", "repeat or on_limit")
    need(bytes_.u64(104) < 1024 and bytes_.u64(112) < window, "CORRUPT", "the position")
    need(bytes_.u64(120) <= (1000 if flags & 8 else 0), "CORRUPT", "the age of the youngest key that had to go")
    need(all(count <= 1 << 62 for count in bytes_.numbers(128, 11)), "CORRUPT", "a count")
    need(bytes_.u64(216) <= 127, "CORRUPT", "generations of the round")
    need(bytes_.u32(224) <= of_time and bytes_.u32(228) == 0, "CORRUPT", "byte 224 or 228")
    need(1 <= bytes_.u64(232) <= (64 if of_time else 1), "CORRUPT", f"{bytes_.u64(232)} tables")
    if not of_time:
        need(bytes_.u64(40) == 0 == bytes_.u64(56) and bytes_.u64(72) == WORD, "CORRUPT", "a number of a window of time")
        need(not any(bytes_.numbers(200, 3)), "CORRUPT", "a number of a window of time")


def check_tables(tables, bytes_):
    """What the numbers say of all tables together."""
    memory, in_all = bytes_.u64(64), sum(64 * len(table.lines) for table in tables)
    need(memory == 0 or in_all <= memory, "CORRUPT", f"{in_all} bytes of tables, more than memory")
    need(in_all <= bytes_.u64(144), "CORRUPT", f"{in_all} bytes of tables, more than ever")
    need(bytes_.u64(200) <= len(tables[0].lines) * tables[0].shape.cells, "CORRUPT", "more room than cells")
    shares, of_time = [table.share for table in tables], bytes_.u32(88) & 1
    need(all(0 <= share <= 0.5 for share in shares) if of_time else shares == [1], "CORRUPT", f"shares {shares}")
    need(sum(shares) <= 1, "CORRUPT", f"shares {shares}")
    ages = [table.age for table in tables[1:]]
    need(max(ages + [tables[0].age]) <= 1000 and ages == sorted(ages), "CORRUPT", f"ages {ages} of tables")


class Shape:
    """How many groups, lines and cells a table has, and where in it a key belongs."""

    def __init__(self, groups, pairs, cells, age_bits):
        self.groups, self.pairs, self.cells = groups, pairs, cells
        need(groups in (1, 2, 4, 8, 16, 32) or (groups and groups % 64 == 0), "CORRUPT", f"{groups} groups")
        need(pairs >= 1 and 10 <= cells <= 31, "CORRUPT", f"{pairs} pairs of lines, {cells} cells")
        self.lane_bits, self.lines = 16 - age_bits, 2 * pairs * groups
        self.narrow, self.wide = divmod(504 - 16 * cells, cells)
        self.widest = self.width(0)

    def width(self, i):
        """The extra bits of cell i of a line."""
        return self.narrow + (i < self.wide)

    def extra_at(self, i):
        return 16 * self.cells + i * self.narrow + min(i, self.wide)

    def phase(self, j):
        return (j % (2 * self.pairs) // 2 + j // (2 * self.pairs)) % 8

    def place(self, m):
        """The key's home line and its other line, its fingerprint and all its extra bits."""
        g, q = spread(m, self.groups), spread(rest(m, self.groups), 2 * self.pairs)
        fingerprint = 1 + ((m & 0xFFFFF) * ((1 << self.lane_bits) - 1) >> 20)
        v = fingerprint * self.pairs >> self.lane_bits
        other = 2 * ((v - q // 2) % self.pairs) + 1 - q % 2
        return 2 * self.pairs * g + q, 2 * self.pairs * g + other, fingerprint, m >> 20


class Table:
    """One table of a window table: its record, its stash and its lines."""

    def __init__(self, filter, bytes_, at):
        numbers = bytes_.numbers(at, 8)
        self.filter, self.shape = filter, Shape(*numbers[:3], filter.age_bits)
        self.share, self.age = bytes_.f64(at + 24), numbers[4]
        leaving, wide = numbers[6:]
        need(wide <= leaving <= 840 * self.shape.lines * self.shape.cells, "CORRUPT", "cells that leave")
        self.read_stash(bytes_, at + 64, numbers[5])

    def read_stash(self, bytes_, at, groups):
        self.stash, self.closed, last = [], {}, -1
        for _ in range(groups):
            number, keys, closed = bytes_.numbers(at, 3)
            need(last < number <= self.shape.groups and closed <= 1001, "CORRUPT", f"group {number} of a stash")
            need(number < self.shape.groups or (closed and not keys), "CORRUPT", "the record of all groups")
            need(keys <= 64, "CORRUPT", f"{keys} keys in a group of a stash")
            if closed:
                self.closed[number] = closed - 1
            self.stash += [self.stashed(number, bytes_.numbers(at + 24 + 32 * i, 4)) for i in range(keys)]
            at, last = at + 24 + 32 * keys, number
        self.end = at

    def stashed(self, group, key):
        home, fingerprint, extra, age = key
        need(home // (2 * self.shape.pairs) == group, "CORRUPT", f"home line {home} in group {group}")
        need(0 < fingerprint < 1 << self.shape.lane_bits, "CORRUPT", f"fingerprint {fingerprint}")
        need(extra < 1 << self.shape.widest and age <= 1000, "CORRUPT", f"extra bits {extra} or age {age}")
        return home, fingerprint, extra, age

    def read_lines(self, bytes_, at):
        bits = bytes_.cells(at, 8 * self.shape.lines)
        self.lines = [bits.field(512 * j, 512) for j in range(self.shape.lines)]
        self.lanes = [[line >> 16 * i & 0xFFFF for i in range(self.shape.cells)] for line in self.lines]
        waiting = {home for home, _, _, age in self.stash if self.counts(self.seen(home, age), home, 0)}
        for j, line in enumerate(self.lines):
            self.check_line(j, line)
            need(line >> 511 == (j in waiting), "CORRUPT", f"bit 511 of line {j}")
        return at + 64 * self.shape.lines

    def check_line(self, j, line):
        """Free cells are 0, and so is what lies behind the last; the epoch is that of the position."""
        shape = self.shape
        for i in range(shape.cells):
            lane, extra = self.lanes[j][i], line >> shape.extra_at(i) & (1 << shape.width(i)) - 1
            free = lane & (1 << shape.lane_bits) - 1 == 0
            need(not free or lane == extra == 0, "CORRUPT", f"cell {i} of line {j}, which is free")
        end = shape.extra_at(shape.cells)
        need(line >> end & (1 << 504 - end) - 1 == 0, "CORRUPT", f"bits behind the cells of line {j}")
        need(line >> 504 & 127 == self.generation(j, 0) % 128, "CORRUPT", f"the epoch of line {j}")

    def generation(self, j, parts):
        """The generation of line j so many parts after the snapshot."""
        return (self.filter.position + parts + self.shape.phase(j)) // 8

    def seen(self, j, age):
        return self.generation(j, -age)

    def counts(self, seen, j, parts):
        """Whether what line j saw in that generation is still found so many parts after the snapshot."""
        return self.generation(j, parts) - seen <= self.filter.generations

    def contains(self, m):
        home, other, fingerprint, extra = self.shape.place(m)
        return (
            self.in_line(home, fingerprint, extra)
            or self.in_line(other, fingerprint, extra)
            or self.in_stash(home, fingerprint, extra)
            or self.in_closed_group(home // (2 * self.shape.pairs))
        )

    def in_line(self, j, fingerprint, extra):
        mask = (1 << self.shape.lane_bits) - 1
        alike = [i for i, lane in enumerate(self.lanes[j]) if lane & mask == fingerprint]
        return any(self.in_cell(j, i, extra) for i in alike)

    def in_cell(self, j, i, extra):
        if (self.lines[j] >> self.shape.extra_at(i) ^ extra) & (1 << self.shape.width(i)) - 1:
            return False
        now, tag = self.generation(j, 0), self.lanes[j][i] >> self.shape.lane_bits
        age = (now - tag) % (self.filter.generations + 1)
        return self.counts(now - age, j, self.filter.passed)

    def in_stash(self, home, fingerprint, extra):
        key = home, fingerprint, extra & (1 << self.shape.widest) - 1
        ages = [kept[3] for kept in self.stash if kept[:3] == key]
        return any(self.counts(self.seen(home, age), home, self.filter.passed) for age in ages)

    def in_closed_group(self, g):
        ages = [self.closed[number] for number in (g, self.shape.groups) if number in self.closed]
        return any(age + self.filter.passed < 8 * (self.filter.generations + 1) for age in ages)


class Snapshot:
    """A filter, from its bytes."""

    def __init__(self, data, elapsed=0, secret=None):
        check_frame(data)
        bytes_ = Bytes(data)
        self.hash = hash_of(bytes_.u32(24), bytes_.u64(32), secret)
        kind, clock = bytes_.u32(12), bytes_.u32(28)
        need(kind in (1, 2, 3, 4, 5), "CORRUPT", f"kind {kind}")
        need(clock in {1: (1, 2), 5: (0, 1, 2)}.get(kind, (0,)), "CORRUPT", f"clock {clock} of kind {kind}")
        need(0 <= elapsed and bytes_.u64(40) + elapsed <= WORD, "ELAPSED", f"{elapsed}")
        of_time = {1: TimeLimited, 5: WindowTable}
        kinds = {2: AgePartitioned, 3: TinySet, 4: Quotient}
        self.filter = of_time[kind](bytes_, elapsed) if kind in of_time else kinds[kind](bytes_)

    def contains(self, key):
        return bool(self.filter.contains(self.hash(key)))


def check_frame(data):
    bytes_ = Bytes(data)
    need(data[:8] == MAGIC, "MAGIC", "not a snapshot")
    need(bytes_.u32(8) == VERSION, "VERSION", f"{bytes_.u32(8)}")
    need(len(data) >= 56 and bytes_.u64(16) == len(data), "CORRUPT", f"{len(data)} bytes, not {bytes_.u64(16)}")
    need(bytes_.u64(len(data) - 8) == xxh3_64(data[:-8]), "CHECKSUM", "wrong")


def hash_of(number, check, secret):
    """The function from a key's bytes to its hash."""
    if number == 1:
        need(secret is None, "SECRET", "the filter is not keyed")
        return lambda key: xxh3_64(key, check)
    need(number == 2, "CORRUPT", f"hash {number}")
    need(secret is not None, "SECRET", "the filter is keyed")
    need(siphash(b"lately: which secret is this", *secret, 2, 4) == check, "SECRET", "not this filter's")
    return lambda key: siphash(key, *secret, 1, 3)


def keys_of(arguments):
    lines = arguments.keys or (line.rstrip("\n") for line in sys.stdin)
    for name in lines:
        if arguments.text:
            yield name, name.encode()
        else:
            yield name, b"" if name == "-" else bytes.fromhex(name)


def parsed():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("file")
    parser.add_argument("keys", nargs="*")
    parser.add_argument("--elapsed", type=int, default=0)
    parser.add_argument("--secret", type=int, nargs=2)
    parser.add_argument("--text", action="store_true")
    return parser.parse_args()


def main():
    arguments = parsed()
    with open(arguments.file, "rb") as file:
        snapshot = Snapshot(file.read(), arguments.elapsed, arguments.secret)
    for name, key in keys_of(arguments):
        print(name, int(snapshot.contains(key)))


if __name__ == "__main__":
    try:
        main()
    except (Refused, OSError) as refused:
        sys.exit(f"reader.py: {refused}")
