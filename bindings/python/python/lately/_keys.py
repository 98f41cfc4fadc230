"""Containers of many keys, in a form that the native module reads in place."""

from __future__ import annotations

import sys
from typing import Any, NamedTuple

from ._units import TIMES


class Readable(NamedTuple):
    """Keys in a form that the native module reads."""

    keys: Any
    """A list, Arrow, or a buffer."""
    absent: Any = None
    """Of a buffer: an array with a True for each row that has no key."""
    unit: int | None = None
    """Of a buffer of times: the nanoseconds of each of its whole numbers."""


def readable(keys: Any) -> Readable:
    """The same keys in a form that is read in place."""
    numpy = sys.modules.get("numpy")
    if numpy is None or not isinstance(keys, numpy.ndarray):
        return Readable(_plain(keys))
    if _is_masked(keys):
        return _masked(numpy, keys)
    if keys.dtype.kind in "mM":
        return _times(numpy, keys)
    return Readable(_plain(keys))


def _is_masked(array: Any) -> bool:
    """Whether it is a masked array. Imports nothing: a fork meanwhile would leave the lock of the import to a child."""
    ma = sys.modules.get("numpy.ma")
    return ma is not None and isinstance(array, getattr(ma, "MaskedArray", ()))


def _masked(numpy: Any, keys: Any) -> Readable:
    """An array of numpy whose masked rows have no key. A row of bytes has none if one of them is masked."""
    absent = numpy.ma.getmaskarray(keys)
    if absent.ndim > 1:
        absent = absent.any(axis=tuple(range(1, absent.ndim)))
    read = readable(keys.data)
    if isinstance(read.keys, list):
        return Readable([None if gone else key for key, gone in zip(read.keys, absent, strict=True)])
    return read._replace(absent=absent if read.absent is None else absent | read.absent)


# numpy writes weeks and days in capitals.
_UNITS = {**TIMES, "W": TIMES["w"], "D": TIMES["d"]}


def _times(numpy: Any, times: Any) -> Readable:
    """Dates or spans of numpy as whole numbers of a unit. One that is no time (NaT) is absent."""
    if numpy.datetime_data(times.dtype)[0] in ("Y", "M") and times.dtype.kind == "M":
        times = times.astype("datetime64[D]")
    name, count = numpy.datetime_data(times.dtype)
    if name not in _UNITS:
        raise TypeError(f"an array of {times.dtype} has no whole number of nanoseconds: cast it to {times.dtype.kind}8[ns]")
    absent = numpy.isnat(times)
    native = times.astype(times.dtype.newbyteorder("="), copy=False)
    return Readable(native.view("int64"), absent if absent.any() else None, _UNITS[name] * count)


def _plain(keys: Any) -> Any:
    """The same keys as a list, as Arrow, or as a buffer."""
    if isinstance(keys, (str, bytes, bytearray)):
        raise TypeError(f"the keys are one {type(keys).__name__}: pass a list of keys, such as [key]")
    if isinstance(keys, memoryview) and keys.ndim == 1 and keys.format == "B":
        raise TypeError("the keys are one memoryview of bytes: pass a list of keys, such as [key]")
    if isinstance(keys, (list, tuple)):
        return keys
    if _is_pandas(keys):
        # The index is no part of a key.
        keys = keys.reset_index(drop=True) if hasattr(keys, "reset_index") else keys.to_series()
    if hasattr(keys, "__arrow_c_array__") or hasattr(keys, "__arrow_c_stream__"):
        return keys
    kind = getattr(getattr(keys, "dtype", None), "kind", "")
    if kind == "U":
        return sys.modules["numpy"].char.encode(keys, "utf-8")
    if kind in ("O", "T") or _is_iterable_only(keys):
        return list(keys)
    return keys


def readable_times(times: Any) -> tuple[Any, bool]:
    """The same times as a list, as Arrow, or as a buffer, and whether the buffer has nanoseconds since 1970."""
    if times is None or isinstance(times, (list, tuple)):
        return times, False
    numpy = sys.modules.get("numpy")
    if numpy is not None and _is_masked(times):
        gone = numpy.flatnonzero(numpy.ma.getmaskarray(times))
        if gone.size:
            raise ValueError(f"the time of row {gone[0]} is null")
        times = times.data
    if _is_pandas(times) and hasattr(times, "to_series"):
        times = times.to_series()  # An index has no Arrow.
    if hasattr(times, "__arrow_c_array__") or hasattr(times, "__arrow_c_stream__"):
        return times, False
    if getattr(getattr(times, "dtype", None), "kind", "") == "M":
        return times.astype("datetime64[ns]").view("int64"), True
    return list(times) if _is_iterable_only(times) else times, False


def _is_pandas(keys: Any) -> bool:
    """A column, a table or an index of pandas."""
    is_its = type(keys).__module__.partition(".")[0] == "pandas"
    return is_its and (hasattr(keys, "reset_index") or hasattr(keys, "to_series"))


def _is_iterable_only(keys: Any) -> bool:
    """Whether something can be iterated over and has no buffer."""
    try:
        memoryview(keys).release()
    except (TypeError, ValueError, BufferError):
        return hasattr(keys, "__iter__") and not hasattr(keys, "dtype")
    return False
