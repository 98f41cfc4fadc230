# pyright: strict, reportUnnecessaryTypeIgnoreComment=true
"""What type checkers say of the package: read by mypy and pyright, never run. An ignored error that is none is an error."""

import array
import gzip
import io
import socket
import uuid
from collections.abc import AsyncIterator, Iterator
from datetime import datetime, timedelta, timezone
from typing import assert_type

import numpy as np
import numpy.typing as npt
import polars as pl

import lately
from lately import Age, Claim, Committed, Filter, Options, Plan, Stats, Verdict


async def lines() -> AsyncIterator[str]:
    yield "a"


seen = Filter("10m", memory="64MiB", error_rate=1e-4, keyed=True, on_limit="forget-oldest")
Filter(timedelta(minutes=10), clock="ns", lateness="5s", max_step=timedelta(hours=1))
Filter(last=1000)
Filter.of(Options("10m", capacity=100))
Filter(window=600)  # type: ignore
Filter("10m", clock="wall")  # type: ignore
Filter("10m", kind="bloom")  # type: ignore
Filter("10m", sliding=True)  # type: ignore

for key in (b"a", bytearray(b"a"), memoryview(b"a"), "a", 1, uuid.uuid4()):
    assert_type(seen.observe(key), Verdict)
    assert_type(seen.contains(key), Verdict)
    assert_type(seen.first(key, at=datetime.now(timezone.utc)), bool)
    assert_type(key in seen, bool)
    seen.insert(key, at=17)
    assert_type(seen.remove(key), bool)
    assert_type(seen.remove(key, at=1), bool)
    assert_type(seen.observe_age(key), tuple[Verdict, Age | None])
    assert_type(seen.contains_age(key), Age | None)
    assert_type(seen.hash(key), int)
    assert_type(seen.claim(key, at=17), Claim)
    assert_type(seen.commit(key, 17, at=17), Committed)
    seen.abandon(key, 17)
with seen.claim("a") as claim:
    assert_type(claim, Claim)
    assert_type(claim.commit(), Committed)
    assert_type((claim.verdict, claim.token, claim.is_new), tuple[Verdict, int, bool])
seen.commit("a")  # type: ignore
seen.abandon("a", at=17)  # type: ignore
seen.observe(1.5)  # type: ignore
seen.observe(None)  # type: ignore
seen.observe("a", at="now")  # type: ignore
seen.observe("a", 17)  # type: ignore

assert_type(seen.observe_many(["a", "b"], nulls="key"), npt.NDArray[np.bool_])
assert_type(seen.contains_many(np.arange(5)), npt.NDArray[np.bool_])
assert_type(seen.remove_many(np.arange(5), [1] * 5), npt.NDArray[np.bool_])
seen.observe_many([b"a", None, 7, uuid.uuid4()], [1, 2, 3, datetime.now(timezone.utc)])
seen.observe_many(iter(["a"]))
seen.observe_many(array.array("q", [1]))
seen.insert_many(pl.DataFrame({"a": [1]}))
seen.observe_many(pl.Series([1.5]), pl.Series([1]))
seen.observe_many(17)  # type: ignore
seen.observe_many([1.5])  # type: ignore
seen.observe_many(["a"], ["now"])  # type: ignore
Filter("10m", keyed=True, secret="00" * 16)
seen.observe_many(["a", "b"], nulls="drop")  # type: ignore
assert_type(seen.stats(), Stats)
assert_type(Filter.plan("10m"), Plan)
assert_type(seen.copy(), Filter)
assert_type(Filter.from_bytes(seen.to_bytes(), elapsed="1s"), Filter)
Filter.load("seen")  # type: ignore
for file in (io.BytesIO(), gzip.open("seen", "wb"), open("seen", "rb+", buffering=0), socket.socket().makefile("rwb")):
    seen.to_file(file)
    assert_type(Filter.from_file(file, elapsed="1s"), Filter)
seen.to_file(io.StringIO())  # type: ignore
seen.to_file("seen")  # type: ignore
Filter.from_file(open("seen"), elapsed="1s")  # type: ignore
Filter.from_file("seen", elapsed="1s")  # type: ignore
assert_type(lately.first(["a"], "10m"), Iterator[str])
assert_type(lately.afirst(lines(), "10m"), AsyncIterator[str])
assert_type(lately.first([(1, "a")], seen, key=lambda pair: pair[0]), Iterator[tuple[int, str]])
assert_type(lately.hash64("a"), int)
assert_type(lately.pack("a", None, 1), bytes)
with Filter("1s") as opened:
    assert_type(opened, Filter)


class Mine(Filter):
    """A subclass keeps its type."""


assert_type(Mine("1s").copy(), Mine)
assert_type(Mine.load("seen", elapsed="1s"), Mine)
