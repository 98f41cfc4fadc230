"""Files and snapshots: that each argument arrives, and the errors. What `save` does to a file is in the library's own tests."""

from __future__ import annotations

import dataclasses
import os
import pickle
import time
import warnings
from datetime import datetime, timedelta, timezone
from pathlib import Path
from typing import Any

import pytest

import lately
from fixtures import lines, options_of, refused
from lately import Filter

NOON = datetime(2026, 3, 1, 12, tzinfo=timezone.utc)


@pytest.mark.parametrize("words", lines("kinds.txt"))
def test_options_every_kind_make_a_filter_like_it(words: str) -> None:
    seen = Filter.of(dataclasses.replace(options_of(words.split(" ")[4:]), seed=7))
    assert Filter.of(seen.options()).to_bytes() == seen.to_bytes() and seen.options().seed == 7


def test_options_have_the_words_of_python_and_no_secret() -> None:
    made = Filter("90m", clock="ms", lateness="1m", memory="1MiB", keyed=True, secret=bytes(range(16))).options()
    assert (made.window, made.clock, made.lateness, made.memory) == ("1h30m", "ms", "1m", 1 << 20)
    assert (made.keyed, made.secret) == (True, None)


def test_open_makes_then_loads_and_counts_the_time_since(tmp_path: Path) -> None:
    path = tmp_path / "seen"
    seen = Filter.open(path, "10m", memory="1MiB")
    assert seen.first("a") and not path.exists()
    seen.save(path)
    for minutes, is_in in ((0, True), (9, True), (13, False)):
        os.utime(path, (time.time(), time.time() - 60 * minutes))
        assert ("a" in Filter.open(path, "10m", memory="1MiB")) == is_in
    os.utime(path, (time.time(), time.time() + 3600))
    with pytest.warns(RuntimeWarning, match="its time is 3[56].* s ahead of the clock: no time has passed"):
        assert "a" in Filter.open(path, "10m", memory="1MiB")


def test_open_with_times_of_records_lets_them_show_what_passed(tmp_path: Path) -> None:
    path = tmp_path / "seen"
    seen = Filter("10m", clock="s")
    seen.insert("a", at=1000)
    seen.save(path)
    for written in (0, time.time() + 3600):
        os.utime(path, (written, written))
        with warnings.catch_warnings(action="error"):
            again = Filter.open(path, "10m", clock="s")
        assert again.stats().clock == 1000 and not again.first("a", at=1600)


@pytest.mark.parametrize(
    ("other", "field"),
    [
        ({"window": "11m"}, "window"),
        ({"memory": "2MiB"}, "memory"),
        ({"clock": "s"}, "clock"),
        ({"seed": 3}, "seed"),
        ({"kind": "time-limited"}, "kind"),
        ({"window": None, "last": 9000}, "clock"),
    ],
)
def test_open_names_the_option_that_differs(tmp_path: Path, other: dict[str, Any], field: str) -> None:
    path, options = tmp_path / "seen", {"window": "10m", "memory": "1MiB"}
    Filter(**options).save(path)
    error = refused("OPTIONS_DIFFER", Filter.open, path, **{**options, **other})
    assert error.field == field and str(error).startswith(f"{field} = ") and ": the options given come to " in str(error)


def test_open_shows_spans_that_differ_as_people_write_them(tmp_path: Path) -> None:
    Filter("10m").save(tmp_path / "seen")
    error = refused("OPTIONS_DIFFER", Filter.open, tmp_path / "seen", "90s")
    assert str(error).endswith("window = 10m: the options given come to 1m30s")


def test_open_of_a_keyed_filter_needs_the_secret_that_no_file_has(tmp_path: Path) -> None:
    error = refused("OPTION", Filter.open, tmp_path / "seen", "10m", keyed=True)
    assert error.field == "secret" and "required to open a file" in str(error)
    Filter("10m", keyed=True, secret=bytes(range(16))).save(tmp_path / "seen")
    Filter.open(tmp_path / "seen", "10m", keyed=True, secret=bytes(range(16)))


def test_save_and_load_the_window_runs_meanwhile(tmp_path: Path) -> None:
    path, seen = tmp_path / "seen", Filter("10m")
    Filter("10m").save(path)
    seen.insert("a")
    seen.save(path)
    for load, source in ((Filter.load, path), (Filter.load, str(path)), (Filter.from_bytes, memoryview(path.read_bytes()))):
        assert "a" in load(source, elapsed="9m")  # type: ignore[operator]
        assert "a" not in load(source, elapsed=timedelta(minutes=12))  # type: ignore[operator]
        with pytest.raises(TypeError, match="elapsed"):
            load(source)  # type: ignore[operator]
        assert "elapsed = " in str(refused("ELAPSED", load, source, elapsed=timedelta(seconds=-1)))


def test_load_of_what_is_no_snapshot_is_an_error(tmp_path: Path) -> None:
    seen = Filter("10m", memory="1MiB", keyed=True)
    seen.insert_many(range(5000))
    data, secret = seen.to_bytes(), seen.secret()
    broken = data[:5000] + bytes([data[5000] ^ 1]) + data[5001:]
    rows: list[tuple[bytes, dict[str, Any], str]] = [
        (b"", {}, "MAGIC"), (b"x" * 100, {}, "MAGIC"), (broken, {}, "CHECKSUM"), (data[:-1], {}, "CORRUPT"),
        (data, {"memory": "4K"}, "TOO_LARGE"), (data, {"secret": None}, "SECRET"), (data, {"secret": bytes(range(16))}, "SECRET"),
    ]  # fmt: skip
    for bad, given, code in rows:
        how = {"elapsed": "0s", "secret": secret, **given}
        refused(code, Filter.from_bytes, bad, **how)
        (tmp_path / "bad").write_bytes(bad)
        with pytest.raises(lately.Error):
            Filter.load(tmp_path / "bad", **how)
    (tmp_path / "good").write_bytes(data)
    for load, source in ((Filter.from_bytes, data), (Filter.load, tmp_path / "good")):
        again = load(source, elapsed="0s", secret=secret.hex(), new_memory=2**40)  # type: ignore[operator]
        assert again.contains_many(range(5000)).all() and again.options().memory == 2**40


def test_file_error_has_the_number_and_name_that_open_gives(tmp_path: Path) -> None:
    calls = [lambda path: Filter.load(path, elapsed="0s"), lambda path: Filter.open(path, "10m"), Filter("10m").save]
    for path in (tmp_path / "none", tmp_path, tmp_path / "none" / "seen"):
        with pytest.raises(OSError) as opened:
            path.read_bytes()
        for call in calls if path == tmp_path / "none" / "seen" else calls[:1]:
            with pytest.raises(OSError) as loaded:
                call(path)
            assert type(loaded.value) is type(opened.value)
            want = (opened.value.errno, opened.value.strerror, str(path))
            assert (loaded.value.errno, loaded.value.strerror, str(loaded.value.filename)) == want


def test_pickle_is_refused_with_advice() -> None:
    for protocol in range(pickle.HIGHEST_PROTOCOL + 1):
        with pytest.raises(TypeError, match=r"cannot be pickled: .* to_bytes\(\) and from_bytes"):
            pickle.dumps(Filter("10m"), protocol)


# ---- the unit of the clock ----


@pytest.mark.parametrize(("clock", "second"), [("ns", 10**9), ("us", 10**6), ("ms", 10**3), ("s", 1)])
def test_clock_unit_scales_numbers_and_dates_alike(clock: lately.Clock, second: int) -> None:
    np, pa, start = pytest.importorskip("numpy"), pytest.importorskip("pyarrow"), int(NOON.timestamp())
    seen = Filter("10s", clock=clock)
    assert seen.first("a", at=NOON) and not seen.first("a", at=(start + 10) * second)
    assert seen.stats().clock == (start + 10) * second
    seconds = [start + 20, start + 31]
    numbers, dates = [s * second for s in seconds], np.array(seconds, "datetime64[s]")
    forms = [numbers, np.array(numbers), pa.array(numbers), dates, pa.array(dates), pa.array(dates.astype("M8[ns]"))]
    for times in forms:
        timed = Filter("10s", clock=clock)
        assert timed.observe_many(["a", "a"], times).tolist() == [True, True]
        assert timed.stats().clock == (start + 31) * second
    most = (2**64 - 1) // (10**9 // second)
    for time_of in (most + 1, 2**64, -1):
        refused("TICK", seen.advance, time_of)
    seen.advance(most)


def test_clock_without_a_tick_has_no_now() -> None:
    seen = Filter("10m", clock="s")
    for call in (seen.observe, seen.contains, seen.__contains__, lambda key: seen.contains_many([key])):
        refused("CLOCK", call, "a")
