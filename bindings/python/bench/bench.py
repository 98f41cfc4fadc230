"""What a key costs, in time and in memory, in lately and in what people use instead: one table.

A stream of two million keys of 40 bytes, each key twice within the last million. Every key is a new object, as if it came from a
socket. Time is that of the processor, above the time of making the key. Memory is what the process grows by.

    python bench.py --processes 3 --values 3 --warmups 1
"""

from __future__ import annotations

import os
import subprocess
import sys
import time
from collections import OrderedDict
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pyperf

import lately

WINDOW = 1_000_000
RATE = 1e-6


def stream() -> Iterator[bytes]:
    """Each key comes twice, the second time 500,000 keys later."""
    for i in range(WINDOW * 2):
        yield b"%040d" % (i if i // 500_000 % 2 == 0 else i - 500_000)


def ordered_dict() -> Callable[[bytes], bool]:
    seen: OrderedDict[bytes, None] = OrderedDict()

    def first(key: bytes) -> bool:
        if key in seen:
            seen.move_to_end(key)
            return False
        seen[key] = None
        if len(seen) > WINDOW:
            seen.popitem(last=False)
        return True

    return first


def plain_dict() -> Callable[[bytes], bool]:
    seen: dict[bytes, None] = {}

    def first(key: bytes) -> bool:
        if key in seen:
            return False
        seen[key] = None
        return True

    return first


def ttl_cache() -> Callable[[bytes], bool]:
    import cachetools

    seen: Any = cachetools.TTLCache(WINDOW, ttl=600)

    def first(key: bytes) -> bool:
        is_new = key not in seen
        seen[key] = None
        return is_new

    return first


def rbloom() -> Callable[[bytes], bool]:
    import rbloom

    seen = rbloom.Bloom(WINDOW, RATE)

    def first(key: bytes) -> bool:
        if key in seen:
            return False
        seen.add(key)
        return True

    return first


def pybloom() -> Callable[[bytes], bool]:
    import pybloom_live

    seen = pybloom_live.BloomFilter(WINDOW, RATE)
    return lambda key: not seen.add(key)


def columns() -> list[Any]:
    """The stream in columns of 100,000 keys."""
    import pyarrow as pa

    keys = [key.decode() for key in stream()]
    return [pa.array(keys[i : i + 100_000]) for i in range(0, len(keys), 100_000)]


def of_lately_many() -> Callable[[list[Any]], int]:
    seen = lately.Filter(last=WINDOW)
    return lambda batches: sum(int(seen.observe_many(batch).sum()) for batch in batches)


def of_polars() -> Callable[[list[Any]], int]:
    import polars as pl

    return lambda batches: len(pl.concat([pl.Series(batch) for batch in batches]).unique())


def of_pandas() -> Callable[[list[Any]], int]:
    import pandas as pd

    return lambda batches: len(pd.concat([batch.to_pandas() for batch in batches]).drop_duplicates())


ONE_BY_ONE = {
    "`lately.Filter(last=1_000_000).first`": lambda: lately.Filter(last=WINDOW).first,
    '`lately.Filter("10m").first`': lambda: lately.Filter("10m").first,
    "`dict`, which never forgets": plain_dict,
    "`OrderedDict` as LRU": ordered_dict,
    "`cachetools.TTLCache`": ttl_cache,
    "`rbloom`, which never forgets": rbloom,
    "`pybloom_live`, which never forgets": pybloom,
}
IN_COLUMNS = {
    "`lately`, `observe_many` of Arrow columns": of_lately_many,
    "Polars `unique`, of all at once": of_polars,
    "pandas `drop_duplicates`, of all at once": of_pandas,
}


def nothing(loops: int) -> float:
    start = time.process_time()
    for _ in range(loops):
        for _key in stream():
            pass
    return time.process_time() - start


def one_by_one(loops: int, make: Callable[[], Callable[[bytes], bool]]) -> float:
    spent = 0.0
    for _ in range(loops):
        first = make()
        start = time.process_time()
        for key in stream():
            first(key)
        spent += time.process_time() - start
    return spent


def in_columns(loops: int, make: Callable[[], Callable[[list[Any]], int]]) -> float:
    batches, spent = columns(), 0.0
    for _ in range(loops):
        run = make()
        start = time.process_time()
        run(batches)
        spent += time.process_time() - start
    return spent


def resident() -> int:
    return int(Path("/proc/self/statm").read_text().split()[1]) * os.sysconf("SC_PAGE_SIZE")


def grown(name: str) -> float:
    """Bytes for a key, measured in a process of its own."""
    ran = subprocess.run([sys.executable, __file__, "--grow", name], capture_output=True, text=True, check=True)
    return int(ran.stdout) / WINDOW


def grow(name: str) -> None:
    if name in ONE_BY_ONE:
        ONE_BY_ONE[name]()(b"")  # imports what it needs
        before = resident()
        first = ONE_BY_ONE[name]()
        for key in stream():
            first(key)
    else:
        batches = columns()
        IN_COLUMNS[name]()(batches[:1])
        before = resident()
        run = IN_COLUMNS[name]()
        run(batches)
    print(max(resident() - before, 0))


def main() -> None:
    runner = pyperf.Runner(loops=1, processes=3, values=3, warmups=1)
    base = runner.bench_time_func("nothing", nothing, inner_loops=2 * WINDOW)
    rows: list[tuple[str, Any, Any]] = []
    for name, make in ONE_BY_ONE.items():
        rows.append((name, runner.bench_time_func(name, one_by_one, make, inner_loops=2 * WINDOW), base))
    for name, column in IN_COLUMNS.items():
        rows.append((name, runner.bench_time_func(name, in_columns, column, inner_loops=2 * WINDOW), None))
    if runner.args.worker:
        return
    print("\n| | ns a key | bytes a key |\n| --- | ---: | ---: |")
    for name, bench, below in rows:
        ns = (bench.median() - (below.median() if below else 0)) * 1e9
        size = grown(name)
        print(f"| {name} | {ns:.0f} | {size:.1f} |")


if __name__ == "__main__":
    if sys.argv[1:2] == ["--grow"]:
        grow(sys.argv[2])
    else:
        main()
