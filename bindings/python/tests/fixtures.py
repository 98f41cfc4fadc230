"""The files that the tests of every language read, options, keys, and the check of an error."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pyarrow
import pytest

import lately
from lately._options import CHOICES

ROOT = Path(__file__).resolve().parents[3]
VECTORS = ROOT / "tests" / "vectors"

_KEYWORDS = {"window_ns": "window", "window_keys": "last", "max_step_ns": "max_step", "lateness_ns": "lateness",
             "lease_ns": "lease"}  # fmt: skip
_FLAGS = ("semi_sort", "removable", "keyed")


def refused(code: str, call: Callable[..., object], *given: Any, **more: Any) -> lately.Error:
    """The error of this code that a call raises."""
    with pytest.raises(lately.Error) as raised:
        call(*given, **more)
    assert raised.value.code == code
    return raised.value


def keyword(option: str) -> str:
    """The name in Python of an option of C."""
    return "secret" if option.startswith("secret_") else _KEYWORDS.get(option, option)


def options_of(words: list[str]) -> lately.Options:
    """The request that words such as `window_ns=10` make."""
    given: dict[str, Any] = {}
    secret = {"secret_lo": 0, "secret_hi": 0}
    for word in words:
        name, value = word.split("=")
        if name in secret:
            secret[name] = int(value)
        else:
            given[keyword(name)] = _value(name, value)
    if any(word.startswith("secret_") for word in words):
        given["secret"] = secret["secret_lo"].to_bytes(8, "little") + secret["secret_hi"].to_bytes(8, "little")
    return lately.Options(**given)


def _value(name: str, value: str) -> Any:
    if name in CHOICES:
        number, choices = int(value), CHOICES[name]
        return choices[number - 1] if 1 <= number <= len(choices) else f"number {number}"
    if name.endswith("_ns"):
        return f"{value}ns"
    # A number that is no flag stays one, to be refused.
    if name in _FLAGS and value in ("0", "1"):
        return value == "1"
    return int(value) if value.lstrip("-").isdigit() else float(value)


def lines(name: str) -> list[str]:
    text = (VECTORS / name).read_text()
    return [line for line in text.splitlines() if line and not line.startswith("#")]


def slices(column: Any) -> list[Any]:
    """The same values of Arrow with another offset, as a part of a longer column."""
    longer = pyarrow.concat_arrays([column[:3], column, column[2:]])
    return [column, longer[3 : 3 + len(column)]]


def expect_nulls(keys: Any, new: str, key: str, row: int) -> None:
    """The masks of keys with nulls, in digits: of those that are new, and of those that are keys. `row` is that of the first."""
    for nulls, want in (("new", new), ("key", key)):
        assert lately.Filter(last=100).observe_many(keys, nulls=nulls).tolist() == [digit == "1" for digit in want]  # type: ignore[arg-type]
    seen = lately.Filter(last=100)
    with pytest.raises(ValueError, match=f"the key of row {row} is null"):
        seen.observe_many(keys, nulls="error")
    assert seen.stats().new_count == 0
