"""Columns of every type that data frames have: the bytes of their keys, by the table of docs/reference/python.md."""

from __future__ import annotations

import struct
from datetime import date, datetime, time, timedelta, timezone
from decimal import Decimal
from typing import Any

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest

import lately
from fixtures import expect_nulls, slices

DAY = 86_400 * 10**9


def whole(number: int) -> bytes:
    """A whole number: 8 bytes if they hold it with its sign, else 16."""
    return number.to_bytes(8 if -(2**63) <= number < 2**63 else 16, "little", signed=True)


def real(number: float) -> bytes:
    return struct.pack("<d", number)


def same_keys(column: Any, want: list[bytes | None], **more: Any) -> None:
    """The keys of the column are these bytes, as a column and as a part of a key."""
    for nulls in ("new", "key"):
        seen, single = lately.Filter(last=10_000), lately.Filter(last=10_000)
        assert seen.observe_many(column, nulls=nulls).tolist() == single.observe_many(want, nulls=nulls).tolist()
        assert seen.to_bytes() == single.to_bytes()
    if isinstance(column, pa.Array):
        table = pa.table({"n": pa.array(range(len(column)), pa.uint8()), "c": column})
        packed = [lately.pack(i, key) for i, key in enumerate(want)]
        seen, single = lately.Filter(last=10_000), lately.Filter(last=10_000)
        seen.observe_many(table, nulls="key")
        single.observe_many(packed)
        assert seen.to_bytes() == single.to_bytes()


NEGATIVE = [0, -1, 5, -128, 127, -1, None]


@pytest.mark.parametrize("bits", [8, 16, 32, 64])
def test_negative_integers_are_their_twos_complement(bits: int) -> None:
    want = [None if n is None else whole(n) for n in NEGATIVE]
    for column in slices(pa.array(NEGATIVE, getattr(pa, f"int{bits}")())):
        same_keys(column, want)
    same_keys(np.array(NEGATIVE[:-1], f"i{bits // 8}"), want[:-1])
    same_keys(pl.Series(NEGATIVE), want)
    seen = lately.Filter(last=100)
    seen.observe_many(pa.array([-1, -(2**63)]))
    assert -1 in seen and 2**64 - 1 in seen and -(2**63) in seen


BOOLS = [True, False, None, True, True, False, True, False, True, None]


def test_booleans_are_0_and_1() -> None:
    want = [None if b is None else whole(b) for b in BOOLS]
    for column in slices(pa.array(BOOLS)):
        same_keys(column, want)
    same_keys(np.array([True, False, True]), [whole(1), whole(0), whole(1)])
    same_keys(np.array([True, False, True])[::-2], [whole(1), whole(1)])


REALS = [1.5, -1.5, 0.0, -0.0, float("inf"), float("-inf"), 65504.0, 2.0**-24, 2.0**-14, 1.0, -1023.5, 2.0**-24 * 1023]


@pytest.mark.parametrize(("name", "code"), [("float16", "e"), ("float32", "f"), ("float64", "d")])
def test_floats_are_the_bits_of_their_double(name: str, code: str) -> None:
    want = [real(abs(x) if x == 0 else x) for x in REALS]
    for column in slices(pa.array(np.array(REALS, code), getattr(pa, name)())):
        same_keys(column, want)
    same_keys(np.array(REALS, code), want)
    same_keys(np.array(REALS, code)[::-1], want[::-1])


@pytest.mark.parametrize("bits", [0x7FF8000000000000, 0xFFF8000000000000, 0x7FF0000000000001, 0xFFFFFFFFFFFFFFFF])
def test_floats_that_are_no_number_are_one_key(bits: int) -> None:
    keys = np.array([bits, 0x7FF8000000000000], "u8").view("d")
    same_keys(keys, [struct.pack("<Q", 0x7FF8000000000000)] * 2)
    same_keys(np.array([0x7E00, 0xFC01, 0x7C01], "u2").view("e"), [struct.pack("<Q", 0x7FF8000000000000)] * 3)


def test_every_half_is_its_double() -> None:
    halves = np.arange(2**16, dtype="u2").view("e")
    seen = lately.Filter(last=2**17)
    seen.insert_many(halves.astype("d"))
    assert seen.contains_many(halves).all()
    assert seen.stats().items == 2**16 - 2 * 1023 + 1 - 1  # all that are no number are one, and the zeros


MOMENTS = [datetime(2026, 3, 1, 12, 30, 15, 250_000), datetime(1969, 12, 31, 23, 59, 59), datetime(9999, 12, 31), None, datetime(1, 1, 1), datetime(1970, 1, 1)]


def since_1970(moment: datetime) -> int:
    since = moment - datetime(1970, 1, 1)
    return (since.days * 86_400 + since.seconds) * 10**9 + since.microseconds * 1000


@pytest.mark.parametrize("zone", [None, "UTC", "Europe/Berlin"])
@pytest.mark.parametrize("unit", ["ms", "us"])
def test_timestamps_of_every_unit_are_their_nanoseconds(unit: str, zone: str | None) -> None:
    want = [None if moment is None else whole(since_1970(moment)) for moment in MOMENTS]
    assert {len(key) for key in want if key} == {8, 16}
    for column in slices(pa.array(MOMENTS, pa.timestamp(unit, zone))):
        same_keys(column, want)
    same_keys(np.array(MOMENTS, f"M8[{unit}]"), want)


def test_timestamps_are_one_key_in_each_unit_and_library() -> None:
    noon = datetime(2026, 3, 1, 12)
    seen = lately.Filter(last=100)
    seen.insert_many(pa.array([noon], pa.timestamp("s")))
    for unit in ("s", "ms", "us", "ns"):
        assert not seen.observe_many(pa.array([noon], pa.timestamp(unit))).any()
        assert not seen.observe_many(np.array([noon], f"M8[{unit}]")).any()
    frames = [pd.Series([noon]), pd.Series([noon], dtype="datetime64[ns]"), pl.Series([noon]), pd.DatetimeIndex([noon])]
    for frame in [*frames, np.array(["2026-03-01T12"], "M8[h]"), np.array(["2026-03-01T12"], "M8[4h]")]:
        assert not seen.observe_many(frame).any()
    assert whole(since_1970(noon)) in seen


def test_dates_are_their_midnight() -> None:
    days = [date(2026, 3, 1), date(1969, 12, 31), None, date(9999, 12, 31)]
    want = [None if day is None else whole((day - date(1970, 1, 1)).days * DAY) for day in days]
    for kind in (pa.date32(), pa.date64()):
        for column in slices(pa.array(days, kind)):
            same_keys(column, want)
    same_keys(pl.Series(days), want)
    same_keys(np.array(days, "M8[D]"), want)
    same_keys(np.array(["1970-01", "1970-03"], "M8[M]"), [whole(0), whole(59 * DAY)])


def test_times_of_day_and_durations_are_their_nanoseconds() -> None:
    at, span = time(1, 2, 3), timedelta(days=-1, seconds=5)
    for kind in (pa.time32("s"), pa.time32("ms"), pa.time64("us"), pa.time64("ns")):
        same_keys(pa.array([at, None], kind), [whole(3_723 * 10**9), None])
    for unit in ("s", "ms", "us", "ns"):
        same_keys(pa.array([span, None], pa.duration(unit)), [whole(5 * 10**9 - DAY), None])
        same_keys(np.array([span, "NaT"], f"m8[{unit}]"), [whole(5 * 10**9 - DAY), None])


@pytest.mark.parametrize("bits", [32, 64, 128, 256])
def test_decimals_are_their_whole_number_of_units(bits: int) -> None:
    numbers = [Decimal("1.50"), Decimal("-0.01"), None, Decimal("12345.67"), Decimal("0.00")]
    want = [None if n is None else int(n * 100).to_bytes(bits // 8, "little", signed=True) for n in numbers]
    for column in slices(pa.array(numbers, getattr(pa, f"decimal{bits}")(9, 2))):
        same_keys(column, want)


def test_numpy_times_without_nanoseconds_are_refused() -> None:
    for keys in (np.array([1], "M8[ps]"), np.array([1], "m8[M]"), np.array([1], "m8")):
        with pytest.raises(TypeError, match=r"no whole number of nanoseconds: cast it to [mM]8\[ns\]"):
            lately.Filter(last=9).observe_many(keys)


def test_numpy_times_of_the_other_byte_order_are_the_same() -> None:
    same_keys(np.array(["2026-03-01T12", "NaT"], ">M8[s]"), [whole(since_1970(datetime(2026, 3, 1, 12))), None])


# ---- data frames ----


FRAME = {
    "user": ["ada", "ada", "bob", "ada", "bob", "ada", None, None],
    "day": [date(2026, 1, 1), date(2026, 1, 1), date(2026, 1, 1), date(2026, 1, 2), None, date(2026, 1, 1), None, None],
    "at": [datetime(2026, 1, 1), datetime(2026, 1, 1), *[datetime(2026, 1, 2)] * 4, None, None],
    "price": [1.5, 1.5, 0.0, -0.0, float("nan"), 1.5, None, None],
    "paid": [True, True, False, True, False, True, None, None],
    "delta": [-1, -1, -1, 7, -1, -1, 3, 3],
}


@pytest.mark.parametrize("columns", [["user", "day"], ["user", "at"], ["user", "price"], ["paid"], ["delta"], ["user", "paid", "delta"], [*FRAME]])
def test_frame_is_deduplicated_as_its_own_method_does(columns: list[str]) -> None:
    frame = pd.DataFrame(FRAME)[columns]
    for one in (frame, frame.astype({"user": "category"}) if "user" in columns else frame, frame.iloc[::-1]):
        mask = lately.Filter(last=1000).observe_many(one, nulls="key")
        assert mask.tolist() == (~one.duplicated()).tolist()
        assert one[mask].equals(one.drop_duplicates())
    table = pl.DataFrame(FRAME, strict=False)[columns]
    mask = lately.Filter(last=1000).observe_many(table, nulls="key")
    assert table.filter(mask).equals(table.unique(keep="first", maintain_order=True))


# ---- masked arrays ----


def masked(keys: Any, mask: Any) -> Any:
    return np.ma.array(keys, mask=mask)


MASK = [0, 1, 0, 1, 0]


@pytest.mark.parametrize(
    "keys",
    [
        np.array([1, 2, 3, 2, 1]),
        np.array([1.5, 2, 3, 2, 1.5]),
        np.array([b"a", b"b", b"c", b"b", b"a"]),
        np.array(["a", "b", "c", "b", "a"]),
        np.array(["a", "b", "c", "b", "a"], object),
        np.array([1, 2, 3, 2, 1], "M8[s]"),
        np.array([[1, 9], [2, 9], [3, 9], [2, 9], [1, 9]], "u1"),
    ],
    ids=lambda keys: f"{keys.dtype}-{keys.ndim}",
)
def test_masked_rows_are_nulls(keys: Any) -> None:
    rows = masked(keys, MASK if keys.ndim == 1 else [[flag, 0] for flag in MASK])
    expect_nulls(rows, "11110", "11100", 1)
    seen = lately.Filter(last=100)
    seen.insert_many(rows)
    assert seen.observe_many(keys[1:2]).tolist() == [True], "the value under the mask was taken"
    assert lately.Filter(last=100).observe_many(masked(keys, False)).tolist() == [True, True, True, False, False]


def test_masked_array_of_many_rows_has_each_row_at_its_place() -> None:
    keys = np.arange(3000) % 1500
    gone = keys % 7 == 0
    seen = lately.Filter(last=10_000)
    assert (seen.observe_many(masked(keys, gone)) == (gone | (np.arange(3000) < 1500))).all()
    assert seen.stats().new_count == 1500 - (1500 + 6) // 7


def test_masked_times_are_refused() -> None:
    seen = lately.Filter("10s", clock="ns")
    with pytest.raises(ValueError, match="the time of row 1 is null"):
        seen.observe_many(["a", "b"], masked(np.array([1, 2]), [0, 1]))
    assert seen.observe_many(["a", "b"], masked(np.array([1, 2]), [0, 0])).all()


def test_moments_with_a_zone_are_those_in_utc() -> None:
    noon = datetime(2026, 3, 1, 12, tzinfo=timezone.utc)
    seen = lately.Filter(last=9)
    seen.insert_many(pd.Series([noon]).dt.tz_convert("Asia/Tokyo"))
    assert whole(since_1970(noon.replace(tzinfo=None))) in seen
