"""The life of a filter: copies, subclasses, the end, references, threads, and what the package carries."""

from __future__ import annotations

import copy
import gc
import importlib.metadata
import io
import os
import sys
import threading
import weakref
from pathlib import Path

import pytest

import lately
from fixtures import refused
from lately import Filter, Verdict


def test_filters_and_claims_have_weak_references() -> None:
    seen = Filter("10m", lease="30s")
    claim = seen.claim("a")
    ends: list[object] = []
    kept = [weakref.ref(one, ends.append) for one in (seen, claim)]
    assert [ref() for ref in kept] == [seen, claim]
    del seen, claim
    gc.collect()
    assert [ref() for ref in kept] == [None, None] and len(ends) == 2


def test_copy_is_a_filter_of_its_own() -> None:
    seen = Filter(last=100)
    seen.insert("a")
    for clone in (copy.copy(seen), copy.deepcopy([seen])[0], seen.copy()):
        assert clone is not seen and "a" in clone
        clone.insert("b")
        assert "b" not in seen


def test_subclass_builds_copies_and_loads_itself() -> None:
    class Mine(Filter):
        def size(self) -> int:
            return self.stats().bytes

    seen = Mine("10m", memory="1MiB")
    for made in (seen, seen.copy(), Mine.from_bytes(seen.to_bytes(), elapsed="0s"), Mine.of(lately.Options("1s"))):
        assert type(made) is Mine and made.size() > 0


def test_close_ends_every_call_and_with_closes() -> None:
    with Filter("10m") as seen:
        seen.insert("a")
        assert not seen.closed
    assert seen.closed
    seen.close()
    calls = [
        lambda: seen.observe("a"), lambda: seen.first("a"), lambda: seen.contains("a"), lambda: "a" in seen,
        lambda: seen.insert("a"), lambda: seen.remove("a"), lambda: seen.observe_age("a"), seen.clear, seen.stats,
        lambda: seen.observe_many(["a"]), lambda: seen.observe_many(list(range(1000))), seen.to_bytes, seen.copy,
        lambda: seen.advance(1), seen.reset_stats, lambda: seen.hash("a"), seen.secret,
    ]  # fmt: skip
    for call in calls:
        assert str(refused("CLOSED", call)) == "the filter is closed"


def test_close_gives_memory_back() -> None:
    def resident() -> int:
        return int(Path("/proc/self/statm").read_text().split()[1]) * os.sysconf("SC_PAGE_SIZE")

    seen = Filter(last=8_000_000)
    seen.insert_many(__import__("numpy").arange(8_000_000))
    full, size = resident(), seen.stats().bytes
    seen.close()
    assert size > 30_000_000 and full - resident() > size // 2


def test_iterating_over_a_filter_is_an_error() -> None:
    with pytest.raises(TypeError):
        iter(Filter("1s"))  # type: ignore[call-overload]


# ---- references ----


def test_calls_leave_no_references() -> None:
    """What a call is given has as many references after it as before, and nothing is left behind."""
    import numpy as np
    import pyarrow as pa

    seen, timed = Filter(last=1000), Filter("10m", clock="ns")
    key, keys, column, numbers = "key" * 50, ["a", "b" * 99], pa.array(["a", "b"]), np.arange(3)
    table = pa.table({"a": [1, 2], "b": ["x", None]})

    def calls() -> None:
        for verb in (seen.observe, seen.first, seen.contains, seen.insert, seen.hash, seen.observe_age, seen.contains_age):
            verb(key)
        for many in (keys, column, numbers, table, pa.chunked_array([column, column])):
            seen.observe_many(many)
        timed.observe_many(keys, [1, 2])
        for bad in (1.5, None, 2**64, [1.5]):
            for verb in (seen.observe, seen.observe_many):
                with pytest.raises((TypeError, ValueError, OverflowError)):
                    verb(bad)
        with pytest.raises(TypeError):
            seen.observe_many(pa.array([[1]]))
        seen.remove(key)
        pa.array(lately.Mask(b"\1"))
        lately.Mask(b"\1").__arrow_c_array__()
        Filter.from_bytes(seen.to_bytes(), elapsed="1s").copy().close()
        file = io.BytesIO()
        seen.to_file(file)
        file.seek(0)
        Filter.from_file(file, elapsed="1s")
        list(lately.first(keys, seen))

    watched = [key, keys, column, numbers, table, keys[1], seen, Verdict.NEW, Verdict.DUPLICATE, lately.Error, Filter]
    def grown() -> tuple[int, int]:
        """Blocks of Python and bytes of Arrow that are left after 100 rounds."""
        gc.collect()
        blocks, arrow = sys.getallocatedblocks(), pa.total_allocated_bytes()
        for _ in range(100):
            calls()
        gc.collect()
        return sys.getallocatedblocks() - blocks, pa.total_allocated_bytes() - arrow

    for _ in range(5):
        grown()
    before = [sys.getrefcount(item) for item in watched]
    rounds = [grown() for _ in range(3)]
    assert [sys.getrefcount(item) for item in watched] == before
    # Caches of Python and of the libraries may grow once; a leak would grow in every round, by 100 or more.
    assert min(rounds) < (90, 1), rounds


# ---- threads ----


def test_threads_with_batches_run_while_the_interpreter_runs() -> None:
    """The GIL is released: another thread counts on while one long batch runs, and both masks together are right."""
    import numpy as np

    keys = np.arange(2_000_000)
    seen, masks, counted = Filter(last=3_000_000), [], 0

    def run() -> None:
        masks.append(seen.observe_many(keys))

    threads = [threading.Thread(target=run) for _ in range(2)]
    for thread in threads:
        thread.start()
    while any(thread.is_alive() for thread in threads):
        counted += 1
        "a" in seen  # noqa: B015
    assert 1_999_900 <= sum(int(mask.sum()) for mask in masks) <= 2_000_000
    assert counted > 1000


def test_close_during_batches_waits_for_them() -> None:
    for _ in range(20):
        seen, errors = Filter(last=100_000), []

        def run(seen: Filter = seen, errors: list[str] = errors) -> None:
            try:
                while True:
                    seen.observe_many(list(range(3000)))
            except lately.Error as error:
                errors.append(error.code)

        threads = [threading.Thread(target=run) for _ in range(3)]
        for thread in threads:
            thread.start()
        seen.close()
        for thread in threads:
            thread.join(60)
        assert errors == ["CLOSED"] * 3


# ---- the package ----


def test_package_has_the_terms_of_what_is_linked_into_it() -> None:
    files = {Path(str(file)).name: file for file in importlib.metadata.files("lately") or [] if "licenses" in str(file)}
    assert {"LICENSE-MIT", "LICENSE-APACHE", "LICENSE-THIRD-PARTY.txt"} <= set(files)
    text = files["LICENSE-THIRD-PARTY.txt"].read_text()
    for crate in ("pyo3 ", "xxhash-rust ", "siphasher ", "getrandom "):
        assert f"\n{crate}" in text, crate
