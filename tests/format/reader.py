#!/usr/bin/env python3
"""Answers `contains` from the bytes of a snapshot: a reader written from docs/reference/format.md, and from nothing else.

    reader.py FILE [--elapsed NS] [--secret LOW HIGH] [--text] [KEY ...]

Keys are hexadecimal, `-` the empty one, or text with --text; without keys they are read from the standard input, one a
line. Prints a line for each key: the key, and 1 if it is present, else 0. Python's standard library only.
"""

import argparse
import functools
import struct
import sys
from math import comb

from hashes import WORD, siphash, siphash_128, xxh3_64, xxh3_128

MAGIC = bytes.fromhex("894c544c590d0a1a")
VERSION = 2
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
    """Kind 5: lines of cells that know some bits of a key, and the generation in which it was last seen."""

    def __init__(self, bytes_, elapsed):
        lateness, bytes_ = without_lateness(bytes_)
        check_window_table(bytes_)
        self.of_time, self.age_bits = bytes_.u32(88) & 1, bytes_.u32(92)
        self.generations = generations_of(bytes_.u64(48), lateness, (1 << self.age_bits) - 1)
        self.widths = [Width(cells, self.age_bits, code) for code, cells in enumerate(cells_of_codes(bytes_))]
        n, at = bytes_.u64(152), 160
        need(n in (1, 8), "CORRUPT", f"{n} sections")
        self.sections = []
        for i in range(n):
            self.sections.append(Section(self, bytes_, at, i if n == 8 else None))
            at = self.sections[-1].end
        self.expect_memory(bytes_.u64(64) // 64 if bytes_.u64(64) else None)
        for section in self.sections:
            at = section.read_lines(bytes_, at)
        bytes_.ends(at)
        lines = sum(sum(section.lines_of) for section in self.sections)
        need(bytes_.u64(136) >= 64 * lines and bytes_.u64(136) % 64 == 0, "CORRUPT", "fewer bytes ever than now")
        need(len({section.stands for section in self.sections}) == 1, "CORRUPT", "sections at several positions")
        self.passed = 0
        if self.of_time:
            self.passed = (8 * self.generations * elapsed + self.sections[0].rest) // bytes_.u64(48)

    def expect_memory(self, most):
        """All lines fit into memory, and of a window of time each section into its share."""
        lines = [sum(section.lines_of) for section in self.sections]
        each = max(lines) * len(lines) if self.of_time else 0
        need(most is None or max(sum(lines), each) <= most, "CORRUPT", f"{sum(lines)} lines, more than memory")

    def contains(self, h):
        x = (h ^ h >> 32) * GOLDEN & WORD
        m = x ^ x >> 32
        return self.sections[(m >> 14) % len(self.sections)].contains(m)


def without_lateness(bytes_):
    """The lateness, and the bytes as they are where none is allowed."""
    if not bytes_.u32(88) & 4:
        return 0, bytes_
    (lateness,), (window, t) = bytes_.numbers(104, 1), (bytes_.u64(48), bytes_.u32(92))
    need(2 <= bytes_.u32(28) <= 5 and bytes_.u32(88) & 1, "CORRUPT", "a lateness is of a window of time and a manual clock")
    need(2 <= t <= 5, "CORRUPT", f"age_bits {t}")
    need(1 <= lateness <= min(window * 24 // 7, window * ((1 << t) - 2)), "CORRUPT", f"lateness {lateness}")
    return lateness, Bytes(bytes_.data[:104] + bytes_.data[112:])


def generations_of(window, lateness, all_):
    """The generations of a window, if a tag tells `all_` apart, and the lateness needs some."""
    return max(g for g in range(1, all_ + 1) if g == 1 or g + -(-g * lateness // window) <= all_)


def cells_of_codes(bytes_):
    return [cells for cells in bytes_.data[144:152] if cells]


def check_window_table(bytes_):
    """The numbers before the sections, in their ranges."""
    flags, window, memory = bytes_.u32(88), bytes_.u64(48), bytes_.u64(64)
    of_time = flags & 1
    need(flags < 8 and (of_time or not flags), "CORRUPT", f"flags {flags}")
    need(of_time == (bytes_.u32(28) != 0), "CORRUPT", "a window of time has a clock, and no other has one")
    need(1 <= window and (of_time or window <= 1 << 40), "CORRUPT", f"a window of {window}")
    need(bytes_.u64(56) <= 1 << 40 and bytes_.u64(72) >= 1, "CORRUPT", "capacity or max_step_ns")
    need(memory == 0 or memory >= (1024 if of_time else 128), "CORRUPT", f"memory {memory}")
    need(1e-12 <= bytes_.f64(80) <= 0.5, "CORRUPT", f"error rate {bytes_.f64(80)}")
    need(2 <= bytes_.u32(92) <= 5, "CORRUPT", f"age_bits {bytes_.u32(92)}")
    need(bytes_.u32(96) in (1, 2) and bytes_.u32(100) == 1, "CORRUPT", "repeat or on_limit")
    need(all(count <= 1 << 62 for count in bytes_.numbers(104, 5)), "CORRUPT", "a count")
    cells = cells_of_codes(bytes_)
    need(cells and all(7 <= c <= 31 for c in cells), "CORRUPT", f"lines of {cells} cells")
    if not of_time:
        need(bytes_.u64(40) == 0 == bytes_.u64(56) and bytes_.u64(72) == WORD, "CORRUPT", "a number of a window of time")


class Width:
    """How many cells a line of one code has, and where their fields are."""

    def __init__(self, cells, age_bits, code):
        self.cells, self.says = cells, code > 0
        room = 507 - age_bits - 16 * cells
        self.widths = [room // cells + (i < room % cells) for i in range(cells)]
        self.at = [16 * cells + sum(self.widths[:i]) for i in range(cells)]

    def field(self, line, i):
        return line >> self.at[i] & (1 << self.widths[i]) - 1

    def known(self, line, i):
        """The bits that a cell knows, and how many they are; None if no cell has such a field."""
        field = self.field(line, i)
        if not self.says:
            return field, self.widths[i]
        known = field.bit_length() - 1
        return (field ^ 1 << known, known) if field else None


class Numbers:
    """The numbers of a section, one after the other, each in its range."""

    def __init__(self, bytes_, at):
        self.bytes, self.at = bytes_, at

    def whole(self, name, least=0, most=1 << 62):
        (number,) = self.bytes.numbers(self.at, 1)
        need(least <= number <= most, "CORRUPT", f"{name}: {number}")
        self.at += 8
        return number

    def flag(self, name):
        return self.whole(name, 0, 1)

    def age(self, name):
        return self.whole(name, 0, 1023)

    def real(self, name, least, most):
        (number,) = struct.unpack("<d", struct.pack("<Q", self.whole(name, 0, WORD)))
        need(least <= number <= most, "CORRUPT", f"{name}: {number}")
        return number


class Section:
    """All lines, or those of one phase: their numbers, their stash, and themselves."""

    def __init__(self, filter, bytes_, at, phase):
        self.filter, self.phase = filter, phase
        self.skip = 0 if phase is None else 3
        numbers = Numbers(bytes_, at)
        self.read_place(numbers, bytes_.u64(48))
        self.read_growth(numbers)
        self.read_tending(numbers)
        self.read_counts(numbers)
        self.read_stash(numbers)
        self.end = numbers.at

    def read_place(self, numbers, window):
        self.running, self.position = numbers.flag("running"), numbers.age("position")
        self.rest = numbers.whole("rest", 0, window - 1)
        self.depth = numbers.whole("D", 3, 40)
        half = 1 << self.depth - self.skip
        split = numbers.whole("P", 0, 2 * half - 1)
        # Lines of each side that are split, and with their second halves.
        self.splits = [min(split, half), max(split - half, 0)]
        self.lines_of = [half + splits for splits in self.splits]
        self.stands = self.running, self.position % 8, self.rest

    def read_growth(self, numbers):
        need_ = numbers.real("weight", 0, 1), numbers.whole("bits", 0, 114), numbers.flag("narrows"), numbers.flag("grows")
        mixes = [self.mix(numbers), self.mix(numbers)]
        limits = [numbers.whole("limit", 0, WORD) for _ in range(3)]
        stores = numbers.whole("stores")
        numbers.whole("stores of the last part")
        numbers.whole("stores of this part")
        due, weighed = numbers.whole("due", 0, WORD), numbers.whole("weighed")
        numbers.whole("since", 0, stores)
        numbers.real("correction", 0.7, 3)
        numbers.flag("starved")
        numbers.whole("parts of the first size", 0, 1024)
        if self.filter.of_time:
            need(stores <= due <= stores + 1024, "CORRUPT", f"due {due}")
        else:
            fixed = need_ == (1, 0, 1, 0) and mixes == [(0, 0)] * 2 and limits == [WORD, 0, 0]
            need(fixed and due == WORD and weighed == 0, "CORRUPT", "growth of a window of keys")

    def mix(self, numbers):
        last = len(self.filter.widths) - 1
        code = numbers.whole("code", 0, last)
        return code, numbers.whole("share", 0, 256 if code < last else 0)

    def read_tending(self, numbers):
        calm = numbers.flag("calm")
        numbers.whole("patience", 0, 12)
        walk, line = numbers.whole("side of the walk", 0, 2), numbers.whole("line of the walk")
        phase = -self.position % 8 if self.phase is None else self.phase
        first = phase if walk == 1 else -phase % 8
        need(line % 8 == first if walk else line == 0, "CORRUPT", f"line {line} of the walk")
        numbers.whole("finished")
        numbers.flag("side of the sweep")
        numbers.whole("line of the sweep")
        owed = numbers.whole("owed")
        numbers.age("round")
        quiet = numbers.age("quiet")
        due = not self.running or walk or owed or quiet
        need(not (calm and due), "CORRUPT", "calm where lines are due")

    def read_counts(self, numbers):
        numbers.age("forgot")
        numbers.whole("forgotten")
        numbers.real("typical age", 0, 1024)
        for name in ("moved", "stashed", "splits", "merges", "copied", "refused"):
            numbers.whole(name)

    def read_stash(self, numbers):
        self.stash, last = {}, -1
        for _ in range(numbers.whole("keys of the stash")):
            m = numbers.whole("a key of the stash", last + 1, WORD)
            need(self.phase in (None, (m >> 14) % 8), "CORRUPT", "a key of another section")
            self.stash[m], last = numbers.age("age"), m
        untouched = self.filter.of_time and self.position == 0 and not self.stash
        need(self.running or untouched, "CORRUPT", "keys before the first")

    def read_lines(self, bytes_, at):
        count = sum(self.lines_of)
        bits = bytes_.cells(at, 8 * count)
        lines = [bits.field(512 * i, 512) for i in range(count)]
        self.sides = [lines[: self.lines_of[0]], lines[self.lines_of[0] :]]
        for side in (0, 1):
            for i, line in enumerate(self.sides[side]):
                self.check_line(side, i, line)
        return at + 64 * count

    def check_line(self, side, i, line):
        """What no operation leaves behind: an old epoch, bits of free cells, cells that know too much."""
        t, code = self.filter.age_bits, line >> 509
        now = self.generation(self.phase_of(side, i), 0)
        need(code < len(self.filter.widths), "CORRUPT", f"code {code}")
        need(line >> 507 - t & (4 << t) - 1 == now % (4 << t), "CORRUPT", f"the epoch of line {i} of side {side}")
        width = self.filter.widths[code]
        for cell in range(width.cells):
            lane, known = line >> 16 * cell & 0xFFFF, width.known(line, cell)
            if lane == 0:
                need(width.field(line, cell) == 0, "CORRUPT", f"a field of a free cell in line {i}")
            else:
                need(lane & (1 << 16 - t) - 1 and known and self.running, "CORRUPT", f"cell {cell} of line {i}")
                need(known[1] <= 50 - self.depth_of(side, i), "CORRUPT", f"{known[1]} bits known in line {i}")

    def phase_of(self, side, i):
        """The phase of the i-th line of a side."""
        return self.phase if self.phase is not None else i % 8 if side == 0 else -i % 8

    def depth_of(self, side, i):
        half = 1 << self.depth - self.skip
        return self.depth + (i % half < self.splits[side])

    def generation(self, phase, parts):
        """The generation of a line so many parts after the snapshot."""
        return (1024 + self.position + parts + phase) // 8

    def contains(self, m):
        t = self.filter.age_bits
        fingerprint = 1 + ((m & 0x3FFF) * ((1 << 16 - t) - 1) >> 14)
        first = m >> 14
        strings = [first, ((fingerprint * GOLDEN << 3) - first) & WORD]
        return any(self.in_line(side, strings[side], fingerprint) for side in (0, 1)) or self.in_stash(m)

    def in_line(self, side, string, fingerprint):
        half = 1 << self.depth - self.skip
        i = (string >> self.skip) % half
        depth = self.depth
        if i < self.splits[side]:
            i, depth = (string >> self.skip) % (2 * half), depth + 1
        line, t = self.sides[side][i], self.filter.age_bits
        width = self.filter.widths[line >> 509]
        phase = self.phase_of(side, i)
        for cell in range(width.cells):
            lane = line >> 16 * cell & 0xFFFF
            if lane & (1 << 16 - t) - 1 == fingerprint:
                bits, known = width.known(line, cell)
                alike = (bits ^ string >> depth) & (1 << known) - 1 == 0
                if alike and self.counts(phase, lane >> 16 - t):
                    return True
        return False

    def counts(self, phase, tag):
        now, then = self.generation(phase, 0), self.generation(phase, self.filter.passed)
        seen = now - (now - tag) % (1 << self.filter.age_bits)
        return then - seen <= self.filter.generations

    def in_stash(self, m):
        if m not in self.stash:
            return False
        phase = (m >> 14) % 8
        seen, then = self.generation(phase, -self.stash[m]), self.generation(phase, self.filter.passed)
        return then - seen <= self.filter.generations


class Snapshot:
    """A filter, from its bytes."""

    def __init__(self, data, elapsed=0, secret=None):
        check_frame(data)
        bytes_ = Bytes(data)
        self.hash = hash_of(bytes_.u32(24), bytes_.u64(32), secret)
        self.identity = identity_of(bytes_.u32(24), bytes_.u64(32), secret)
        kind, clock, parts = bytes_.u32(12), bytes_.u32(28) & 0xFFFF, bytes_.u32(28) >> 16
        need(kind in (1, 2, 3, 4, 5), "CORRUPT", f"kind {kind}")
        need(clock in {1: range(1, 6), 5: range(6)}.get(kind, (0,)), "CORRUPT", f"clock {clock} of kind {kind}")
        need(0 <= elapsed and bytes_.u64(40) + elapsed <= WORD, "ELAPSED", f"{elapsed}")
        need(parts in (0, 1), "CORRUPT", f"parts {parts}")
        self.claims = Claims(bytes_, clock, elapsed) if parts else None
        if parts:
            need(kind in (1, 2, 5), "CORRUPT", f"claims of kind {kind}")
            # What the kind keeps, as if there were no claims.
            bytes_ = Bytes(data[:30] + bytes(2) + data[32:48] + data[48 + self.claims.size :])
        of_time = {1: TimeLimited, 5: WindowTable}
        kinds = {2: AgePartitioned, 3: TinySet, 4: Quotient}
        self.filter = of_time[kind](bytes_, elapsed) if kind in of_time else kinds[kind](bytes_)

        need(not parts or clock == 0 or self.claims.lease <= bytes_.u64(48), "CORRUPT", "a lease longer than the window")

    def contains(self, key):
        is_claimed = self.claims is not None and self.identity(key) in self.claims.open
        return is_claimed or bool(self.filter.contains(self.hash(key)))


class Claims:
    """The claims that are open once `elapsed` has passed."""

    def __init__(self, bytes_, clock, elapsed):
        need(len(bytes_.data) >= 120, "CORRUPT", "no room for claims")
        self.lease, most, after, n, *counts = bytes_.numbers(48, 8)
        need(1 <= self.lease and (clock or self.lease <= 365 * 24 * 3600 * 10**9), "CORRUPT", f"lease {self.lease}")
        need(1 <= most <= 1 << 24 and n <= most and 1 <= after < 1 << 40, "CORRUPT", f"{n} claims of {most}")
        need(max(counts) <= 1 << 62, "CORRUPT", f"counts {counts}")
        numbers, self.size = bytes_.numbers(112, 4 * n), 64 + 32 * n
        claims = [numbers[4 * i : 4 * i + 4] for i in range(n)]
        need(len({(low, high) for low, high, *_ in claims}) == n, "CORRUPT", "two claims on a key")
        need(all(1 <= number < 1 << 40 for _, _, number, _ in claims), "CORRUPT", "the number of a claim")
        ages = [bytes_.u64(40) if clock else WORD] + [age for *_, age in claims]
        need(ages == sorted(ages, reverse=True), "CORRUPT", "claims that are not in order")
        self.open = {(low, high) for low, high, _, age in claims if age + elapsed <= self.lease}


# The same bytes and keys come again and again, and the hashes are slow.
checksum = functools.lru_cache(maxsize=2)(xxh3_64)


@functools.cache
def hashed(function, key, *arguments):
    return function(key, *arguments)


def check_frame(data):
    bytes_ = Bytes(data)
    need(data[:8] == MAGIC, "MAGIC", "not a snapshot")
    need(bytes_.u32(8) == VERSION, "VERSION", f"{bytes_.u32(8)}")
    need(len(data) >= 56 and bytes_.u64(16) == len(data), "CORRUPT", f"{len(data)} bytes, not {bytes_.u64(16)}")
    need(bytes_.u64(len(data) - 8) == checksum(data[:-8]), "CHECKSUM", "wrong")


def hash_of(number, check, secret):
    """The function from a key's bytes to its hash."""
    if number == 1:
        need(secret is None, "SECRET", "the filter is not keyed")
        return lambda key: hashed(xxh3_64, key, check)
    need(number == 2, "CORRUPT", f"hash {number}")
    need(secret is not None, "SECRET", "the filter is keyed")
    need(siphash(b"lately: which secret is this", *secret, 2, 4) == check, "SECRET", "not this filter's")
    return lambda key: hashed(siphash, key, *secret, 1, 3)


def identity_of(number, seed, secret):
    """The function from a key's bytes to its 128 bits."""
    if number == 1:
        return lambda key: hashed(xxh3_128, key, seed)
    return lambda key: hashed(siphash_128, key, *secret, 1, 3)


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
