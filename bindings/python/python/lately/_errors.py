"""The errors of a filter, with the code that all languages share."""

from __future__ import annotations


class Error(ValueError):
    """A request that the library refuses. The filter is as it was before the call.

    ``code`` is the name that the cause has in every language, such as ``"OPTION"``, ``"TICK"`` or ``"CHECKSUM"``; ``field``
    is the option at fault, if one is. After ``observe_many``, ``mask`` is the mask of the rows that were processed before
    the error, and ``done`` their number.
    """

    code: str
    field: str | None
    done: int
    mask: object

    def __init__(self, message: str, code: str = "OPTION", field: str | None = None) -> None:
        super().__init__(message)
        self.code = code
        self.field = field


class OutOfMemory(Error, MemoryError):
    """The system has no memory, or no randomness, to give."""
