"""The filter: one class for every kind."""

from __future__ import annotations

import os
import warnings
from datetime import datetime, timedelta
from typing import TYPE_CHECKING, Any, Literal, NoReturn

from . import _lately, _units
from ._claim import Claim
from ._errors import Error
from ._keys import readable, readable_times
from ._lately import Core
from ._mask import mask_of
from ._options import Options, made, request
from ._values import Age, Plan, Stats, Verdict

if TYPE_CHECKING:
    import uuid
    from collections.abc import Iterable
    from typing import Protocol, Self, SupportsIndex, Unpack

    import numpy as np
    import numpy.typing as npt
    from typing_extensions import Buffer

    from ._options import Given

    Key = bytes | bytearray | memoryview | str | int | uuid.UUID | SupportsIndex
    Time = int | datetime | SupportsIndex

    class ArrowArray(Protocol):
        """One column or table of Arrow."""

        def __arrow_c_array__(self, requested_schema: object | None = None) -> tuple[object, object]: ...

    class ArrowStream(Protocol):
        """Columns or tables of Arrow, one after the other."""

        def __arrow_c_stream__(self, requested_schema: object | None = None) -> object: ...

    class Pandas(Protocol):
        """A column or a table of pandas."""

        @property
        def reset_index(self) -> Any: ...

    class Readable(Protocol):
        """A binary file object."""

        def read(self, size: int, /) -> bytes | None: ...

    Keys = Iterable[Key | None] | ArrowArray | ArrowStream | Pandas | Buffer
    Times = Iterable[Time] | ArrowArray | ArrowStream | Pandas | Buffer
    Flags = npt.NDArray[np.bool_]  # without numpy a Mask

__all__ = ["Filter"]

Nulls = Literal["new", "key", "error"]


class Filter(Core):
    """Answers "have I seen this key lately?" in bounded memory. Any number of threads may use one filter.

    ``window`` is a span of time: ``"10m"``, ``"1h30m"`` or a ``timedelta``. ``last=N`` is a window of N observations in
    place of it. The other arguments are the fields of `Options`, and None is "not given". Without ``memory`` a filter with
    a window of time grows with its traffic.

    A key that was seen within the window is never called new. A key that was not is called a duplicate with a chance of at
    most ``error_rate``, which is 1e-6 by default.

    A key is bytes, bytearray, a memoryview, a str (as UTF-8), an int from 0 to 2**64 - 1 (8 bytes, the lowest first) or a
    ``uuid.UUID`` (16 bytes). `hash` is never used: keys are equal if their bytes are, in every language.

    >>> seen = lately.Filter("10m", memory="64MiB")
    >>> seen.first("order-17"), seen.first("order-18"), seen.first("order-17")
    (True, True, False)
    """

    __slots__ = ()

    def __new__(cls, window: str | timedelta | None = None, **options: Unpack[Given]) -> Self:
        return super().__new__(cls, _lately.build(*request(Options(window, **options))))

    @classmethod
    def of(cls, options: Options) -> Self:
        """The filter that these options ask for."""
        return super().__new__(cls, _lately.build(*request(options)))

    @staticmethod
    def plan(window: str | timedelta | None = None, **options: Unpack[Given]) -> Plan:
        """The plan of a request. Builds nothing and allocates nothing.

        >>> lately.Filter.plan(last=1_000_000).bytes < 5_500_000
        True
        """
        return Plan(**_lately.plan(*request(Options(window, **options))))

    def observe_age(self, key: Key, /, *, at: Time | None = None) -> tuple[Verdict, Age | None]:
        """`observe` that also returns the bounds of the age of a duplicate. Only for kinds with ``age_bits``.

        >>> seen = lately.Filter(last=700)
        >>> seen.observe_age("order-17")
        (<Verdict.NEW: 0>, None)
        >>> verdict, age = seen.observe_age("order-17")
        >>> verdict, age.at_least <= 1 <= age.at_most
        (<Verdict.DUPLICATE: 1>, True)
        """
        verdict, bounds = self._observe_age(key, at)
        return verdict, None if bounds is None else Age(*bounds)

    def contains_age(self, key: Key, /, *, at: Time | None = None) -> Age | None:
        """The bounds of the age of a key; None for a new one. Changes nothing."""
        bounds = self._contains_age(key, at)
        return None if bounds is None else Age(*bounds)

    def claim(self, key: Key, /, *, at: Time | None = None) -> Claim:
        """Test a key, and claim it if it is new: it counts as seen only once its work is done. Needs ``lease``.

        ``NEW`` is for one caller, who does the work and commits. Until then every other claim of the key is ``PENDING``, and
        `observe` calls it a duplicate and stores nothing. When ``lease`` is over, the key is new again.

        >>> seen = lately.Filter("10m", lease="30s")
        >>> try:
        ...     with seen.claim("order-17") as claim:
        ...         if claim.is_new:
        ...             raise OSError("the work failed")
        ... except OSError:
        ...     print("order-17" in seen)
        False

        A ``return`` in the block commits, too: call ``claim.abandon()`` before it if the work was not done.

        The plain form, for a claim that somebody else may end: ``seen.commit(key, claim.token)``.
        """
        return Claim(self, key, *self._claim(key, at))

    def observe_many(self, keys: Keys, times: Times | None = None, *, nulls: Nulls = "new") -> Flags:
        """Observe every key in order: a mask of booleans, True where the key is new.

        ``keys`` is a list or a tuple; what has ``__arrow_c_array__`` or ``__arrow_c_stream__`` (pyarrow, Polars, pandas,
        DuckDB); or an array of numpy. Arrow and numpy are read in place, without the GIL. Several columns are one key.
        ``times`` has a time for each key, for a filter whose ``clock`` is a unit.

        A row that is null, or that is null in one of its columns, is new and is not observed (``nulls="new"``), has a null
        as its key (``"key"``), or raises ``ValueError`` (``"error"``).

        The mask is an array of numpy if numpy is installed, else a `Mask`. Everything about the keys of a list or an array
        is checked before the first one is observed; a stream is checked and observed piece by piece. If an error stops it
        later, the error has the ``mask`` of the rows before.

        >>> seen = lately.Filter("10m")
        >>> seen.observe_many(["a", "b", "a"]).tolist()
        [True, True, False]
        """
        return self._mask("observe", keys, times, nulls)

    def contains_many(self, keys: Keys, times: Times | None = None, *, nulls: Nulls = "new") -> Flags:
        """A mask of booleans, True where the key was seen. Changes nothing. A null row with ``nulls="new"`` was not seen.

        >>> seen = lately.Filter("10m")
        >>> seen.insert("a")
        >>> seen.contains_many(["a", "b", "b"]).tolist()
        [True, False, False]
        """
        return self._mask("contains", keys, times, nulls)

    def insert_many(self, keys: Keys, times: Times | None = None, *, nulls: Nulls = "new") -> None:
        """Insert every key in order, without a mask."""
        self._mask("insert", keys, times, nulls)

    def remove_many(self, keys: Keys, times: Times | None = None, *, nulls: Nulls = "new") -> Flags:
        """Remove every key in order, as `remove` would: a mask of booleans, True where the key was there.

        A key that is given twice was there once. A null row with ``nulls="new"`` was not there. ``times`` has a time for each
        key, at which it is looked for; they do not move the clock.

        >>> seen = lately.Filter("10m")
        >>> seen.insert_many(["a", "b"])
        >>> seen.remove_many(["a", "c", "a"]).tolist()
        [True, False, False]
        """
        return self._mask("remove", keys, times, nulls)

    def _mask(self, verb: str, keys: Keys, times: Times | None, nulls: str) -> Flags:
        flags, error = self._many(verb, nulls, *readable(keys), *readable_times(times))
        if error is None:
            mask: Flags = mask_of(flags)
            return mask
        if isinstance(error, Error):
            error.mask, error.done = mask_of(flags), len(flags)
        elif flags:
            error.add_note(f"the {len(flags)} rows before were processed")
        raise error

    def stats(self) -> Stats:
        """The statistics of the filter now.

        >>> seen = lately.Filter("10m")
        >>> seen.insert("a")
        >>> seen.stats().items
        1
        """
        return Stats(**self._stats())

    def secret(self) -> bytes:
        """The secret of a keyed filter, 16 bytes: keep it to load a snapshot."""
        low, high = self._secret()
        return low.to_bytes(8, "little") + high.to_bytes(8, "little")

    def save(self, path: str | os.PathLike[str]) -> None:
        """Write the filter to a file, which is replaced as a whole: after a crash it is the old one or the new one.

        The new file has the mode of the old one, and its owner as far as this user may give it; without an old one they are
        those of a file that ``open`` makes. If the path is a link, the file behind it is replaced. A file that is mounted by
        itself, and one that begins as no filter does, are not replaced: that is an ``OSError``.

        A program that is killed meanwhile leaves a draft next to the file, ``FILE.RANDOM.new``. Each `save` first removes the
        drafts of its file that were not written for ten minutes. One that itself stalls for so long may find its draft removed:
        that is an ``OSError`` too.
        """
        self._save(os.fspath(path))

    @classmethod
    def open(cls, path: str | os.PathLike[str], window: str | timedelta | None = None, **options: Unpack[Given]) -> Self:
        """The filter that `save` wrote to the file, or a new one if there is no file yet, or an empty one.

        The arguments are those of `Filter`; a keyed filter needs its ``secret``, since one that is drawn is in no file.

        A file that was made with other options is a `lately.Error` with the code ``OPTIONS_DIFFER``; its ``field`` is the
        first option that differs. A file that cannot be read is an error, and is left as it is. Nothing is written before
        `save`.

        The time since the file was written is the time that passed: every age grows by it. If the time of the file is ahead
        of the clock, nothing passed, and a ``RuntimeWarning`` reports it. With the times of the records (a ``clock`` of a
        unit) nothing passed either: the next record shows it.
        """
        asked = request(Options(window, **options))
        built, ahead_ns = _lately.open_file(os.fspath(path), *asked)
        if ahead_ns > 0:
            warnings.warn(
                f"{os.fspath(path)}: its time is {ahead_ns / 1e9:.3f} s ahead of the clock: no time has passed for the filter",
                RuntimeWarning,
                stacklevel=2,
            )
        return super().__new__(cls, built)

    def options(self) -> Options:
        """The options that make a filter like this one, with what its plan chose. The secret is not among them.

        >>> lately.Filter("10m").options().window
        '10m'
        """
        return made(self._options())

    @classmethod
    def load(
        cls,
        path: str | os.PathLike[str],
        *,
        elapsed: str | timedelta,
        memory: str | int | None = None,
        new_memory: str | int | None = None,
        secret: bytes | str | None = None,
    ) -> Self:
        """A filter that `save` wrote. ``elapsed`` is the time that passed since: every age grows by it.

        Pass ``timedelta(0)`` where the times of the records show what passed. ``memory`` is the most that the filter may
        take; ``new_memory`` replaces the limit that it was saved with. A snapshot has no secret: a keyed filter needs it.
        """
        return super().__new__(cls, _lately.load_file(os.fspath(path), _loading(elapsed, memory, new_memory, secret)))

    @classmethod
    def from_bytes(
        cls,
        data: bytes | bytearray | memoryview,
        *,
        elapsed: str | timedelta,
        memory: str | int | None = None,
        new_memory: str | int | None = None,
        secret: bytes | str | None = None,
    ) -> Self:
        """A filter that `to_bytes` wrote, with the arguments of `load`.

        >>> seen = lately.Filter("10m")
        >>> seen.insert("a")
        >>> "a" in lately.Filter.from_bytes(seen.to_bytes(), elapsed="9m")
        True
        """
        return super().__new__(cls, _lately.load_bytes(bytes(data), _loading(elapsed, memory, new_memory, secret)))

    @classmethod
    def from_file(
        cls,
        file: Readable,
        /,
        *,
        elapsed: str | timedelta,
        memory: str | int | None = None,
        new_memory: str | int | None = None,
        secret: bytes | str | None = None,
    ) -> Self:
        """A filter that `to_file` wrote, with the arguments of `load`, of a binary file object: what has a ``read`` for bytes.

        It is read in pieces, up to the last byte of the filter and no further. If ``read`` raises, its exception is raised.
        """
        return super().__new__(cls, _lately.load_stream(file, _loading(elapsed, memory, new_memory, secret)))

    def copy(self) -> Self:
        """A separate filter that is equal to this one."""
        return super().__new__(type(self), self._copy())

    def __copy__(self) -> Self:
        return self.copy()

    def __deepcopy__(self, memo: dict[int, Any]) -> Self:
        return self.copy()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def __reduce__(self) -> NoReturn:
        raise TypeError(
            "a Filter cannot be pickled: a copy would be a second filter that knows nothing of the first, and its window "
            "would stop meanwhile. Use one process for the filter, or pass to_bytes() and from_bytes(elapsed=...) yourself"
        )


def _loading(
    elapsed: str | timedelta, memory: str | int | None, new_memory: str | int | None, secret: bytes | str | None
) -> tuple[int, int | None, int | None, tuple[int, int] | None]:
    if isinstance(elapsed, timedelta) and elapsed < timedelta(0):
        raise Error(_units.out_of_range("elapsed", elapsed, "at least 0"), "ELAPSED", None)
    most = None if memory is None else _units.size("memory", memory)
    new = None if new_memory is None else _units.size("new_memory", new_memory)
    return _units.nanoseconds("elapsed", elapsed), most, new, _units.words(secret)
