"""Many keys: lists, Arrow and numpy, with the keys that single calls have."""

from __future__ import annotations

import array
import subprocess
import sys
import uuid
from datetime import datetime, timedelta, timezone
from typing import Any

import duckdb
import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest

import lately
from fixtures import expect_nulls, refused, slices

TEXTS = ["a", "", "order-17", "ä€😀", "a", "a string that is longer than the twelve bytes of a view", "b", "order-17"]
NUMBERS = [0, 1, 7, 100, 7, 127, 1, 8]
UUIDS = [uuid.UUID(int=n * 0x1234567890ABCDEF) for n in NUMBERS]


def observed(keys: Any, *, nulls: Any = "new") -> lately.Filter:
    """A filter that has seen these keys, of which the mask is that of single calls."""
    seen = lately.Filter(last=10_000)
    seen.observe_many(keys, nulls=nulls)
    return seen


def same_keys(keys: Any, want: list[Any], *, nulls: Any = "new") -> None:
    """The keys are those: each is in the filter, in this order, and no other."""
    seen, single = lately.Filter(last=10_000), lately.Filter(last=10_000)
    mask = seen.observe_many(keys, nulls=nulls)
    assert mask.tolist() == [single.first(key) for key in want]
    assert seen.to_bytes() == single.to_bytes()


TEXT_TYPES = [pa.string(), pa.large_string(), pa.string_view(), pa.binary(), pa.large_binary(), pa.binary_view()]


def of_kind(texts: list[Any], kind: pa.DataType) -> pa.Array:
    return pa.array(texts, pa.string()).cast(pa.binary()).cast(kind)


# Rows of an index that is no part of a key, and batches of a stream.
FRAME = pd.DataFrame({"a": ["x", "y", "x"]}, index=pd.Index([5, 6, 7], name="number"))
BATCHES = [pa.record_batch({"a": [f"{i}", f"{i % 2}"]}) for i in range(100)]
BYTES = np.array([b"a", b"abc", b"", b"a"], "S5")

FORMS: list[tuple[Any, list[Any]]] = [
    *((column, TEXTS) for kind in TEXT_TYPES for column in slices(of_kind(TEXTS, kind))),
    *((pa.chunked_array([texts[:3], texts[3:3], texts[3:]]), TEXTS) for texts in [of_kind(TEXTS, kind) for kind in TEXT_TYPES]),
    *((column, NUMBERS) for bits in (8, 16, 32, 64) for column in slices(pa.array(NUMBERS, getattr(pa, f"uint{bits}")()))),
    (pa.array([2**64 - 1, 2**63], pa.uint64()), [2**64 - 1, 2**63]),
    *((column, UUIDS) for column in slices(pa.array([key.bytes for key in UUIDS], pa.binary(16)))),
    (pa.array([key.bytes for key in UUIDS], pa.uuid()), UUIDS),
    (pa.RecordBatchReader.from_batches(BATCHES[0].schema, iter(BATCHES)), [text for i in range(100) for text in (f"{i}", f"{i % 2}")]),
    (pl.Series(TEXTS), TEXTS),
    (pl.Series(TEXTS).slice(2), TEXTS[2:]),
    (pl.Series(NUMBERS, dtype=pl.Int32), NUMBERS),
    (pl.Series(TEXTS, dtype=pl.Categorical), TEXTS),
    (pd.Series(TEXTS), TEXTS),
    (pd.Series(TEXTS, index=range(9, 1, -1), name="n")[1:], TEXTS[1:]),
    (pd.Series(NUMBERS), NUMBERS),
    (pd.Series(TEXTS, dtype="category"), TEXTS),
    (pd.Series(UUIDS), UUIDS),
    (pd.Index(TEXTS), TEXTS),
    (FRAME, ["x", "y", "x"]),
    (FRAME.set_index(["a"]).reset_index(), ["x", "y", "x"]),
    (duckdb.sql("select i from range(3) t(i) union all select 1"), [0, 1, 2, 1]),
    *((np.array(NUMBERS, f"{sign}{width}")[::step], NUMBERS[::step]) for sign in "iu" for width in "1248" for step in (1, 2, -1)),
    (array.array("q", NUMBERS), NUMBERS),
    (BYTES, [b"a", b"abc", b"", b"a"]),
    (BYTES[::-2], [b"a", b"abc"]),
    (np.array([b"a\0b", b"\0"], "S4"), [b"a\0b", b""]),
    (np.array([b"ab", b"a\0"], "V2"), [b"ab", b"a\0"]),
    (np.frombuffer(b"abcdabce", "u1").reshape(2, 4), [b"abcd", b"abce"]),
    *((np.array(TEXTS, kind), TEXTS) for kind in (None, object, np.dtypes.StringDType())),
    ((str(i % 3) for i in range(6)), ["0", "1", "2", "0", "1", "2"]),
    (("a", "b"), ["a", "b"]),
    ({"a": 1, "b": 2}.keys(), ["a", "b"]),
]


@pytest.mark.parametrize(("keys", "want"), FORMS, ids=lambda one: type(one).__name__)
def test_keys_of_every_form_are_the_values(keys: Any, want: list[Any]) -> None:
    same_keys(keys, want)


@pytest.mark.parametrize("index", [pa.int8(), pa.uint32(), pa.int64()], ids=str)
def test_arrow_dictionary_is_its_values(index: pa.DataType) -> None:
    for kind in (pa.string(), pa.string_view()):
        words = pa.array(["x", "a", "b"], pa.string()).cast(kind)
        column = pa.DictionaryArray.from_arrays(pa.array([1, 2, None, 1, 0, 2], index), words)
        same_keys(column[1:], ["b", b"\xff" * 8 + b"null", "a", "x", "b"], nulls="key")
    numbers = pa.DictionaryArray.from_arrays(pa.array([1, 0, 1], index), pa.array([5, 300]))
    same_keys(numbers, [300, 5, 300])


def test_arrow_empty_columns_are_no_keys() -> None:
    for column in [pa.array([], kind) for kind in [*TEXT_TYPES, pa.int8(), pa.binary(4), pa.null()]]:
        assert observed(column).stats().new_count == 0
    assert lately.Filter(last=9).observe_many(pa.table({"a": pa.array([], pa.string())})).tolist() == []


@pytest.mark.parametrize(
    "column",
    [pa.array([["a"]]), pa.array([[1.5]], pa.list_(pa.float64(), 1)), pa.array([(1, 2, 3)], pa.month_day_nano_interval())],
    ids=lambda column: str(column.type),
)
def test_arrow_other_types_are_refused_by_their_format(column: pa.Array) -> None:
    with pytest.raises(TypeError, match=r"the keys have the Arrow format '?\"?.*use strings, binary, numbers, booleans"):
        observed(column)


# ---- nulls ----

NULLS = [None, "a", None, "", "a"]
COUNTS = [None, 7, None, 8, 7]
PARTS = pa.table({"a": [1, None, 1, None], "b": ["x", "x", "x", "x"]})
ROWS = pa.StructArray.from_arrays(
    [pa.array(["a", "b", "a"]), pa.array(["x", "x", "x"])], ["k", "l"], mask=pa.array([False, True, False])
)

WITH_NULLS = [
    *((column, "11110", "11010", 0) for kind in TEXT_TYPES for column in slices(of_kind(NULLS, kind))),
    (pa.array(COUNTS), "11110", "11010", 0),
    (COUNTS, "11110", "11010", 0),
    (pa.nulls(3), "111", "100", 0),
    ([1, 2, None], "111", "111", 2),
    (PARTS, "1101", "1100", 1),
    (ROWS, "110", "110", 1),
]


@pytest.mark.parametrize(("keys", "new", "key", "row"), WITH_NULLS)
def test_nulls_are_new_or_keys_or_errors(keys: Any, new: str, key: str, row: int) -> None:
    expect_nulls(keys, new, key, row)


def test_nulls_were_not_seen() -> None:
    for keys in (NULLS, *(column for kind in TEXT_TYPES for column in slices(of_kind(NULLS, kind)))):
        seen = lately.Filter(last=100)
        seen.insert_many(keys)
        assert seen.contains_many(keys).tolist() == [False, True, False, True, True]
        assert seen.stats().items == 2


def test_nulls_under_the_bitmap_are_not_checked() -> None:
    """What lies under a null is no key: -1 there is not out of range."""
    column = pa.Array.from_buffers(
        pa.int64(), 2, [pa.py_buffer(b"\2"), pa.py_buffer((-1).to_bytes(8, "little", signed=True) + bytes(8))]
    )
    same_keys(column, [b"\xff" * 8 + b"null", 0], nulls="key")


def test_nulls_another_word_is_refused() -> None:
    with pytest.raises(ValueError, match="nulls = \"drop\": must be 'new', 'key' or 'error'"):
        lately.Filter(last=9).observe_many(["a"], nulls="drop")  # type: ignore[arg-type]


# ---- several columns ----


def test_columns_make_one_key_as_pack_does() -> None:
    table = pa.table({"shop": pa.array([1, 1, 2, 1], pa.int16()), "order": ["17", "18", "17", "17"]})
    want = [lately.pack(shop, order) for shop, order in [(1, "17"), (1, "18"), (2, "17"), (1, "17")]]
    for keys in [table, table.to_batches()[0], table.to_struct_array(), pl.from_arrow(table), table.to_pandas()]:
        same_keys(keys, want)
    same_keys(table.slice(1), want[1:])
    same_keys(table.to_struct_array().combine_chunks().slice(1), want[1:])
    same_keys(table.to_pandas()[::-1][:2], want[:1:-1])


def test_columns_differ_and_one_column_is_a_plain_key() -> None:
    table = pa.table({"a": ["ab", "a", None, ""], "b": ["c", "bc", "x", "x"]})
    assert lately.Filter(last=9).observe_many(table, nulls="key").tolist() == [True] * 4
    same_keys(table.select(["b"]), ["c", "bc", "x", "x"])
    with pytest.raises(TypeError, match="the keys have no column"):
        observed(pa.record_batch({}))


def test_columns_a_null_part_is_packed_as_none() -> None:
    same_keys(PARTS, [lately.pack(*part) for part in [(1, "x"), (None, "x"), (1, "x"), (None, "x")]], nulls="key")


# ---- streams and corrupt columns ----


def test_stream_error_of_the_producer_is_raised_with_what_was_done() -> None:
    def broken() -> Any:
        yield pa.record_batch({"a": ["x", "y"]})
        raise RuntimeError("the disk is gone")

    seen = lately.Filter(last=9)
    with pytest.raises(OSError, match="the disk is gone") as failed:
        seen.observe_many(pa.RecordBatchReader.from_batches(pa.schema({"a": pa.string()}), broken()))
    assert failed.value.__notes__ == ["the 2 rows before were processed"]
    assert seen.stats().new_count == 2


def test_arrow_capsule_is_used_once() -> None:
    class Once:
        def __init__(self) -> None:
            self.capsules = pa.array(["a"]).__arrow_c_array__()

        def __arrow_c_array__(self, requested_schema: object = None) -> object:
            return self.capsules

    once = Once()
    observed(once)
    with pytest.raises(TypeError, match="was used already"):
        observed(once)


def test_arrow_corrupt_columns_are_errors() -> None:
    def strings(*offsets: int) -> pa.Array:
        packed = b"".join(offset.to_bytes(4, "little", signed=True) for offset in offsets)
        return pa.Array.from_buffers(pa.string(), len(offsets) - 1, [None, pa.py_buffer(packed), pa.py_buffer(b"abc")])

    same_keys(strings(0, 1, 3), ["a", "bc"])
    for offsets in [(0, 2, 1), (0, 4, 3)]:
        with pytest.raises(ValueError, match="corrupt Arrow column"):
            observed(strings(*offsets))
    view = (20).to_bytes(4, "little") + b"long" + (0).to_bytes(4, "little") + (90).to_bytes(4, "little")
    broken = pa.Array.from_buffers(pa.string_view(), 1, [None, pa.py_buffer(view), pa.py_buffer(bytes(30))])
    with pytest.raises(ValueError, match="the view of row 0 is outside of its data"):
        observed(broken)


# ---- numpy and buffers ----


@pytest.mark.parametrize("keys", [np.array([1.5j]), np.zeros((2, 2), "i4"), np.zeros((2, 2)), np.array([1], ">i4")], ids=str)
def test_numpy_other_types_are_refused(keys: Any) -> None:
    with pytest.raises(TypeError, match="the keys are a buffer of"):
        observed(keys)


@pytest.mark.parametrize("keys", ["abc", b"abc", bytearray(b"abc"), memoryview(b"abc")])
def test_one_key_is_not_many(keys: Any) -> None:
    with pytest.raises(TypeError, match=r"pass a list of keys, such as \[key\]"):
        observed(keys)


def test_value_that_is_no_collection_is_refused() -> None:
    for keys in (7, None, object(), 1.5):
        with pytest.raises(TypeError, match="the keys must be .*, not "):
            observed(keys)


def test_list_with_a_bad_key_names_its_place_and_observes_none() -> None:
    seen = lately.Filter(last=9)
    with pytest.raises(TypeError, match="a key must be .*, not float") as failed:
        seen.observe_many(["a", "b", 1.5])
    assert failed.value.__notes__ == ["in keys[2]"]
    assert seen.stats().new_count == 0


def test_list_with_more_keys_than_a_chunk() -> None:
    keys = [None if i % 7 == 0 else str(i % 2500) for i in range(5000)]
    seen, single = lately.Filter(last=9000), lately.Filter(last=9000)
    assert seen.observe_many(keys).tolist() == [key is None or single.first(key) for key in keys]
    assert seen.to_bytes() == single.to_bytes()


# ---- times ----

START = datetime(2026, 3, 1, 12, tzinfo=timezone.utc)
DATES = [START + timedelta(seconds=s) for s in (0, 300, 900, 1600)]
NANOS = [int(date.timestamp()) * 10**9 for date in DATES]

TIMES = [
    DATES,
    NANOS,
    tuple(DATES),
    np.array(NANOS),
    np.array(NANOS, "u8"),
    np.array([date.replace(tzinfo=None) for date in DATES], "M8[s]"),
    np.array([date.replace(tzinfo=None) for date in DATES], "M8[us]"),
    pa.array(DATES, pa.timestamp("s", "UTC")),
    pa.array(DATES, pa.timestamp("ms", "UTC")),
    pa.array(DATES, pa.timestamp("us", "UTC"))[:4],
    pa.chunked_array([pa.array(NANOS[:1]), pa.array(NANOS[1:])]),
    pl.Series(DATES),
    pd.Series(DATES),
    pd.DatetimeIndex(DATES),
    iter(DATES),
]


@pytest.mark.parametrize("times", TIMES, ids=lambda times: type(times).__name__)
def test_times_of_every_form_are_the_same_ticks(times: Any) -> None:
    seen, single = (lately.Filter("10m", clock="ns") for _ in range(2))
    mask = seen.observe_many(["a", "a", "a", "a"], times)
    assert mask.tolist() == [single.first("a", at=date) for date in DATES] == [True, False, False, True]
    assert seen.to_bytes() == single.to_bytes()
    assert seen.stats().clock == NANOS[-1]


def test_times_go_with_their_rows_past_nulls_and_pieces() -> None:
    keys = pa.chunked_array([["a", None], ["b"], [None, "a"]])
    seen, single = (lately.Filter("10s", clock="ns") for _ in range(2))
    times = [10**9 * t for t in (1, 2, 3, 4, 30)]
    assert seen.observe_many(keys, times).tolist() == [True, True, True, True, True]
    for key, at in zip("aba", (times[0], times[2], times[4])):
        single.observe(key, at=at)
    assert seen.to_bytes() == single.to_bytes()
    assert seen.contains_many(["a", "a"], [31 * 10**9, 60 * 10**9]).tolist() == [True, False]
    seen.insert_many(["c"], [61 * 10**9])
    assert seen.stats().clock == 61 * 10**9


def test_times_of_another_number_are_refused_before_the_first_key() -> None:
    for keys in (["a", "b"], pa.array(["a", "b"]), np.array([1, 2])):
        for times in ([1], [1, 2, 3]):
            seen = lately.Filter("10s", clock="ns")
            with pytest.raises(ValueError, match=f"there are {len(times)} times for 2 keys"):
                seen.observe_many(keys, times)
            assert seen.stats().new_count == 0
    with pytest.raises(ValueError, match="there are 3 times for 2 keys"):
        lately.Filter("10s", clock="ns").observe_many(pa.chunked_array([["a"], ["b"]]), [1, 2, 3])
    with pytest.raises(ValueError, match="there are 1 times for more keys"):
        lately.Filter("10s", clock="ns").observe_many(pa.chunked_array([["a"], ["b"]]), [1])


def test_times_that_have_no_tick_are_refused() -> None:
    seen = lately.Filter("10s", clock="ns")
    for times in ([-1], np.array([-1]), [START - timedelta(days=365 * 60)], pa.array([-1]), [2**64]):
        assert "has no tick: it must be 0 to" in str(refused("TICK", seen.observe_many, ["a"], times))
    with pytest.raises(ValueError, match="the time of row 1 is null"):
        seen.observe_many(["a", "b"], pa.array([1, None]))
    for times in ([1.5], [None], ["2026-01-01"], [True]):
        with pytest.raises(TypeError, match="a time must be .*, not "):
            seen.observe_many(["a"], times)
    with pytest.raises(ValueError, match="no time zone"):
        seen.observe("a", at=datetime(2026, 1, 1))
    for times in (pa.array(["x"]), np.array([1.5]), 7):
        with pytest.raises(TypeError):
            seen.observe_many(["a"], times)


def test_error_in_the_middle_has_the_mask_before_it() -> None:
    seen = lately.Filter("10s", clock="ns", max_step="1h")
    error = refused("TICK", seen.observe_many, ["a", None, "a", "b", "c"], [10**9, 0, 2 * 10**9, 10**15, 3 * 10**9])
    assert (error.code, error.done, error.mask.tolist()) == ("TICK", 3, [True, True, False])
    assert seen.stats().new_count == 1


# ---- masks ----

WITHOUT_NUMPY = """
import sys
sys.modules["numpy"] = None
import lately
mask = lately.Filter("10m").observe_many(["a", "b", "a", "c", "a", "d", "e", "f", "g", "a"])
assert type(mask) is lately.Mask, mask
assert list(mask) == [i not in (2, 4, 9) for i in range(10)], list(mask)
print(mask)
"""


def test_mask_without_numpy_is_one_of_its_own() -> None:
    ran = subprocess.run([sys.executable, "-c", WITHOUT_NUMPY], capture_output=True, text=True, check=True)
    assert ran.stdout == "<lately.Mask of 10 rows, 7 of them True>\n"


def test_mask_is_an_arrow_array() -> None:
    for n in (0, 1, 7, 8, 9, 1000):
        flags = [i % 3 == 0 for i in range(n)]
        column = pa.array(lately.Mask(bytes(flags)))
        column.validate(full=True)
        assert (column.type, column.to_pylist()) == (pa.bool_(), flags)
    assert pl.Series(lately.Mask(b"\1\0")).to_list() == [True, False]
    assert pa.field(lately.Mask(b"\1")).type == pa.bool_()


def test_mask_of_numpy_can_be_written_to() -> None:
    mask = lately.Filter("10m").observe_many(["a", "a"])
    mask &= np.array([False, True])
    assert mask.dtype == np.bool_ and mask.tolist() == [False, False]
