"""First sightings of an asynchronous stream: those of a set, item by item, and what ends early ends."""

from __future__ import annotations

import asyncio
import contextlib
import random
from collections.abc import AsyncIterator, Iterable

import pytest

import lately


class Source:
    """An asynchronous iterator that counts what is asked of it, and can fail."""

    def __init__(self, items: Iterable[int], *, fails_after: int | None = None) -> None:
        self.items = iter(items)
        self.asked = 0
        self.fails_after = fails_after

    def __aiter__(self) -> AsyncIterator[int]:
        return self

    async def __anext__(self) -> int:
        await asyncio.sleep(0)
        if self.asked == self.fails_after:
            raise ConnectionError("the network is gone")
        self.asked += 1
        for item in self.items:
            return item
        raise StopAsyncIteration


def test_items_are_those_that_a_set_takes() -> None:
    rng = random.Random(1)
    numbers = [rng.randrange(400) for _ in range(2000)]
    want = list(dict.fromkeys(numbers))

    async def main() -> None:
        seen = lately.Filter(last=10_000)
        assert [n async for n in lately.afirst(Source(numbers), seen)] == want
        assert [n async for n in lately.afirst(Source(numbers), seen)] == []
        by_seven = [n async for n in lately.afirst(Source(numbers), last=10_000, key=lambda n: n % 7)]
        assert by_seven == [numbers[i] for i in range(2000) if all(n % 7 != numbers[i] % 7 for n in numbers[:i])]

    asyncio.run(main())


def test_two_tasks_on_one_filter_take_each_item_once() -> None:
    async def main() -> None:
        seen = lately.Filter(last=10_000)

        async def task(numbers: Iterable[int]) -> list[int]:
            return [n async for n in lately.afirst(Source(numbers), seen)]

        one, other = await asyncio.gather(task(range(300)), task(reversed(range(300))))
        assert one and other and sorted(one + other) == list(range(300))

    asyncio.run(main())


def test_nothing_is_asked_for_before_it_is_wanted() -> None:
    async def main() -> None:
        source, seen = Source([1, 1, 2, 3]), lately.Filter(last=100)
        stream = lately.afirst(source, seen)
        assert source.asked == 0
        assert await anext(stream) == 1 and source.asked == 1
        assert await anext(stream) == 2 and source.asked == 3
        assert 3 not in seen

    asyncio.run(main())


def test_errors_come_where_they_are_met() -> None:
    async def main() -> None:
        got: list[int] = []
        with pytest.raises(ConnectionError):
            async for n in lately.afirst(Source([1, 1, 2], fails_after=3), last=100):
                got.append(n)
        assert got == [1, 2]
        seen = lately.Filter(last=100)
        stream = lately.afirst(Source([1, 2]), seen)
        assert await anext(stream) == 1
        seen.close()
        with pytest.raises(ValueError, match="closed"):
            await anext(stream)
        with pytest.raises(StopAsyncIteration):
            await anext(stream)

    asyncio.run(main())
    with pytest.raises(TypeError, match="afirst"):
        lately.afirst(Source([]), lately.Filter(last=100), memory="1MiB")
    with pytest.raises(ValueError, match="window"):
        lately.afirst(Source([]), "soon")


def test_a_loop_that_ends_early_leaves_the_rest_to_others() -> None:
    async def main() -> None:
        source, seen = Source([1, 1, 2, 2, 3]), lately.Filter(last=100)
        async with contextlib.aclosing(lately.afirst(source, seen)) as stream:
            async for n in stream:
                if n == 2:
                    break
        assert [n async for n in lately.afirst(source, seen)] == [3]

    asyncio.run(main())


def test_a_task_that_is_cancelled_has_taken_nothing_more() -> None:
    async def main() -> None:
        seen = lately.Filter(last=100)

        async def forever() -> AsyncIterator[int]:
            yield 1
            await asyncio.Event().wait()
            yield 2

        got: list[int] = []

        async def task() -> None:
            async for n in lately.afirst(forever(), seen):
                got.append(n)

        running = asyncio.create_task(task())
        while not got:
            await asyncio.sleep(0)
        running.cancel()
        with pytest.raises(asyncio.CancelledError):
            await running
        assert got == [1] and 2 not in seen

    asyncio.run(main())
