"""The life of a filter: files, bytes, copies, the end, and what a pickle would be."""

from __future__ import annotations

import copy
import gc
import importlib.metadata
import os
import pickle
import sys
import threading
import weakref
from collections.abc import Callable
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest

import lately
from lately import Filter, Verdict


def test_save_and_load_the_window_runs_meanwhile(tmp_path: Path) -> None:
    path = tmp_path / "seen"
    Filter("10m").save(path)
    seen = Filter("10m")
    seen.insert("a")
    seen.save(path)
    assert "a" in Filter.load(path, elapsed="9m")
    assert "a" not in Filter.load(path, elapsed=timedelta(minutes=12))
    assert "a" in Filter.load(str(path), elapsed="0s")
    assert os.listdir(tmp_path) == ["seen"]


def test_save_that_fails_leaves_the_old_file(tmp_path: Path) -> None:
    # The longest name of a file has no room for the ending of the next one.
    path = tmp_path / ("s" * 250)
    path.write_bytes(Filter(last=100).to_bytes())
    before = path.read_bytes()
    with pytest.raises(OSError, match="too long") as refused:
        Filter(last=200).save(path)
    assert refused.value.filename == str(path)
    assert (path.read_bytes(), os.listdir(tmp_path)) == (before, [path.name])
    with pytest.raises(FileNotFoundError):
        Filter(last=100).save(tmp_path / "none" / "seen")


@pytest.mark.skipif(sys.platform == "win32", reason="modes are those of POSIX")
def test_save_keeps_mode_and_link(tmp_path: Path) -> None:
    path, link = tmp_path / "seen", tmp_path / "link"
    umask = os.umask(0o027)
    try:
        Filter(last=100).save(path)
        assert path.stat().st_mode & 0o777 == 0o640  # as `open` makes it
        for mode in (0o600, 0o644, 0o664):
            path.chmod(mode)
            Filter(last=100).save(path)
            assert path.stat().st_mode & 0o777 == mode
    finally:
        os.umask(umask)
    link.symlink_to("seen")
    Filter(last=200).save(link)
    assert link.is_symlink() and Filter.load(path, elapsed="0s").stats() == Filter(last=200).stats()
    assert sorted(os.listdir(tmp_path)) == ["link", "seen"]


def test_file_error_has_the_number_and_name_that_open_gives(tmp_path: Path) -> None:
    for path in (tmp_path / "none", tmp_path, tmp_path / "none" / "seen"):
        with pytest.raises(OSError) as opened:
            path.read_bytes()
        with pytest.raises(OSError) as loaded:
            Filter.load(path, elapsed="0s")
        assert type(loaded.value) is type(opened.value)
        want = (opened.value.errno, opened.value.strerror, str(path))
        assert (loaded.value.errno, loaded.value.strerror, str(loaded.value.filename)) == want


def test_filters_and_claims_have_weak_references() -> None:
    seen = Filter("10m", lease="30s")
    claim = seen.claim("a")
    ends: list[object] = []
    kept = [weakref.ref(one, ends.append) for one in (seen, claim)]
    assert [ref() for ref in kept] == [seen, claim]
    del seen, claim
    gc.collect()
    assert [ref() for ref in kept] == [None, None] and len(ends) == 2


def test_load_without_elapsed_is_an_error(tmp_path: Path) -> None:
    data = Filter("10m").to_bytes()
    with pytest.raises(TypeError, match="elapsed"):
        Filter.from_bytes(data)  # type: ignore[call-arg]
    with pytest.raises(lately.Error, match="elapsed") as refused:
        Filter.from_bytes(data, elapsed=timedelta(seconds=-1))
    assert refused.value.code == "ELAPSED"
    with pytest.raises(FileNotFoundError):
        Filter.load(tmp_path / "none", elapsed="1s")


def test_load_of_what_is_no_snapshot_is_an_error(tmp_path: Path) -> None:
    seen = Filter("10m", memory="1MiB")
    seen.insert_many(range(5000))
    data = bytearray(seen.to_bytes())
    data[len(data) // 2] ^= 1
    for bad, code in [(b"", "MAGIC"), (b"x" * 100, "MAGIC"), (bytes(data), "CHECKSUM"), (seen.to_bytes()[:-1], "CORRUPT")]:
        with pytest.raises(lately.Error) as refused:
            Filter.from_bytes(bad, elapsed="0s")
        assert refused.value.code == code
        (tmp_path / "bad").write_bytes(bad)
        with pytest.raises((lately.Error, OSError)):
            Filter.load(tmp_path / "bad", elapsed="0s")
    with pytest.raises(lately.Error) as refused:
        Filter.from_bytes(seen.to_bytes(), elapsed="0s", memory="4K")
    assert refused.value.code == "TOO_LARGE"
    assert Filter.from_bytes(memoryview(seen.to_bytes()), elapsed="0s", new_memory=2**40).contains_many(range(5000)).all()


def test_load_of_a_keyed_filter_needs_its_secret() -> None:
    seen = Filter("10m", keyed=True)
    seen.insert("a")
    data = seen.to_bytes()
    assert "a" in Filter.from_bytes(data, elapsed="0s", secret=seen.secret())
    for secret in (None, bytes(range(16))):
        with pytest.raises(lately.Error) as refused:
            Filter.from_bytes(data, elapsed="0s", secret=secret)
        assert refused.value.code == "SECRET"


def test_pickle_is_refused_with_advice() -> None:
    seen = Filter("10m")
    for protocol in range(pickle.HIGHEST_PROTOCOL + 1):
        with pytest.raises(TypeError, match=r"cannot be pickled: .* to_bytes\(\) and from_bytes"):
            pickle.dumps(seen, protocol)


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
    seen.close()
    assert seen.closed
    calls = [
        lambda: seen.observe("a"), lambda: seen.first("a"), lambda: seen.contains("a"), lambda: "a" in seen,
        lambda: seen.insert("a"), lambda: seen.remove("a"), lambda: seen.observe_age("a"), seen.clear, seen.stats,
        lambda: seen.observe_many(["a"]), lambda: seen.observe_many(list(range(1000))), seen.to_bytes, seen.copy,
        lambda: seen.advance(1), seen.reset_stats, lambda: seen.hash("a"), seen.secret,
    ]  # fmt: skip
    for call in calls:
        with pytest.raises(lately.Error, match="the filter is closed") as refused:
            call()
        assert refused.value.code == "CLOSED"


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


# ---- first ----


def test_first_passes_on_new_items_one_by_one() -> None:
    taken = []

    def endless():  # type: ignore[no-untyped-def]
        for i in range(10**9):
            taken.append(i)
            yield i % 3

    news = lately.first(endless(), "10m")
    assert [next(news) for _ in range(3)] == [0, 1, 2]
    assert len(taken) == 3


def test_first_takes_a_filter_keys_and_times() -> None:
    seen = Filter("10s", clock="ns")
    rows = [("a", 1), ("b", 2), ("a", 5), ("a", 30)]
    kept = lately.first(rows, seen, key=lambda row: row[0], at=lambda row: row[1] * 10**9)
    assert list(kept) == [("a", 1), ("b", 2), ("a", 30)]
    assert seen.stats().new_count == 3
    with pytest.raises(TypeError, match="a filter has its options"):
        lately.first(rows, seen, memory="1MiB")


def test_first_refuses_a_bad_request_before_the_first_item() -> None:
    with pytest.raises(lately.Error):
        lately.first([], "soon")


# ---- references ----


def test_calls_leave_no_references(tmp_path: Path) -> None:
    """What a call is given has as many references after it as before, and nothing is left behind."""
    import numpy as np
    import pyarrow as pa

    seen, timed = Filter(last=1000), Filter("10m", clock="ns")
    key, keys, column, numbers = "key" * 50, ["a", "b" * 99], pa.array(["a", "b"]), np.arange(3)
    table = pa.table({"a": [1, 2], "b": ["x", None]})

    def refused(verb: Callable[[Any], object], key: object) -> None:
        try:
            verb(key)
        except (TypeError, ValueError, OverflowError):
            return
        raise AssertionError("not refused")

    def calls() -> None:
        for verb in (seen.observe, seen.first, seen.contains, seen.insert, seen.hash, seen.observe_age, seen.contains_age):
            verb(key)
        for many in (keys, column, numbers, table, pa.chunked_array([column, column])):
            seen.observe_many(many)
        timed.observe_many(keys, [1, 2])
        for bad in (1.5, None, 2**64, [1.5]):
            for verb in (seen.observe, seen.observe_many):
                refused(verb, bad)
        refused(seen.observe_many, pa.array([[1]]))
        seen.remove(key)
        pa.array(lately.Mask(b"\1"))
        lately.Mask(b"\1").__arrow_c_array__()
        Filter.from_bytes(seen.to_bytes(), elapsed="1s").copy().close()
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


def test_threads_of_one_new_key_exactly_one_is_first() -> None:
    seen, gate, firsts = Filter(last=100_000), threading.Barrier(4), [0] * 4

    def run(i: int) -> None:
        gate.wait()
        firsts[i] = sum(seen.first(key) for key in range(20_000))

    threads = [threading.Thread(target=run, args=(i,)) for i in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert 19_990 <= sum(firsts) <= 20_000


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
