"""Answers `contains` from the bytes of a snapshot: a reader written from docs/reference/format.md, and from nothing else.

`Snapshot(bytes, elapsed, secret).contains(key)`. Python's standard library, and the hashes.
"""

import struct
from math import comb

from hashes import WORD, siphash, siphash_128, xxh3_64, xxh3_128

MAGIC = bytes.fromhex("894c544c590d0a1a")
VERSION = 3
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
        flags, self.window = bytes_.u32(88), bytes_.u64(48)
        self.of_time, self.at_once = flags & 1, flags & 8
        self.age_bits, self.field = bytes_.u32(92), bytes_.u64(144)
        self.cells = {8: 21, 16: 16, 32: 10}[self.field]
        self.first_lines = bytes_.u64(152)
        self.generations = generations_of(self.window, lateness, (1 << self.age_bits) - 1)
        self.moment = bytes_.u64(40) if self.of_time else bytes_.u64(160)
        n, at = bytes_.u64(176), 184
        need(n in (1, 8), "CORRUPT", f"{n} sections")
        self.sections = []
        for i in range(n):
            self.sections.append(Section(self, bytes_, at, i if n == 8 else None))
            at = self.sections[-1].end
        self.expect_memory(bytes_.u64(64), bytes_.u64(168))
        need(all(section.is_with(self.sections[0]) for section in self.sections), "CORRUPT", "sections at several moments")
        for section in self.sections:
            at = section.read_lines(bytes_, at)
        bytes_.ends(at)
        self.now = self.moment + (elapsed if self.of_time else 0)

    def expect_memory(self, most, peak):
        """All lines and slots fit into memory, and there were never fewer at most."""
        taken = sum(64 * sum(section.lines_of) + section.slot_bytes for section in self.sections)
        need(not most or taken <= most, "CORRUPT", f"{taken} bytes, more than memory")
        need(taken <= peak <= 1 << 62, "CORRUPT", f"{taken} bytes, more than ever")

    def contains(self, h):
        x = (h ^ h >> 32) * GOLDEN & WORD
        m = x ^ x >> 32
        return self.sections[m % len(self.sections)].contains(m)


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


def check_window_table(bytes_):
    """The numbers before the sections, in their ranges."""
    flags, window, memory = bytes_.u32(88), bytes_.u64(48), bytes_.u64(64)
    of_time = flags & 1
    need(flags < 16 and (of_time or not flags & ~8), "CORRUPT", f"flags {flags}")
    need(of_time == (bytes_.u32(28) != 0), "CORRUPT", "a window of time has a clock, and no other has one")
    need(1 <= window and (of_time or window <= 1 << 40), "CORRUPT", f"a window of {window}")
    need(bytes_.u64(56) <= 1 << 40 and bytes_.u64(72) >= 1, "CORRUPT", "capacity or max_step_ns")
    need(memory == 0 or of_time or memory >= 128, "CORRUPT", f"memory {memory}")
    need(1e-11 <= bytes_.f64(80) <= 0.5, "CORRUPT", f"error rate {bytes_.f64(80)}")
    need(2 <= bytes_.u32(92) <= 5, "CORRUPT", f"age_bits {bytes_.u32(92)}")
    need(bytes_.u32(96) in (1, 2) and bytes_.u32(100) == 1, "CORRUPT", "repeat or on_limit")
    field, lines, observations = bytes_.numbers(144, 3)
    need(all(count <= 1 << 62 for count in [*bytes_.numbers(104, 5), observations]), "CORRUPT", "a count")
    need(field in (8, 16, 32), "CORRUPT", f"fields of {field} bits")
    need(16 <= lines <= (1 << 50 if flags & 8 else 4096), "CORRUPT", f"{lines} lines at first")
    if of_time:
        need(observations == 0, "CORRUPT", "observations of a window of time")
        need(bytes_.u32(28) != 1 or bytes_.u64(72) == WORD, "CORRUPT", "max_step_ns of a system clock")
    else:
        need(bytes_.u64(40) == 0 == bytes_.u64(56) and bytes_.u64(72) == WORD, "CORRUPT", "a number of a window of time")


class Numbers:
    """The numbers of a section, one after the other, each in its range."""

    def __init__(self, bytes_, at):
        self.bytes, self.at = bytes_, at

    def whole(self, name, least=0, most=1 << 62):
        (number,) = self.bytes.numbers(self.at, 1)
        need(least <= number <= most, "CORRUPT", f"{name}: {number}")
        self.at += 8
        return number


def shape_of(depth, split):
    """How many lines of each side are split, and how many lines each has."""
    half = 1 << depth
    splits = [min(split, half), max(split - half, 0)]
    return splits, [half + more for more in splits]


def first_of(lines, phase):
    """How many lines the first table has, or its section of a phase."""
    depth = (lines // 2).bit_length() - 1
    _, sides = shape_of(depth, lines - (2 << depth))
    return lines if phase is None else sum(max(0, -(-(side - phase) // 8)) for side in sides)


def slots_of(homes):
    return homes + (4 if homes < 18 else min(max(homes // 8, 16), 64)) if homes else 0


def slots_for(keys, homes, moved):
    """The slots of some homes, or more if the last of the keys, each at its home or behind it, need them."""
    end = moved
    for key in keys:
        end = max(end, key * homes >> 64) + 1
    return max(slots_of(homes), end)


class Section:
    """All lines, or those of one phase: their numbers, their stash, and themselves."""

    def __init__(self, filter, bytes_, at, phase):
        self.filter, self.phase = filter, phase
        numbers = Numbers(bytes_, at)
        self.read_place(numbers)
        self.read_shape(numbers)
        self.read_counts(numbers)
        self.read_stash(numbers)
        self.end = numbers.at

    def read_place(self, numbers):
        parts = 8 * self.filter.generations
        self.running, self.part = numbers.whole("running", 0, 1), numbers.whole("part", 1024, 2047)
        self.rest = numbers.whole("rest", 0, min(parts, self.filter.window) - 1)
        self.at = numbers.whole("moment of the part", 0, self.filter.moment)
        begun = self.running or (self.part, self.rest, self.at) == (1024, 0, 0)
        need(begun, "CORRUPT", "a place before the first key")

    def read_shape(self, numbers):
        self.mode = numbers.whole("mode", 0, 2)
        numbers.whole("since", 0, 1000 if self.mode == 2 else 0)
        need(self.mode < 2 or self.running, "CORRUPT", "it rests before it has begun")
        self.depth = numbers.whole("D", 3 if self.phase is None and self.mode else 0, 62 if self.mode else 0)
        split = numbers.whole("P", 0, (2 << self.depth) - 1 if self.mode else 0)
        self.splits, self.lines_of = shape_of(self.depth, split) if self.mode else ([0, 0], [0, 0])
        if self.mode:
            least = first_of(self.filter.first_lines, self.phase)
            need(sum(self.lines_of) >= least, "CORRUPT", f"fewer lines than {least}")
        need(self.mode or not self.filter.at_once, "CORRUPT", "no lines of a table that has them at once")

    def read_counts(self, numbers):
        t = self.filter.age_bits
        numbers.whole("calls")
        numbers.whole("memory was refused", 0, 3)
        numbers.whole("forgot", 0, 8 * ((1 << t) - 1) + 1)
        numbers.whole("usual age", 0, 1 << 16)
        for name in ("moved", "refused", "forgotten"):
            numbers.whole(name)
        numbers.whole("stores", 0, (1 << 32) - 1)
        self.walk = numbers.whole("chunks to look at", 0, 1 << 56 if self.mode else 0)
        numbers.whole("the last chunk", 0, 1 << 56)

    def read_stash(self, numbers):
        homes, old, first, second = (numbers.whole(name, 0, WORD) for name in ("homes", "old homes", "moved", "keys"))
        moved, to_sweep, count = first & 0xFFFF_FFFF, second & 0xFFFF_FFFF, second >> 32
        need(all(n == 0 or n >= 4 for n in (homes, old)), "CORRUPT", f"{homes} or {old} homes")
        need(moved <= slots_of(old) and to_sweep <= 2 * slots_of(homes), "CORRUPT", "slots that moved or are to be swept")
        need(count <= slots_of(homes) + slots_of(old), "CORRUPT", f"{count} keys of the stash")
        most = max(homes, old)
        need(most <= 4096 or most // 64 <= count + 16, "CORRUPT", f"{most} homes for {count} keys")
        need(count == 0 or self.running, "CORRUPT", "keys before the first")
        self.stash, last, news, olds = {}, -1, [], []
        for _ in range(count):
            m, seen = numbers.whole("a key of the stash", 0, WORD), numbers.whole("a key's age", 0, 2001)
            need(m * GOLDEN & WORD > last, "CORRUPT", "the stash is out of order")
            need(old if seen & 1 else homes, "CORRUPT", "a key among slots that are not there")
            self.stash[m], last = seen >> 1, m * GOLDEN & WORD
            (olds if seen & 1 else news).append(last)
        self.slot_bytes = 12 * (slots_for(news, homes, 0) + slots_for(olds, old, moved))

    def is_with(self, other):
        """Whether this section is at the same place of the same generation as another."""
        earlier, later = sorted((self, other), key=lambda section: section.at)
        return self.running == other.running and earlier.place_at(later.at) == later.place_at(later.at)

    def place_at(self, moment):
        parts = 8 * self.filter.generations
        steps, rest = divmod(parts * (moment - self.at) + self.rest, self.filter.window)
        if not steps:
            return self.part % 8, self.rest, self.at
        return (self.part + steps) % 8, rest % parts, moment - rest // parts

    def read_lines(self, bytes_, at):
        if not self.mode:
            return at
        taken, self.sides = Taken(bytes_, at), []
        chunks = [-(-lines // 32) for lines in self.lines_of]
        parts = lambda: int.from_bytes(taken.some(2), "little") if self.walk else 0
        self.behind = [[parts() for _ in range(count)] for count in chunks]
        most = 8 << self.filter.age_bits
        need(all(parts <= most for side in self.behind for parts in side), "CORRUPT", "a chunk too far behind")
        self.sides = [[self.read_line(taken) for _ in range(lines)] for lines in self.lines_of]
        need(self.running or not any(map(any, self.sides)), "CORRUPT", "cells before the first key")
        return taken.at

    def read_line(self, taken):
        """The cells of a line: lanes, each with its field."""
        cells, cell = self.filter.cells, 2 + self.filter.field // 8
        mask = int.from_bytes(taken.some(-(-cells // 8)), "little")
        need(mask < 1 << cells, "CORRUPT", f"a mask of more than {cells} bits")
        some = [taken.some(cell) for _ in range(mask.bit_count())]
        line = [(int.from_bytes(one[:2], "little"), int.from_bytes(one[2:], "little")) for one in some]
        need(all(field for _, field in line), "CORRUPT", "a cell without a field")
        return line

    def passed(self):
        return (8 * self.filter.generations * (self.filter.now - self.at) + self.rest) // self.filter.window

    def contains(self, m):
        self.key_phase = m % 8
        fingerprint = m >> 48 + self.filter.age_bits
        strings = [m, m ^ (fingerprint * GOLDEN << 3 & WORD)]
        return self.in_stash(m) or self.mode > 0 and any(self.in_line(side, strings[side], fingerprint) for side in (0, 1))

    def in_line(self, side, string, fingerprint):
        skip = 0 if self.phase is None else 3
        line, depth = (string >> skip) % (1 << self.depth), self.depth + skip
        if line < self.splits[side]:
            line, depth = (string >> skip) % (2 << self.depth), depth + 1
        behind, print_bits = self.behind[side][line // 32], 16 - self.filter.age_bits
        for lane, field in self.sides[side][line]:
            known = field.bit_length() - 1
            alike = (field ^ string >> depth) & (1 << known) - 1 == 0
            if lane & (1 << print_bits) - 1 == fingerprint and alike and self.counts(lane >> print_bits, behind):
                return True
        return False

    def generation(self, parts):
        """The generation of the key's lines so many parts after the position."""
        return (self.part + parts + self.key_phase) // 8

    def counts(self, tag, behind):
        tags, then = 1 << self.filter.age_bits, self.generation(-behind)
        seen = then - (then - tag) % tags
        is_there = self.generation(0) - seen < tags
        return is_there and self.generation(self.passed()) - seen <= self.filter.generations

    def in_stash(self, m):
        if m not in self.stash:
            return False
        return self.generation(self.passed()) - self.generation(-self.stash[m]) <= self.filter.generations


class Taken:
    """Bytes, some after the other."""

    def __init__(self, bytes_, at):
        self.data, self.at = bytes_.data, at

    def some(self, count):
        need(self.at + count <= len(self.data) - 8, "CORRUPT", f"{count} bytes at byte {self.at} do not fit")
        self.at += count
        return self.data[self.at - count : self.at]


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


def identity_of(number, seed, secret):
    """The function from a key's bytes to its 128 bits."""
    if number == 1:
        return lambda key: xxh3_128(key, seed)
    return lambda key: siphash_128(key, *secret, 1, 3)
