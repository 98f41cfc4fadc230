"""A claim: a key that counts as seen only once its work is done."""

from __future__ import annotations

from typing import TYPE_CHECKING, NoReturn

from ._errors import Error
from ._values import Committed, Verdict

if TYPE_CHECKING:
    from typing import Self

    from ._filter import Filter, Key, Time

__all__ = ["Claim"]


class Claim:
    """The answer of `Filter.claim`: `verdict`, and, if it is ``NEW``, the claim that the caller has now.

    As a context manager it is like a transaction: it commits at the end of the block, also if ``return`` leaves it, and abandons
    if an exception does. `commit` and `abandon` end it before. A claim that is not ``NEW`` does nothing.

    >>> seen = lately.Filter("10m", lease="30s")
    >>> with seen.claim("order-17") as claim:
    ...     if claim.is_new:
    ...         print("work")
    work
    >>> seen.claim("order-17").verdict
    <Verdict.DUPLICATE: 1>
    """

    __slots__ = ("__weakref__", "_filter", "_is_open", "_key", "token", "verdict")

    verdict: Verdict
    """``NEW``: the work is the caller's. ``DUPLICATE``: it was done. ``PENDING``: somebody else does it."""
    token: int
    """The token for `Filter.commit` and `Filter.abandon`, in any process that has the claim; 0 unless it is ``NEW``."""

    def __init__(self, filter: Filter, key: Key, verdict: Verdict, token: int) -> None:
        self._filter, self._key = filter, _kept(key)
        self.verdict, self.token = verdict, token
        self._is_open = verdict is Verdict.NEW

    @property
    def is_new(self) -> bool:
        """Whether the work is the caller's."""
        return self.verdict is Verdict.NEW

    def commit(self, *, at: Time | None = None) -> Committed:
        """Store the key: the work is done. ``at`` is the time of it, for a filter whose ``clock`` is a unit.

        A claim that was ended here, or that was not ``NEW``, is a `lately.Error` with the code ``CLAIM``.
        """
        if not self._is_open:
            raise Error("the claim was committed or abandoned before, or was not new", "CLAIM", None)
        found = self._filter.commit(self._key, self.token, at=at)
        self._is_open = False
        return found

    def abandon(self) -> None:
        """Close the claim: the work failed, and the next claim of the key is new. Nothing happens to one that was ended."""
        if self._is_open:
            self._filter.abandon(self._key, self.token)
            self._is_open = False

    def __bool__(self) -> NoReturn:
        raise TypeError("a Claim is neither true nor false: ask is_new, or compare its verdict")

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, *_: object) -> None:
        if not self._is_open:
            return
        if kind is None:
            self.commit()
            return
        try:
            self.abandon()
        except Error:
            pass  # The exception of the block is what the caller must see. The lease ends the claim.

    def __repr__(self) -> str:
        return f"<lately.Claim: {self.verdict.name}, token {self.token}>"


def _kept(key: Key) -> Key:
    """The key as it is now, of one that can change."""
    return bytes(key) if isinstance(key, (bytearray, memoryview)) else key
