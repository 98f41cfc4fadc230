"""`lately.first` and `lately.afirst`: they ask for an item when it is wanted, and errors come where they are met."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import AsyncIterator, Iterable

import pytest

import lately


class Source:
    """An iterator, asynchronous or not, that counts what is asked of it, and can fail."""

    def __init__(self, items: Iterable[int], *, fails_after: int | None = None) -> None:
        self.items, self.fails_after, self.asked = iter(items), fails_after, 0

    def __iter__(self) -> Source:
        return self

    def __next__(self) -> int:
        if self.asked == self.fails_after:
            raise ConnectionError("the network is gone")
        self.asked += 1
        return next(self.items)

    def __aiter__(self) -> AsyncIterator[int]:
        return self

    async def __anext__(self) -> int:
        await asyncio.sleep(0)
        for item in self:
            return item
        raise StopAsyncIteration


def test_first_asks_for_one_item_after_the_other_and_stops_at_an_error() -> None:
    source, seen = Source([1, 1, 2, 3, 3], fails_after=4), lately.Filter(last=100)
    stream = lately.first(source, seen)
    assert (source.asked, next(stream), next(stream), source.asked, 3 in seen) == (0, 1, 2, 3, False)
    assert next(stream) == 3
    with pytest.raises(ConnectionError):
        next(stream)


def test_first_takes_a_filter_keys_and_times() -> None:
    seen = lately.Filter("10s", clock="ns")
    rows = [("a", 1), ("b", 2), ("a", 5), ("a", 30)]
    kept = lately.first(rows, seen, key=lambda row: row[0], at=lambda row: row[1] * 10**9)
    assert list(kept) == [("a", 1), ("b", 2), ("a", 30)]
    assert seen.stats().new_count == 3
    for first in (lately.first, lately.afirst):
        with pytest.raises(TypeError, match=f"^{first.__name__}.* a filter has its options"):
            first(rows, seen, memory="1MiB")  # type: ignore[operator]
        with pytest.raises(lately.Error, match="window"):
            first(rows, "soon")  # type: ignore[operator]


def test_afirst_takes_a_filter_keys_and_times() -> None:
    async def main() -> None:
        seen = lately.Filter("10s", clock="s")
        kept = lately.afirst(Source([1, 2, 11, 33, 35]), seen, key=lambda n: n % 10, at=lambda n: n)
        assert [n async for n in kept] == [1, 2, 33, 35]

        async def task(numbers: Iterable[int]) -> list[int]:
            return [n async for n in lately.afirst(Source(numbers), many)]

        many = lately.Filter(last=10_000)
        one, other = await asyncio.gather(task(range(300)), task(reversed(range(300))))
        assert one and other and sorted(one + other) == list(range(300))

    asyncio.run(main())


def test_afirst_asks_for_one_item_after_the_other_and_leaves_the_rest() -> None:
    async def main() -> None:
        source, seen = Source([1, 1, 2, 2, 3]), lately.Filter(last=100)
        async with contextlib.aclosing(lately.afirst(source, seen)) as stream:
            assert source.asked == 0
            assert (await anext(stream), source.asked, await anext(stream), source.asked) == (1, 1, 2, 3)
        assert 3 not in seen
        assert [n async for n in lately.afirst(source, seen)] == [3]

    asyncio.run(main())


def test_afirst_errors_come_where_they_are_met() -> None:
    async def main() -> None:
        stream = lately.afirst(Source([1, 1, 2], fails_after=3), last=100)
        assert [await anext(stream), await anext(stream)] == [1, 2]
        with pytest.raises(ConnectionError):
            await anext(stream)
        seen = lately.Filter(last=100)
        stream = lately.afirst(Source([1, 2]), seen)
        assert await anext(stream) == 1
        seen.close()
        with pytest.raises(lately.Error, match="closed"):
            await anext(stream)
        with pytest.raises(StopAsyncIteration):
            await anext(stream)

    asyncio.run(main())


def test_afirst_that_is_cancelled_has_taken_nothing_more() -> None:
    async def main() -> None:
        async def forever() -> AsyncIterator[int]:
            yield 1
            await asyncio.Event().wait()
            yield 2

        async def task() -> None:
            async for n in lately.afirst(forever(), seen):
                got.append(n)

        seen, got = lately.Filter(last=100), list[int]()
        running = asyncio.create_task(task())
        while not got:
            await asyncio.sleep(0)
        running.cancel()
        with pytest.raises(asyncio.CancelledError):
            await running
        assert got == [1] and 2 not in seen

    asyncio.run(main())
