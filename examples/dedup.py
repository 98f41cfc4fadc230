"""Prints the first sightings among the lines of standard input, then one line of figures.

Record n has the tick n ms, and a line is new if it was not seen in the last 10 s, that is, in the last 10,000 records.

    python examples/dedup.py <records
"""

import sys

import lately

def main() -> None:
    seen = lately.Filter("10s", clock="ms", error_rate=1e-3)
    for record, line in enumerate(sys.stdin.buffer, start=1):
        key = line.removesuffix(b"\n")
        if seen.first(key, at=record):
            sys.stdout.buffer.write(key + b"\n")
    sys.stdout.buffer.write(figures(seen.stats()))


def figures(stats: lately.Stats) -> bytes:
    read = stats.new_count + stats.duplicate_count
    return b"read=%d new=%d duplicate=%d bytes=%d\n" % (read, stats.new_count, stats.duplicate_count, stats.bytes)


if __name__ == "__main__":
    main()
