"""The answers of a filter: verdicts, ages, statistics and plans."""

from __future__ import annotations

import dataclasses
import enum
import html
from datetime import timedelta
from typing import NoReturn


class Verdict(enum.Enum):
    """The answer to "have I seen this lately?".

    It has no truth value, because in half of such libraries true means the opposite. Compare it, or use ``Filter.first``.

    >>> bool(lately.Verdict.NEW)
    Traceback (most recent call last):
    TypeError: a Verdict is neither true nor false: compare it with Verdict.NEW, or use first(key)
    """

    NEW = 0
    """Not seen within the window."""
    DUPLICATE = 1
    """Seen, or, with at most the error rate, believed to be."""
    PENDING = 2
    """Of a claim: the key is claimed already, and that claim is neither committed nor abandoned."""

    def __bool__(self) -> NoReturn:
        raise TypeError("a Verdict is neither true nor false: compare it with Verdict.NEW, or use first(key)")


class Committed(enum.Enum):
    """The outcome of a commit.

    It has no truth value. Compare it.
    """

    IN_TIME = 0
    """The claim was open. The key is stored now."""
    LATE = 1
    """The claim was over, and no other caller had stored the key. It is stored now."""
    ALREADY = 2
    """The claim was over, and the filter contains the key: another did the same work. Nothing changed."""

    def __bool__(self) -> NoReturn:
        raise TypeError("a Committed is neither true nor false: compare it with Committed.IN_TIME")


@dataclasses.dataclass(frozen=True, slots=True)
class Age:
    """How long ago a key was seen last: between the two.

    In nanoseconds where the window is a span of time, else in observations and insertions.
    """

    at_least: int
    at_most: int

    def timedeltas(self) -> tuple[timedelta, timedelta]:
        """Both bounds as spans of time, cut to microseconds."""
        return timedelta(microseconds=self.at_least // 1000), timedelta(microseconds=self.at_most // 1000)


def _table(title: str, value: object) -> str:
    fields = ((field.name, getattr(value, field.name)) for field in dataclasses.fields(value))  # type: ignore[arg-type]
    row = "<tr><th style='text-align:left'>{}</th><td style='text-align:right'>{}</td></tr>"
    rows = [row.format(name, html.escape(_shown(given))) for name, given in fields if given not in (0, None)]
    return f"<table><caption>{title}</caption>{''.join(rows)}</table>"


def _shown(value: object) -> str:
    if isinstance(value, bool) or not isinstance(value, (int, float)):
        return str(value)
    return f"{value:,}" if isinstance(value, int) else f"{value:.6g}"


@dataclasses.dataclass(frozen=True, slots=True)
class Stats:
    """The statistics of a filter. Fields that a kind does not have are 0."""

    bytes: int
    """Bytes of the cells now."""
    bytes_peak: int
    """The most bytes of the cells so far."""
    slices: int
    """Slices that are allocated."""
    newest_slice_bits: int
    """Bits of the newest slice, or of all lines."""
    items: int
    """Keys within the window; without a window, entries or filled cells."""
    stored: int
    """Keys of all that is allocated: ``8 * bytes / stored`` is the price of a key in bits."""
    reach_ns: int
    """How far back the promise reaches now, in nanoseconds: the window, unless ``memory`` shortened it."""
    error_rate: float
    """The chance that an absent key is called a duplicate now."""
    shifts: int
    """Shifts so far."""
    forgotten: int
    """Slices or cells that ``memory`` made the filter forget before their time."""
    deferred: int
    """Times that ``memory`` refused the filter room."""
    new_count: int
    """Observations answered ``NEW`` since the last ``reset_stats``."""
    duplicate_count: int
    """Observations answered ``DUPLICATE`` since the last ``reset_stats``."""
    late_ticks: int
    """Times below the clock by more than ``lateness``, judged at the clock."""
    refused_ticks: int
    """Times refused by ``max_step``."""
    clock: int
    """The filter's clock, in its unit; the system's in nanoseconds."""
    rows_full: int
    """Rows all of whose cells are filled."""
    miss_rate: float
    """The chance that a key seen very long ago is called new now."""
    moved: int
    """Cells that moved to make room."""
    stashed: int
    """Keys in the stash."""
    max_lateness_ns: int
    """The most that a time was below the clock."""
    last_refused_tick: int
    """The last time that ``max_step`` refused, in nanoseconds; 0 if none was."""
    open_claims: int
    """Claims that are open now."""
    max_claims: int
    """The most claims that may be open; 0 without ``lease``."""
    expired_claims: int
    """Claims whose lease ran out since the last ``reset_stats``."""
    pending: int
    """Claims answered ``PENDING`` since the last ``reset_stats``."""
    removed: int
    """Keys that ``remove`` forgot so far."""

    @property
    def reach(self) -> timedelta:
        """``reach_ns`` as a span of time, cut to microseconds."""
        return timedelta(microseconds=self.reach_ns // 1000)

    def _repr_html_(self) -> str:
        return _table("lately.Stats", self)


@dataclasses.dataclass(frozen=True, slots=True)
class Plan:
    """The plan of a request, before anything is built. Fields that a kind does not have are 0; a rate that nothing fixes is NaN."""

    bytes: int
    """Bytes of the cells at the planned number of keys; 0 if the request names none."""
    bits_per_key: float
    """Bits of a key of the window."""
    bits_per_key_peak: float
    """The same at the peak of growth."""
    k: int
    """Bits of a key, or cells of a row."""
    l: int  # noqa: E741
    """Full generations in the window."""
    fill: float
    """Fill of a full slice."""
    slices: int
    """Slices in the steady state."""
    blocks: int
    """Blocks."""
    rows: int
    """Rows, or lines."""
    load: float
    """Keys of a chain."""
    margin: float
    """The share of the size that allows for uneven arrivals."""
    error_rate_worst: float
    """Rate of false duplicates at the worst instant."""
    error_rate_mean: float
    """Rate of false duplicates on average."""
    miss_rate: float
    """Rate of missed duplicates at ``last``."""
    window_keys: int
    """The window in keys, or the keys that fit into ``memory``; 0 if the request names neither."""
    cache_lines_per_observe: float
    """Cache lines that one observation of a new key touches, about."""
    fingerprint_bits: int
    """Bits of a fingerprint."""
    chains: int
    """Chains of a block."""
    block_bytes: int
    """Bytes of a block."""

    def _repr_html_(self) -> str:
        return _table("lately.Plan", self)
