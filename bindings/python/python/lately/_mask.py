"""The answer for many keys: a mask of booleans."""

from __future__ import annotations

import functools
from collections.abc import Iterator
from typing import Any

from . import _lately


@functools.cache
def _numpy() -> Any:
    """numpy if it is installed. It is imported with the first mask, because the import is slow."""
    try:
        import numpy
    except ImportError:
        return None
    return numpy


class Mask:
    """A row of booleans where numpy is not installed. Arrow libraries take it as an array of booleans.

    >>> mask = lately.Mask(b"\\x01\\x00")
    >>> list(mask), len(mask), mask[0]
    ([True, False], 2, True)
    """

    __slots__ = ("_bytes",)

    def __init__(self, flags: bytes) -> None:
        self._bytes = bytes(flags)

    def __len__(self) -> int:
        return len(self._bytes)

    def __getitem__(self, row: int) -> bool:
        return self._bytes[row] != 0

    def __iter__(self) -> Iterator[bool]:
        return map(bool, self._bytes)

    def tolist(self) -> list[bool]:
        """A list of its booleans, as an array of numpy gives it."""
        return list(self)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Mask) and self._bytes == other._bytes

    __hash__ = None  # type: ignore[assignment]

    def __repr__(self) -> str:
        return f"<lately.Mask of {len(self)} rows, {sum(self._bytes)} of them True>"

    def __arrow_c_schema__(self) -> object:
        return _lately.arrow_of_mask(b"")[0]

    def __arrow_c_array__(self, requested_schema: object | None = None) -> tuple[object, object]:
        return _lately.arrow_of_mask(self._bytes)


def mask_of(flags: bytearray) -> Any:
    """An array of numpy over these bytes, or a `Mask` of them."""
    numpy = _numpy()
    return Mask(bytes(flags)) if numpy is None else numpy.frombuffer(flags, dtype=numpy.bool_)
