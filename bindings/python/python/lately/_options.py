"""The request for a filter: one set of options for every kind."""

from __future__ import annotations

import dataclasses
from datetime import timedelta
from typing import Any, Literal, TypedDict, get_args

from . import _lately, _units
from ._errors import Error
from ._values import _table

Kind = Literal["window-table", "time-limited", "age-partitioned", "tiny-set", "quotient"]
Clock = Literal["system", "ns", "us", "ms", "s"]
Repeat = Literal["refresh", "keep-first"]
OnLimit = Literal["forget-oldest", "raise-error-rate"]
Variant = Literal["qht", "qhtd", "qqht", "qqhtd"]


class Given(TypedDict, total=False):
    """The keyword arguments of `Filter` and `Filter.plan`, which are the fields of `Options` except ``window``."""

    # <keywords>
    last: int | None
    kind: Kind | None
    clock: Clock | None
    repeat: Repeat | None
    on_limit: OnLimit | None
    capacity: int | None
    error_rate: float | None
    miss_rate: float | None
    memory: str | int | None
    max_step: str | timedelta | None
    k: int | None
    l: int | None  # noqa: E741
    max_slices: int | None
    fill: float | None
    variant: Variant | None
    fingerprint_bits: int | None
    semi_sort: bool | None
    removable: bool | None
    block_bytes: int | None
    chains: int | None
    load: float | None
    keyed: bool | None
    seed: int | None
    secret: bytes | str | None
    age_bits: int | None
    lateness: str | timedelta | None
    lease: str | timedelta | None
    max_claims: int | None
    # </keywords>


@dataclasses.dataclass(frozen=True, slots=True)
class Options:
    """A request for a filter. Give what you know; the library plans the rest. None is "not given".

    Nothing is clamped: an option that is out of range, or that the kind does not take, is a `lately.Error` that names it.

    >>> lately.Options("10m", memory="64MiB")
    Options(window='10m', memory='64MiB')
    """

    # <options>
    window: str | timedelta | None = None
    """Time-limited, required: the window. Window table: this or ``last``, and not both. ``"10m"``, ``"1h30m"`` or a
    ``timedelta``."""
    last: int | None = None
    """Window table: the window in observations and insertions, whatever their verdicts. Age-partitioned, required
    unless ``memory`` is given: the window in insertions. Quotient: the distance, in keys, to which ``miss_rate``
    applies."""
    kind: Kind | None = None
    """The kind of filter; default: the one for windows. docs/how-to/choose-a-kind.md explains the choice."""
    clock: Clock | None = None
    """Window table with ``window``, time-limited: which clock is used; default: the system's. The unit of your own
    times, ``"ns"``, ``"us"``, ``"ms"`` or ``"s"``, makes it a manual clock."""
    repeat: Repeat | None = None
    """Window table, time-limited, age-partitioned: how a repeat is treated; default: it renews the age of its key."""
    on_limit: OnLimit | None = None
    """Window table with ``window``, time-limited: what gives way at ``memory``; default: the oldest keys, and a window
    table takes nothing else."""
    capacity: int | None = None
    """Window table with ``window``, time-limited: keys expected in the first window; without it the filter finds out.
    TinySet, required unless ``memory`` is given: planned load."""
    error_rate: float | None = None
    """All kinds: rate of false duplicates, in (0, 0.5]; default 1e-6 (quotient: 1e-3) where nothing else fixes it."""
    miss_rate: float | None = None
    """Quotient: rate of missed duplicates, in (0, 1)."""
    memory: str | int | None = None
    """All kinds: the most bytes that the cells and the table of claims take, up to 2^56: more, such as -1, is an error.
    Without it a filter with a window of time grows with its traffic. ``"64MiB"`` or a number."""
    max_step: str | timedelta | None = None
    """Window table and time-limited, with a manual clock: the most that a tick may lead the filter's clock by. After a
    longer pause every tick is refused until the caller calls ``Filter.advance``. Without it one record from the far
    future moves the clock there, and later keys are judged at that time until real time catches up."""
    k: int | None = None
    """Time-limited, age-partitioned: bits per key. Quotient: cells per row."""
    l: int | None = None  # noqa: E741
    """Time-limited, age-partitioned: full generations in the window. Time-limited, with fewer than ``k``: the first two
    windows of a stream can be above ``error_rate``, with 1 later ones too; no plan chooses that."""
    max_slices: int | None = None
    """Time-limited, age-partitioned: bound of the search on ``k`` + ``l``, 2 to 1024, default 32; live slices can be
    more."""
    fill: float | None = None
    """Time-limited, age-partitioned: fill of a full slice, in [0.1, 0.9]."""
    variant: Variant | None = None
    """Quotient: the member of the family; default: the queued one that stores duplicates."""
    fingerprint_bits: int | None = None
    """Quotient: bits of a fingerprint, 1 to 16."""
    semi_sort: bool | None = None
    """Quotient: whether rows are sorted to save bits."""
    removable: bool | None = None
    """TinySet: whether keys can be removed. Then the plan is for endless churn: at the planned load the mean rate stays
    within ``error_rate``, as keys leave by chance or the oldest first, for 2.1 to 6.6 bits more per key (1e-2 to 1e-6).
    Keys that never leave raise the rate: ``Stats.error_rate`` is the current one, and docs/reference/costs.md has the
    law."""
    block_bytes: int | None = None
    """TinySet: bytes of a block, 32 or 64 (default)."""
    chains: int | None = None
    """TinySet: chains of a block."""
    load: float | None = None
    """TinySet: keys per chain."""
    keyed: bool | None = None
    """All kinds: whether keys are hashed under a secret, so that no one can aim at collisions."""
    seed: int | None = None
    """All kinds: seed of the hash, default 0: filters with the same seed are equal everywhere."""
    secret: bytes | str | None = dataclasses.field(default=None, repr=False)
    """All kinds, with ``keyed``: the secret; without it one is drawn from the operating system. 16 bytes, or 32
    hexadecimal digits."""
    age_bits: int | None = None
    """Window table: bits of the age of a key, 2 to 5, default 3, with ``lateness`` 4 or 5. The window (and the
    lateness) is 2^``age_bits`` - 1 generations, and a key is found one generation too long at most."""
    lateness: str | timedelta | None = None
    """Window table with ``window`` and a manual clock: how late a record may be, 0 to 24/7 of ``window``. A record that
    is at most this far below the clock is judged at its own time: never ``Verdict.NEW`` if its key was seen within the
    window before that, or later. It takes the memory of a window that is longer by as much."""
    lease: str | timedelta | None = None
    """Window table, time-limited, age-partitioned: how long a claim stays open, 1 to the window. With ``last`` it is up
    to 365 days, by the system's clock. A filter without a lease takes no claims, one with it no hashes."""
    max_claims: int | None = None
    """Window table, time-limited, age-partitioned, with ``lease``: the most open claims, 1 to 2^24, default 65,536.
    They take at most 40 bytes each, from the start and within ``memory``."""
    # </options>

    def __repr__(self) -> str:
        given = (f for f in dataclasses.fields(self) if f.repr and getattr(self, f.name) is not None)
        shown = [f"{f.name}={getattr(self, f.name)!r}" for f in given]
        return f"Options({', '.join(shown + ['secret=...'] * (self.secret is not None))})"

    def _repr_html_(self) -> str:
        return _table("lately.Options", dataclasses.replace(self, secret=None))


# <spans>
_SPANS = {"window": "window_ns", "max_step": "max_step_ns", "lateness": "lateness_ns", "lease": "lease_ns"}
# </spans>


CHOICES: dict[str, tuple[str, ...]] = {
    "kind": tuple(_lately.kinds()),
    "clock": get_args(Clock),
    "repeat": get_args(Repeat),
    "on_limit": get_args(OnLimit),
    "variant": get_args(Variant),
}
"""The values of an option, in the order of their numbers, which begin at 1."""


def made(named: dict[str, Any]) -> Options:
    """The options that the library gives by their keywords, with choices by their numbers."""
    return Options(**{name: CHOICES[name][value - 1] if name in CHOICES else value for name, value in named.items()})


def _expect_clock(clock: object) -> None:
    if clock not in get_args(Clock):
        bounds = "'system', or the unit of your times: 'ns', 'us', 'ms' or 's'"
        raise Error(_units.out_of_range("clock", repr(clock), bounds), "OPTION", "clock")


def request(options: Options) -> tuple[dict[str, object], tuple[int, int] | None]:
    """The options by the names of the library, and the secret."""
    given = {f.name: getattr(options, f.name) for f in dataclasses.fields(options)}
    secret = _units.words(given.pop("secret"))
    named: dict[str, object] = {"kind": "window-table"}
    for name, value in given.items():
        if value is None:
            continue
        if name == "clock":
            _expect_clock(value)
        if name in _SPANS:
            named[_SPANS[name]] = _units.nanoseconds(name, value)
        elif name == "memory":
            named[name] = _units.size(name, value)
        else:
            named["window_keys" if name == "last" else name] = value
    return named, secret
