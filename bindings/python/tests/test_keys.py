"""One key: which Python values are keys, and which bytes they are."""

from __future__ import annotations

import uuid
from decimal import Decimal
from typing import Any

import pytest

import lately
from fixtures import lines
from lately import Verdict


def bytes_of(key: Any) -> bytes:
    """The bytes of a key, told apart by the packed form of a key of one part."""
    return lately.pack(key)[8:]


VALUES = {"str": str, "int": int, "uuid": uuid.UUID, "bytes": bytes.fromhex}


def value(word: str) -> Any:
    kind, _, text = word.partition(":")
    return None if kind == "null" else VALUES[kind](text)


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


@pytest.mark.parametrize("key", [b"abc", bytearray(b"abc"), memoryview(b"abc"), memoryview(b"a-b-c")[::2], "abc"])
def test_key_same_bytes_are_the_same_key(key: Any) -> None:
    seen = lately.Filter(last=100)
    seen.insert(b"abc")
    assert seen.observe(key) is Verdict.DUPLICATE


def test_key_subclasses_are_what_they_extend() -> None:
    class Name(str):
        __slots__ = ()

    class Id(int):
        __slots__ = ()

    assert bytes_of(Name("a")) == b"a"
    assert bytes_of(Id(1)) == b"\1\0\0\0\0\0\0\0"


def test_key_text_is_utf8_and_a_lone_surrogate_is_an_error() -> None:
    assert bytes_of("ä€😀") == "ä€😀".encode()
    with pytest.raises(UnicodeEncodeError):
        lately.Filter(last=100).observe("\ud800")


@pytest.mark.parametrize("key", [0, 1, 255, 2**63, 2**64 - 1])
def test_key_int_is_eight_bytes_little_endian(key: int) -> None:
    assert bytes_of(key) == key.to_bytes(8, "little")


@pytest.mark.parametrize("key", [-1, -256, -(2**63)])
def test_key_negative_int_is_its_twos_complement(key: int) -> None:
    assert bytes_of(key) == key.to_bytes(8, "little", signed=True) == bytes_of(2**64 + key)


@pytest.mark.parametrize("key", [-(2**63) - 1, 2**64, -(2**64), 10**5000], ids=["-2^63-1", "2^64", "-2^64", "huge"])
def test_key_int_out_of_range_overflows(key: int) -> None:
    with pytest.raises(OverflowError, match="a key is out of range: it must be -9223372036854775808 to 18446744073709551615"):
        lately.Filter(last=100).observe(key)


def test_key_uuid_is_its_sixteen_bytes() -> None:
    key = uuid.UUID("00112233-4455-6677-8899-aabbccddeeff")
    assert bytes_of(key) == bytes.fromhex("00112233445566778899aabbccddeeff")


def test_key_numpy_integer_is_the_int() -> None:
    numpy = pytest.importorskip("numpy")
    assert bytes_of(numpy.int16(7)) == bytes_of(7)
    assert bytes_of(numpy.str_("a")) == b"a"


@pytest.mark.parametrize("key", [None, 1.0, True, (1, 2), [b"a"], {}, object(), Decimal(1), b"a".__len__])
def test_key_of_another_type_is_a_type_error_that_names_it(key: Any) -> None:
    seen = lately.Filter(last=100, keyed=True)
    for call in (seen.observe, seen.first, seen.contains, seen.insert, seen.remove, seen.hash, seen.__contains__):
        with pytest.raises(TypeError, match=rf"a key must be bytes, .*uuid\.UUID, not {type(key).__name__}"):
            call(key)
    assert seen.stats().items == 0


def test_key_hash_and_eq_are_never_used() -> None:
    class Loud(str):
        __slots__ = ()

        def __hash__(self) -> int:
            raise AssertionError("hash was used")

        def __eq__(self, other: object) -> bool:
            raise AssertionError("eq was used")

    seen = lately.Filter(last=100)
    assert (seen.first(Loud("a")), seen.first("a")) == (True, False)


def test_pack_null_and_empty_and_order_differ() -> None:
    made = {lately.pack(), lately.pack(None), lately.pack(""), lately.pack("", None), lately.pack(None, ""),
            lately.pack("ab", "c"), lately.pack("a", "bc"), lately.pack("c", "ab")}  # fmt: skip
    assert len(made) == 8
