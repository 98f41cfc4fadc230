"""Filters to and from file objects: in pieces, with every answer that a file can give."""

from __future__ import annotations

import contextvars
import gzip
import io
import os
import socket
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest

import lately
from fixtures import refused
from lately import Filter

PIECE = 1 << 16


class File:
    """A file object of `write` and `read` alone, which counts its pieces."""

    def __init__(self, data: bytes = b"", answer: Callable[[int], object] = lambda asked: None) -> None:
        self.data, self.answer = io.BytesIO(data), answer
        self.asked: list[int] = []

    def write(self, piece: bytes) -> object:
        self.asked.append(len(piece))
        answer = self.answer(len(piece))
        self.data.write(piece if answer is None else piece[:answer])  # type: ignore[misc]
        return answer

    def read(self, size: int) -> object:
        self.asked.append(size)
        answer = self.answer(size)
        return self.data.read(size if answer is None else answer) if answer is None or isinstance(answer, int) else answer


def big() -> Filter:
    """A filter whose snapshot has several pieces, and is the same each time."""
    seen = Filter("10m", clock="s", capacity=50_000)
    seen.insert_many(range(50_000), [7] * 50_000)
    return seen


def loaded(file: Any) -> Filter:
    return Filter.from_file(file, elapsed="0s")


def test_pieces_are_small_and_end_with_the_filter() -> None:
    seen, out = big(), File()
    seen.to_file(out)
    data = out.data.getvalue()
    assert data == seen.to_bytes() and len(out.asked) == -(-len(data) // PIECE) > 3 and max(out.asked) == PIECE
    back = File(data + data + b"more")
    assert loaded(back).to_bytes() == loaded(back).to_bytes() == data
    assert back.data.read() == b"more" and max(back.asked) == PIECE and len(back.asked) < 2 * len(data) / PIECE + 6


def test_files_of_the_standard_library(tmp_path: Path) -> None:
    seen = big()
    path = tmp_path / "seen"
    for opens in (open, gzip.open, lambda path, mode: open(path, mode, buffering=0)):
        with opens(path, "wb") as file:
            seen.to_file(file)
        with opens(path, "rb") as file:
            assert loaded(file).to_bytes() == seen.to_bytes()
    here, there = socket.socketpair()
    with here, there, ThreadPoolExecutor(1) as other, there.makefile("rb") as source:
        back = other.submit(loaded, source)
        with here.makefile("wb", buffering=0) as file:
            seen.to_file(file)
        assert back.result(30).to_bytes() == seen.to_bytes()


def test_short_writes_and_reads_are_continued() -> None:
    seen, out = Filter(last=100), File(answer=lambda asked: min(asked, 7))
    seen.insert("a")
    seen.to_file(out)
    assert out.data.getvalue() == seen.to_bytes()
    assert "a" in loaded(File(seen.to_bytes(), lambda asked: 1))


@pytest.mark.parametrize("thrown", [OSError(28, "full"), KeyboardInterrupt(), lately.Error("of another filter")])
def test_exceptions_of_the_file_come_through(thrown: BaseException) -> None:
    seen = big()
    calls: list[int] = []

    def fails(asked: int) -> None:
        calls.append(asked)
        if len(calls) == 3:
            raise thrown

    for call in (seen.to_file, loaded):
        calls.clear()
        with pytest.raises(type(thrown)) as raised:
            call(File(seen.to_bytes(), fails))
        assert raised.value is thrown and len(calls) == 3
    assert seen.first("a")


@pytest.mark.parametrize("answer", [0, -1, PIECE + 1, 1.5])
def test_write_that_returns_no_number_of_its_bytes_is_an_error(answer: Any) -> None:
    class Wrong(File):
        def write(self, piece: bytes) -> object:
            return answer

    with pytest.raises(ValueError, match=f"^the answer of write\\(\\) = {answer}: must be 1 to {PIECE}, or None for all$"):
        big().to_file(Wrong())


@pytest.mark.parametrize(
    ("answer", "error", "said"),
    [
        (bytes(25), ValueError, "read\\(24\\) returned 25 bytes"),
        ("text", TypeError, "what read\\(\\) returns must be bytes, not str"),
        (bytearray(3), TypeError, "must be bytes, not bytearray"),
        (b"", lately.Error, "these bytes are not a snapshot"),
        (b"no snapshot, but a text.", lately.Error, "these bytes are not a snapshot"),
    ],
)
def test_read_that_returns_no_filter_is_an_error(answer: Any, error: type[Exception], said: str) -> None:
    with pytest.raises(error, match=said):
        loaded(File(answer=lambda asked: answer))


@pytest.mark.parametrize("end", [23, 24, 100, -1])
def test_file_that_ends_early_is_corrupt(end: int) -> None:
    assert "ends before its last part" in str(refused("CORRUPT", loaded, io.BytesIO(big().to_bytes()[:end])))


def test_changed_bytes_are_found_at_the_end() -> None:
    data = bytearray(big().to_bytes())
    data[-1] ^= 1
    refused("CHECKSUM", loaded, io.BytesIO(data))


def test_what_is_no_binary_file_is_refused(tmp_path: Path) -> None:
    seen = Filter("10m")
    for file in (io.StringIO(), "seen", tmp_path, None):
        kind = type(file).__name__
        with pytest.raises(TypeError, match=rf"^file must be a binary file object with write\(\) \(save takes a path\), not {kind}$"):
            seen.to_file(file)  # type: ignore[arg-type]
        with pytest.raises(TypeError, match=rf"^file must be .* with read\(\) \(load takes a path\), not {kind}$"):
            loaded(file)


@pytest.mark.skipif(not hasattr(os, "set_blocking"), reason="pipes always block here")
def test_file_that_does_not_block_is_an_error_when_it_is_not_ready() -> None:
    source, sink = os.pipe()
    with open(source, "rb", buffering=0) as read, open(sink, "wb", buffering=0) as write:
        for end, call in ((read, loaded), (write, big().to_file)):
            os.set_blocking(end.fileno(), False)
            with pytest.raises(BlockingIOError, match=r"(read|write)\(\) was not ready"):
                call(end)


def test_file_may_not_call_its_filter() -> None:
    seen, other = Filter("10m"), Filter("10m")
    calls: list[Callable[[], Any]] = [lambda: seen.first("a"), lambda: seen.observe_many(["a"] * 100), lambda: seen.stats()]
    calls += [seen.to_bytes, lambda: seen.to_file(io.BytesIO()), lambda: other.to_file(File(answer=lambda asked: calls[0]()))]
    for call in calls:
        with pytest.raises(RuntimeError, match="the filter is being written to this file, which must not call it"):
            seen.to_file(File(answer=lambda asked: call()))
    assert seen.first("a")


def test_file_may_call_other_filters_and_other_threads_the_filter() -> None:
    seen, other = Filter("10m"), Filter("10m")
    with ThreadPoolExecutor(1) as thread:
        thread.submit(seen.to_file, io.BytesIO()).result()

        def calls(asked: int) -> None:
            assert other.first("a") and thread.submit(seen.first, "b").result(30)
            assert contextvars.Context().run(seen.first, "c") and "closed" not in repr(seen)  # a task or a greenlet
            seen.close()

        out = File(answer=calls)
        seen.to_file(out)
    back = loaded(io.BytesIO(out.data.getvalue()))
    assert back.first("b") and back.first("c") and seen.closed
    refused("CLOSED", seen.to_file, out)


def test_arguments_are_those_of_load() -> None:
    def from_file(**more: Any) -> Filter:
        file.seek(0)
        return Filter.from_file(file, **{"elapsed": "0s", "secret": secret, **more})

    secret, file = bytes(range(16)), io.BytesIO()
    seen = Filter("10m", memory="1MiB", keyed=True, secret=secret)
    seen.insert("a")
    seen.to_file(file)
    assert "a" in from_file() and "a" in from_file(elapsed="9m") and "a" not in from_file(elapsed="12m")
    assert from_file(new_memory="2MiB").options().memory == 2 << 20
    for given, code in (({"memory": 1}, "TOO_LARGE"), ({"secret": None}, "SECRET"), ({"secret": bytes(16)}, "SECRET")):
        refused(code, from_file, **given)
