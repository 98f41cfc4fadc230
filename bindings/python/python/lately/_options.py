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

    last: int | None
    kind: Kind | None
    capacity: int | None
    error_rate: float | None
    memory: str | int | None
    keyed: bool | None
    secret: bytes | str | None
    clock: Clock | None
    lateness: str | timedelta | None
    max_step: str | timedelta | None
    lease: str | timedelta | None
    max_claims: int | None
    repeat: Repeat | None
    on_limit: OnLimit | None
    seed: int | None
    age_bits: int | None
    miss_rate: float | None
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


@dataclasses.dataclass(frozen=True, slots=True)
class Options:
    """A request for a filter. Give what you know; the library plans the rest. None is "not given".

    Nothing is clamped: an option that is out of range, or that the kind does not take, is a `lately.Error` that names it.

    >>> lately.Options("10m", memory="64MiB")
    Options(window='10m', memory='64MiB')
    """

    window: str | timedelta | None = None
    """The window as a span of time: ``"10m"``, ``"1h30m"`` or a ``timedelta``."""
    last: int | None = None
    """The window as a number of observations, in place of ``window``."""
    kind: Kind | None = None
    """The kind of filter; the default is ``"window-table"``, for windows. docs/how-to/choose-a-kind.md explains the choice."""
    capacity: int | None = None
    """How many keys to plan for: those of the first window, or of a set."""
    error_rate: float | None = None
    """The rate of false duplicates, above 0 and at most 0.5; default 1e-6."""
    memory: str | int | None = None
    """The most bytes that the cells may take: ``"64MiB"`` or a number. Without it a window of time grows with its traffic."""
    keyed: bool | None = None
    """Hash under a secret. For keys that others choose."""
    secret: bytes | str | None = dataclasses.field(default=None, repr=False)
    """The secret of a keyed filter, 16 bytes or 32 hexadecimal digits; without it one is drawn."""
    clock: Clock | None = None
    """Which clock is used: ``"system"`` (default), or your own times, by ``at`` and ``times``: the unit in which they count,
    ``"ns"``, ``"us"``, ``"ms"`` or ``"s"``."""
    lateness: str | timedelta | None = None
    """How far below the clock a record still counts at its own time."""
    max_step: str | timedelta | None = None
    """How far a time may lead the clock; later ones are refused. For times that come from outside."""
    lease: str | timedelta | None = None
    """How long a claim stays open, at most the window. Without it a filter takes no claims; with it, no hashes."""
    max_claims: int | None = None
    """With ``lease``: the most open claims; default 65,536, of at most 40 bytes each."""
    repeat: Repeat | None = None
    """Whether a repeat renews the age of its key: ``"refresh"`` (default) or ``"keep-first"``."""
    on_limit: OnLimit | None = None
    """What gives way at ``memory``: ``"forget-oldest"`` (default) shortens the window."""
    seed: int | None = None
    """The seed of the hash; default 0, so that filters are equal everywhere."""
    age_bits: int | None = None
    """Bits that hold the age of a key, 2 to 5."""
    miss_rate: float | None = None
    """The rate of missed duplicates, of a kind that forgets."""
    k: int | None = None
    """Bits of a key, or cells of a row."""
    l: int | None = None  # noqa: E741
    """Full generations in the window."""
    max_slices: int | None = None
    """The bound of the plan on k + l."""
    fill: float | None = None
    """The fill of a full slice."""
    variant: Variant | None = None
    """The member of the quotient family."""
    fingerprint_bits: int | None = None
    """Bits of a fingerprint, 1 to 16."""
    semi_sort: bool | None = None
    """Sort rows to save bits."""
    removable: bool | None = None
    """Whether keys can be removed from a set."""
    block_bytes: int | None = None
    """Bytes of a block, 32 or 64."""
    chains: int | None = None
    """Chains of a block."""
    load: float | None = None
    """Keys of a chain."""

    def __repr__(self) -> str:
        given = (f for f in dataclasses.fields(self) if f.repr and getattr(self, f.name) is not None)
        shown = [f"{f.name}={getattr(self, f.name)!r}" for f in given]
        return f"Options({', '.join(shown + ['secret=...'] * (self.secret is not None))})"

    def _repr_html_(self) -> str:
        return _table("lately.Options", dataclasses.replace(self, secret=None))


_SPANS = {"window": "window_ns", "lateness": "lateness_ns", "max_step": "max_step_ns", "lease": "lease_ns"}


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
