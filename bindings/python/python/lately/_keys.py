"""Containers of many keys, in a form that the native module reads in place."""

from __future__ import annotations

from typing import Any


def readable(keys: Any) -> Any:
    """The same keys as a list, as Arrow, or as a buffer."""
    if isinstance(keys, (str, bytes, bytearray)):
        raise TypeError(f"the keys are one {type(keys).__name__}: pass a list of keys, such as [key]")
    if _is_bytes(keys):
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
        return _encoded(keys)
    if kind in ("O", "T") or _is_iterable_only(keys):
        return list(keys)
    return keys


def readable_times(times: Any) -> Any:
    """The same times as a list, as Arrow, or as a buffer of nanoseconds."""
    if times is None or isinstance(times, (list, tuple)):
        return times
    if _is_pandas(times) and hasattr(times, "to_series"):
        times = times.to_series()  # An index has no Arrow.
    if hasattr(times, "__arrow_c_array__") or hasattr(times, "__arrow_c_stream__"):
        return times
    if getattr(getattr(times, "dtype", None), "kind", "") == "M":
        return times.astype("datetime64[ns]").view("int64")
    return list(times) if _is_iterable_only(times) else times


def _is_bytes(keys: Any) -> bool:
    return isinstance(keys, memoryview) and keys.ndim == 1 and keys.format == "B"


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


def _encoded(keys: Any) -> Any:
    """Texts of numpy as UTF-8."""
    import numpy

    return numpy.char.encode(keys, "utf-8")
