"""One key: which Python values are keys, and which bytes they are."""

from __future__ import annotations

import uuid
from decimal import Decimal
from typing import Any

import numpy
import pytest

import lately
from fixtures import lines

VALUES = {"str": str, "int": int, "uuid": uuid.UUID, "bytes": bytes.fromhex}


def value(word: str) -> Any:
    kind, _, text = word.partition(":")
    return None if kind == "null" else VALUES[kind](text)


def bytes_of(key: Any) -> bytes:
    """The bytes of a key, told apart by the packed form of a key of one part."""
    return lately.pack(key)[8:]


def test_keys_of_the_vectors_have_their_bytes_and_hashes() -> None:
    rows = [line.split(" ") for line in lines("keys.txt")]
    for *words, key, digest in rows:
        values = [value(word) for word in words]
        bytes_ = bytes.fromhex(key.removeprefix("-"))
        made = lately.pack(*values) if len(values) > 1 else bytes_of(values[0])
        assert made == bytes_, words
        assert f"{lately.hash64(bytes_):016x}" == digest
        assert f"{lately.hash64(values[0] if len(values) == 1 else made):016x}" == digest
    assert len(rows) >= 20


class Loud(str):
    """A text whose `hash` and `==` are never used."""

    __slots__ = ()

    def __hash__(self) -> int:
        raise AssertionError("hash was used")

    def __eq__(self, other: object) -> bool:
        raise AssertionError("eq was used")


class Id(int):
    """A number of a class of its own."""


SAME = [
    (b"abc", [bytearray(b"abc"), memoryview(b"abc"), memoryview(b"a-b-c")[::2], "abc", Loud("abc"), numpy.str_("abc")]),
    ((7).to_bytes(8, "little"), [7, Id(7), numpy.int16(7), numpy.uint64(7)]),
    (b"\xff" * 8, [2**64 - 1, -1, numpy.int8(-1)]),
    (bytes(7) + b"\x80", [2**63, -(2**63)]),
    ("ä€😀".encode(), ["ä€😀"]),
]


def test_keys_of_the_same_bytes_are_one() -> None:
    for want, keys in SAME:
        seen = lately.Filter(last=100)
        seen.insert(want)
        for key in keys:
            assert bytes_of(key) == want and key in seen and not seen.first(key)


@pytest.mark.parametrize("key", [-(2**63) - 1, 2**64, -(2**64), 10**5000], ids=["-2^63-1", "2^64", "-2^64", "huge"])
def test_key_int_out_of_range_overflows(key: int) -> None:
    with pytest.raises(OverflowError, match="a key is out of range: it must be -9223372036854775808 to 18446744073709551615"):
        lately.Filter(last=100).observe(key)


@pytest.mark.parametrize("key", [None, 1.0, True, (1, 2), [b"a"], {}, object(), Decimal(1), b"a".__len__])
def test_key_of_another_type_is_a_type_error_that_names_it(key: Any) -> None:
    seen = lately.Filter(last=100, keyed=True)
    for call in (seen.observe, seen.first, seen.contains, seen.insert, seen.remove, seen.hash, seen.__contains__):
        with pytest.raises(TypeError, match=rf"a key must be bytes, .*uuid\.UUID, not {type(key).__name__}"):
            call(key)
    with pytest.raises(UnicodeEncodeError):
        seen.observe("\ud800")
    assert seen.stats().items == 0


def test_pack_null_and_empty_and_order_differ() -> None:
    made = {lately.pack(), lately.pack(None), lately.pack(""), lately.pack("", None), lately.pack(None, ""),
            lately.pack("ab", "c"), lately.pack("a", "bc"), lately.pack("c", "ab")}  # fmt: skip
    assert len(made) == 8
