"""First sightings of a sequence."""

from __future__ import annotations

from collections.abc import AsyncIterable, AsyncIterator, Callable, Iterable, Iterator
from datetime import datetime, timedelta
from typing import TYPE_CHECKING, Any, TypeVar

from ._filter import Filter

if TYPE_CHECKING:
    from typing import Unpack

    from ._options import Given

T = TypeVar("T")


def first(
    items: Iterable[T],
    window: str | timedelta | Filter | None = None,
    *,
    key: Callable[[T], Any] | None = None,
    at: Callable[[T], int | datetime] | None = None,
    **options: Unpack[Given],
) -> Iterator[T]:
    """The items that were not seen lately, one by one as they come.

    ``window`` and the other options are those of `Filter`; in place of ``window`` you may pass a filter. ``key`` makes the
    key of an item, which is the item itself without it; ``at`` its time, for a filter whose ``clock`` is a unit.

    >>> list(lately.first(["a", "b", "a"], "10m"))
    ['a', 'b']
    >>> orders = [{"id": 17}, {"id": 18}, {"id": 17}]
    >>> [order["id"] for order in lately.first(orders, "10m", key=lambda order: order["id"])]
    [17, 18]
    """
    is_new = _is_new(_seen("first", window, options), key, at)
    return (item for item in items if is_new(item))


def afirst(
    items: AsyncIterable[T],
    window: str | timedelta | Filter | None = None,
    *,
    key: Callable[[T], Any] | None = None,
    at: Callable[[T], int | datetime] | None = None,
    **options: Unpack[Given],
) -> AsyncIterator[T]:
    """`first` for ``async for``: the items of an asynchronous iterable that were not seen lately.

    An item is observed when it comes, and the next one is asked for when it is wanted. A loop that ends early leaves ``items``
    open, as ``async for`` itself does.

    >>> import asyncio
    >>> async def orders():
    ...     for order in ["order-17", "order-18", "order-17"]:
    ...         yield order
    >>> async def main():
    ...     async for order in lately.afirst(orders(), "10m"):
    ...         print(order)
    >>> asyncio.run(main())
    order-17
    order-18
    """
    return _afirst(items, _is_new(_seen("afirst", window, options), key, at))


async def _afirst(items: AsyncIterable[T], is_new: Callable[[T], bool]) -> AsyncIterator[T]:
    async for item in items:
        if is_new(item):
            yield item


def _seen(name: str, window: str | timedelta | Filter | None, options: Given) -> Filter:
    if not isinstance(window, Filter):
        return Filter(window, **options)
    if options:
        raise TypeError(f"{name}() got a filter and the options {sorted(options)}: a filter has its options")
    return window


def _is_new(
    seen: Filter, key: Callable[[T], Any] | None, at: Callable[[T], int | datetime] | None
) -> Callable[[T], bool]:
    def is_new(item: T) -> bool:
        one: Any = item if key is None else key(item)
        return seen.first(one, at=None if at is None else at(item))

    return is_new
