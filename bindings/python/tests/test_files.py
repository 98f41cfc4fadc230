"""Filters that are opened from a file and saved to it, and the options that made them."""

from __future__ import annotations

import os
import sys
import time
from datetime import datetime, timezone
from pathlib import Path
from typing import Any

import pytest

import lately
from fixtures import ROWS, Row
from lately import Filter

every_kind = pytest.mark.parametrize("row", ROWS, ids=repr)
NOON = datetime(2026, 3, 1, 12, tzinfo=timezone.utc)


@every_kind
def test_options_every_kind_make_a_filter_like_it(row: Row) -> None:
    seen = row.filter(seed=7)
    again = Filter.of(seen.options())
    if row.has_ticks:
        again.advance(0)
    assert again.to_bytes() == seen.to_bytes()
    assert (seen.options(), seen.options().seed) == (again.options(), 7)


def test_options_have_the_words_of_python_and_no_secret() -> None:
    made = Filter("90m", clock="ms", lateness="1m", memory="1MiB", keyed=True, secret=bytes(range(16))).options()
    assert (made.window, made.clock, made.lateness, made.memory) == ("1h30m", "ms", "1m", 1 << 20)
    assert (made.keyed, made.secret) == (True, None)


def test_open_makes_then_loads(tmp_path: Path) -> None:
    path = tmp_path / "seen"
    seen = Filter.open(path, "10m", memory="1MiB")
    assert seen.first("a") and not path.exists()
    seen.save(path)
    assert not Filter.open(path, "10m", memory="1MiB").first("a")
    with pytest.raises(FileNotFoundError):
        Filter.open(tmp_path / "none" / "seen", "10m")


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
    before = path.read_bytes()
    with pytest.raises(lately.Error, match=f"^{field} = .*: the options given come to ") as refused:
        Filter.open(path, **{**options, **other})
    assert (refused.value.code, refused.value.field) == ("OPTIONS_DIFFER", field)
    assert path.read_bytes() == before


def test_open_counts_the_time_since_the_file_was_written(tmp_path: Path) -> None:
    path = tmp_path / "seen"
    seen = Filter("10m")
    seen.insert("a")
    seen.save(path)
    for minutes, is_in in ((9, True), (13, False)):
        os.utime(path, (time.time(), time.time() - 60 * minutes))
        assert ("a" in Filter.open(path, "10m")) == is_in
    os.utime(path, (time.time(), time.time() + 3600))
    with pytest.warns(RuntimeWarning, match="its time is 3[56].* s ahead of the clock: no time has passed"):
        assert "a" in Filter.open(path, "10m")


def test_open_with_times_of_records_lets_them_show_what_passed(tmp_path: Path) -> None:
    path = tmp_path / "seen"
    seen = Filter("10m", clock="s")
    seen.insert("a", at=1000)
    seen.save(path)
    os.utime(path, (0, 0))
    again = Filter.open(path, "10m", clock="s")
    assert again.stats().clock == 1000 and not again.first("a", at=1600)


@pytest.mark.parametrize("damaged", [b"no filter", None])
def test_open_leaves_a_file_that_it_cannot_read(tmp_path: Path, damaged: bytes | None) -> None:
    path = tmp_path / "seen"
    Filter("10m").save(path)
    damaged = path.read_bytes()[:-1] if damaged is None else damaged
    path.write_bytes(damaged)
    with pytest.raises(lately.Error):
        Filter.open(path, "10m")
    assert path.read_bytes() == damaged


def test_an_empty_file_has_only_its_name(tmp_path: Path) -> None:
    path = tmp_path / "seen"
    path.touch()
    seen = Filter.open(path, "10m")
    seen.insert("a")
    seen.save(path)
    assert "a" in Filter.open(path, "10m")


def test_save_replaces_nothing_that_is_no_filter(tmp_path: Path) -> None:
    path = tmp_path / "thesis"
    path.write_bytes(b"chapter 1: it was a dark and stormy night")
    with pytest.raises(OSError, match="thesis: not replaced: these bytes are not a snapshot"):
        Filter("10m").save(path)
    assert path.read_bytes().startswith(b"chapter 1") and os.listdir(tmp_path) == ["thesis"]


def test_save_removes_the_drafts_not_written_for_ten_minutes(tmp_path: Path) -> None:
    def aged(name: str, seconds: float) -> str:
        (tmp_path / name).write_bytes(b"half a snapshot")
        os.utime(tmp_path / name, (0, time.time() - seconds))
        return name

    for digits in ("0123456789abcdef", "ffffffffffffffff"):
        aged(f"seen.{digits}.new", 610)
    stay = ["seen", aged("seen.1123456789abcdef.new", 590)]
    stay += [aged(name, 610) for name in ("seen.new", "seen.0123456789abcde.new", "other.0123456789abcdef.new")]
    Filter("10m").save(tmp_path / "seen")
    assert sorted(os.listdir(tmp_path)) == sorted(stay)


def test_open_of_a_keyed_filter_needs_the_secret_that_no_file_has(tmp_path: Path) -> None:
    with pytest.raises(lately.Error, match="required to open a file") as refused:
        Filter.open(tmp_path / "seen", "10m", keyed=True)
    assert (refused.value.code, refused.value.field) == ("OPTION", "secret")


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="the list of mounts is that of Linux")
def test_a_file_that_is_mounted_by_itself_is_refused() -> None:
    for call in (Filter("10m").save, lambda path: Filter.open(path, "10m")):
        with pytest.raises(OSError, match="mounted by itself.*mount its folder"):
            call("/proc")


@pytest.mark.skipif(not hasattr(os, "geteuid") or os.geteuid() != 0, reason="only root may give a file away")
def test_save_keeps_the_owner(tmp_path: Path) -> None:
    path = tmp_path / "seen"
    Filter("10m").save(path)
    os.chown(path, 1234, 2345)
    Filter("10m").save(path)
    assert (path.stat().st_uid, path.stat().st_gid) == (1234, 2345)


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
        with pytest.raises(lately.Error) as refused:
            seen.advance(time_of)
        assert refused.value.code == "TICK"
    seen.advance(most)


def test_clock_manual_without_a_unit_lists_the_units() -> None:
    with pytest.raises(lately.Error, match="clock = 'manual': must be 'system', or .* 'ns', 'us', 'ms' or 's'") as refused:
        Filter("10m", clock="manual")  # type: ignore[arg-type]
    assert (refused.value.code, refused.value.field) == ("OPTION", "clock")


def test_clock_without_a_tick_has_no_now() -> None:
    seen = Filter("10m", clock="s")
    for call in (seen.observe, seen.contains, seen.__contains__, lambda key: seen.contains_many([key])):
        with pytest.raises(lately.Error) as refused:
            call("a")
        assert refused.value.code == "CLOCK"
