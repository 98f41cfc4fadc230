"""First sightings of a sequence."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
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
    if isinstance(window, Filter):
        if options:
            raise TypeError(f"first() got a filter and the options {sorted(options)}: a filter has its options")
        seen = window
    else:
        seen = Filter(window, **options)
    return _first(items, seen, key, at)


def _first(
    items: Iterable[T],
    seen: Filter,
    key: Callable[[T], Any] | None,
    at: Callable[[T], int | datetime] | None,
) -> Iterator[T]:
    for item in items:
        one: Any = item if key is None else key(item)
        if seen.first(one, at=None if at is None else at(item)):
            yield item
