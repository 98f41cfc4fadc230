#!/usr/bin/env python3
"""Compares the reader with the library: on every golden file, and on what becomes of it afterwards.

    compare.py LIBRARY TESTS

LIBRARY is liblately.so, of which the C ABI is called; TESTS is the folder `tests` of the sources. Ends with an
error at the first difference, and also if it saw too little to tell one. With LATELY_LONG=1 it asks for three
times as many keys.
"""

import ctypes
import os
import random
import sys
from pathlib import Path

import crafted
from hashes import siphash, xxh3_64
from reader import Bytes, Refused, Snapshot

# From the appendix of the paper: SipHash-2-4 of the bytes 0 to 14 under the key of the bytes 0 to 15.
SIPHASH_VECTOR = 0xA129CA6149BE45E5
CRAFTED = 24
NOW = (1 << 64) - 1
# Each third key; all of them in the long form.
STEP = 1 if os.environ.get("LATELY_LONG") == "1" else 3
TIMES = [0, 1, 300_000_000, 300_000_001, 999_999_999, 1_000_000_000, 1_000_000_001, 1 << 62]


class LoadOptions(ctypes.Structure):
    _fields_ = [("struct_size", ctypes.c_size_t)] + [(name, ctypes.c_uint64) for name in ("memory", "lo", "hi", "new_memory")]


class Library:
    """The part of the C ABI that is needed here."""

    def __init__(self, path):
        self.calls = ctypes.CDLL(str(path))
        u64, size, pointer, key = ctypes.c_uint64, ctypes.c_size_t, ctypes.c_void_p, ctypes.c_char_p
        room, number = ctypes.c_void_p, ctypes.POINTER(ctypes.c_size_t)
        verdict = ctypes.POINTER(ctypes.c_uint8)
        signatures = {
            "filter_load": [key, size, ctypes.c_int64, ctypes.POINTER(LoadOptions), ctypes.POINTER(pointer), pointer],
            "filter_contains": [pointer, key, size, u64, verdict],
            "filter_observe": [pointer, key, size, u64, verdict],
            "filter_claim": [pointer, key, size, u64, verdict, ctypes.POINTER(u64)],
            "filter_snapshot_write": [pointer, room, size, number],
            "filter_free": [pointer],
            "status_name": [ctypes.c_uint32],
        }
        for name, arguments in signatures.items():
            getattr(self.calls, "lately_" + name).argtypes = arguments
        self.calls.lately_status_name.restype = ctypes.c_char_p
        self.calls.lately_filter_free.restype = None

    def call(self, name, *arguments):
        """The name of the status of a call."""
        status = getattr(self.calls, "lately_filter_" + name)(*arguments)
        return self.calls.lately_status_name(status).decode()

    def load(self, data, elapsed=0, secret=None):
        options = LoadOptions(ctypes.sizeof(LoadOptions), 0, *(secret or (0, 0)))
        handle = ctypes.c_void_p()
        status = self.call("load", data, len(data), elapsed, ctypes.byref(options), ctypes.byref(handle), None)
        return Filter(self, handle) if status == "OK" else status


class Filter:
    """A filter of the library."""

    def __init__(self, library, handle):
        self.library, self.handle = library, handle

    def __del__(self):
        self.library.calls.lately_filter_free(self.handle)

    def asked(self, verb, key, tick=NOW):
        verdict = ctypes.c_uint8(9)
        status = self.library.call(verb, self.handle, key, len(key), tick, ctypes.byref(verdict))
        if status == "CLOCK" and verb == "contains" and tick == NOW:
            return self.asked(verb, key, 0)  # A manual clock that has no tick yet.
        expect(status == "OK" and verdict.value in (0, 1), f"{verb} gave {status} and {verdict.value}")
        return bool(verdict.value)

    def contains(self, key):
        return self.asked("contains", key)

    def snapshot(self):
        room = ctypes.create_string_buffer(1 << 20)
        written = ctypes.c_size_t()
        status = self.library.call("snapshot_write", self.handle, room, len(room), ctypes.byref(written))
        expect(status == "OK", f"snapshot_write gave {status}")
        return room.raw[: written.value]


def expect(holds, why):
    if not holds:
        sys.exit(f"compare.py: {why}")


class Row:
    """A golden file, as its line in filters.tsv describes it."""

    def __init__(self, folder, line):
        self.name, options, keys = line.split("\t")[:3]
        self.keys = int(keys)
        self.options = dict(word.split("=") for word in options.split(" "))
        self.secret = None
        if "secret_lo" in self.options:
            self.secret = int(self.options["secret_lo"]), int(self.options["secret_hi"])
        self.data = (folder / f"{self.name}.lately").read_bytes()

    def times(self):
        return TIMES if self.options.get("clock") == "2" else [0, TIMES[-1]]


class Sample:
    """Keys to ask for, and the answers that were seen."""

    def __init__(self):
        self.numbers = [i.to_bytes(8, "little") for i in range(1500)]
        # Every length up to three blocks of the long hash's stripes, and some behind a whole block of it.
        self.mixed = [lengthy(n) for n in list(range(420)) + [1023, 1024, 1025, 1088, 2048, 2049, 2500]]
        self.keys = self.numbers[::STEP] + self.mixed[::STEP]
        self.compared = self.present = 0

    def compare(self, name, data, elapsed, secret, filter, keys=None):
        reader, keys = Snapshot(data, elapsed, secret), keys or self.keys
        for key in keys:
            one, other = reader.contains(key), filter.contains(key)
            expect(one == other, f"{name}, {elapsed} ns later: {key.hex()}: the reader says {one}, the library {other}")
            self.present += one
        self.compared += len(keys)


def lengthy(n):
    """A key of n bytes."""
    return bytes((7 * n + 31 * i + i * i // 5) & 255 for i in range(n))


def tables(golden):
    for folder in sorted(path for path in golden.iterdir() if path.is_dir()):
        yield folder, (folder / "filters.tsv").read_text().splitlines()[1:]


def compare_as_written(library, row, sample):
    for elapsed in row.times():
        sample.compare(row.name, row.data, elapsed, row.secret, library.load(row.data, elapsed, row.secret))


def compare_after_more(library, row, sample):
    """The filter sees keys of all lengths, on and on, and is written again and again."""
    filter = library.load(row.data, 0, row.secret)
    tick = int.from_bytes(row.data[40:48], "little")
    for part in range(3):
        for key in sample.mixed[part::3]:
            tick += 3_000_000
            if row.options.get("clock") == "2":
                filter.asked("observe", key, tick)
            else:
                filter.asked("observe", key)
        sample.compare(f"{row.name} with more keys", filter.snapshot(), 0, row.secret, filter)


def compare_crowded(library, row, sample):
    """A burst, with which a window table grows, or whose keys it stashes; a silence; then few keys, with which it shrinks."""
    filter = library.load(row.data, 0, row.secret)
    tick = int.from_bytes(row.data[40:48], "little")
    for burst, step, wait in ((9000, 30_000, 1_900_000_000), (90, 9_000_000, 0)):
        for i in range(burst):
            filter.asked("observe", (i * 7919 % burst).to_bytes(8, "little"), tick + i * step)
        tick += burst * step + wait
        data = filter.snapshot()
        for elapsed in (0, 400_000_000, 1_000_000_001):
            sample.compare(f"{row.name}, crowded", data, elapsed, row.secret, library.load(data, elapsed, row.secret))


def compare_crafted(library, sample, rows):
    of_time = [row for row in rows if row.options["kind"] == "5" and "window_ns" in row.options and not row.secret]
    of_time = [row for row in of_time if not {"lateness_ns", "lease_ns"} & row.options.keys()]
    templates = [crafted.Template(Bytes(row.data)) for row in of_time]
    expect({template.age_bits for template in templates} == {2, 3, 4, 5}, "a template for every size of a tag")
    for number in range(CRAFTED):
        window, data = crafted.snapshot(number, templates, sample.numbers[:500])
        for elapsed in {min(time, TIMES[-1]) for time in (0, window // 16, window // 2, window + window // 8)}:
            filter = library.load(data, elapsed)
            expect(isinstance(filter, Filter), f"crafted snapshot {number}, {elapsed} ns later: {filter}")
            sample.compare(f"crafted snapshot {number}", data, elapsed, None, filter, sample.numbers[:700:STEP])


def compare_refusals(library, row):
    """What is wrong on the outside is refused by the same status."""
    data, wrong = row.data, (row.secret or (5, 6))[::-1]
    cases = [(data[:8] + bytes([9]) + data[9:], 0, row.secret), (b"x" + data[1:], 0, row.secret)]
    cases += [(data[:-1], 0, row.secret), (data + b"x", 0, row.secret)]
    cases += [(data, -1, row.secret), (data, 0, wrong)]
    cases += [(flipped(data, at), 0, row.secret) for at in range(8, len(data), 7)]
    for case in cases:
        said = library.load(*case)
        expect(isinstance(said, str) and said == refusal(*case), f"{row.name}: {said}, reader: {refusal(*case)}")


def flipped(data, at, bit=4):
    return data[:at] + bytes([data[at] ^ 1 << bit]) + data[at + 1 :]


def compare_corrupt(library, row, places, least):
    """With a right checksum around a wrong bit, the library and the reader refuse the same, and read the same else."""
    refused = 0
    for at, bit in places:
        wrong = crafted.sealed(flipped(row.data, at, bit)[:-8])
        said, other = library.load(wrong, 0, row.secret), refusal(wrong, 0, row.secret)
        said = "OK" if isinstance(said, Filter) else said
        expect(said == other, f"{row.name} with bit {bit} of byte {at} wrong: {said}, reader: {other}")
        refused += said == "CORRUPT"
    expect(refused > least, f"{row.name}: only {refused} wrong bits were refused")


def places_of(row):
    """Two bits of each number, and some of the cells."""
    end, draw = len(row.data) - 8, random.Random(5)
    numbers = [(at, bit) for at in range(48, min(520, end)) for bit in (0, 5)]
    return numbers + [(draw.randrange(48, end), draw.randrange(8)) for _ in range(200)]


def refusal(*case):
    try:
        Snapshot(*case)
        return "OK"
    except Refused as refused:
        return str(refused).split(":")[0]


def check_page(page):
    """The values of the hashes that the page gives."""
    low, high = 0x0706050403020100, 0x0F0E0D0C0B0A0908
    expect(siphash(bytes(range(15)), low, high, 2, 4) == SIPHASH_VECTOR, "SipHash-2-4")
    for name, data in (("none", b""), ("`00` to `0E`", bytes(range(15)))):
        values = xxh3_64(data), siphash(data, low, high, 1, 3), siphash(data, low, high, 2, 4)
        row = f"| {name} | " + " | ".join(f"`0x{value:016X}`" for value in values) + " |"
        expect(row in page.read_text().splitlines(), f"{page.name} lacks {row}")


def compare_claims(library, row, sample):
    """A golden file with claims: with wrong bits, and with claims on keys of all lengths."""
    end = 48 + Snapshot(row.data, 0, row.secret).claims.size
    # A table of another size is allowed, and takes its memory.
    compare_corrupt(library, row, [(at, bit) for at in range(48, end) if not 56 <= at < 64 for bit in (0, 5)], 20)
    filter = library.load(row.data, 0, row.secret)
    for key in sample.mixed:
        token, verdict = ctypes.c_uint64(), ctypes.c_uint8(9)
        library.call("claim", filter.handle, key, len(key), NOW, ctypes.byref(verdict), ctypes.byref(token))
    data = filter.snapshot()
    sample.compare(f"{row.name} with more claims", data, 0, row.secret, library.load(data, 0, row.secret), sample.mixed)


def main(library, tests):
    library, tests, sample, files = Library(library), Path(tests), Sample(), 0
    check_page(tests.parent / "docs" / "reference" / "format.md")
    all_rows = []
    for folder, lines in tables(tests / "golden"):
        rows = [Row(folder, line) for line in lines]
        all_rows += rows
        for row in rows:
            compare_as_written(library, row, sample)
            compare_after_more(library, row, sample)
            compare_refusals(library, row)
            if "lease_ns" in row.options:
                compare_claims(library, row, sample)
            elif row.options["kind"] == "5":
                compare_corrupt(library, row, places_of(row), 150)
                if row.options.get("clock") == "2":
                    compare_crowded(library, row, sample)
        files += len(rows)
    compare_crafted(library, sample, all_rows)
    absent = sample.compared - sample.present
    expect(files >= 43 and min(sample.present, absent) > 50_000 // STEP, f"only {files} files, {sample.present} present")
    print(f"format: {files} golden files, {sample.compared} answers compared, {sample.present} of them present")


if __name__ == "__main__":
    expect(len(sys.argv) == 3, "wanted: compare.py LIBRARY TESTS")
    try:
        main(*sys.argv[1:])
    except Refused as refused:
        sys.exit(f"compare.py: the reader refused what the library wrote: {refused}")
