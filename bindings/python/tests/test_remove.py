"""Ages, and removal of one key at a time and of many: what is removed, and what is counted, is in the library's own tests."""

from __future__ import annotations

from datetime import datetime, timedelta, timezone
from typing import Any

import numpy as np
import pyarrow as pa
import pytest

import lately
from fixtures import refused

START = datetime(2026, 3, 1, 12, tzinfo=timezone.utc)


def test_ages_are_bounds_and_none_of_what_is_new() -> None:
    seen = lately.Filter("70s", clock="s")
    assert seen.observe_age("a", at=100) == (lately.Verdict.NEW, None)
    assert seen.contains_age("b") is None
    age = seen.contains_age("a", at=130)
    assert age is not None and age.at_least <= 30 * 10**9 <= age.at_most <= 41 * 10**9
    assert seen.observe_age("a", at=130) == (lately.Verdict.DUPLICATE, age)
    for call in (lately.Filter("10m", kind="time-limited").observe_age, lately.Filter("10m", kind="time-limited").contains_age):
        refused("UNSUPPORTED", call, "a")


def test_remove_at_a_time_is_judged_then_and_moves_no_clock() -> None:
    seen = lately.Filter("10m", clock="s", error_rate=1e-9)
    seen.insert_many(["a", "b", "c"], [START] * 3)
    assert seen.remove("a", at=START + timedelta(minutes=10))
    assert not seen.remove("b", at=START + timedelta(minutes=12))
    assert seen.remove_many(["c", "b"], [START, START + timedelta(minutes=12)]).tolist() == [True, False]
    assert seen.stats().clock == START.timestamp() and seen.stats().removed == 2
    seen.first("d")
    seen.reset_stats()
    assert seen.stats().new_count == 0
    refused("CLOCK", lately.Filter("10m").remove, "a", at=1)


WORDS = ["a", None, "b", "a", "c", ""]
NUMBERS = [1, None, 2, 1, 3, 0]


@pytest.mark.parametrize("keys", [WORDS, pa.array(WORDS), pa.array(WORDS, pa.string_view()), NUMBERS, pa.array(NUMBERS), np.ma.masked_equal([1, -1, 2, 1, 3, 0], -1)],
                         ids=lambda keys: f"{type(keys).__name__} {getattr(keys, 'type', '')}")  # fmt: skip
def test_remove_many_is_that_number_of_removals(keys: Any) -> None:
    seen = lately.Filter(last=100, error_rate=1e-9)
    seen.insert_many([1, 2, "a", "b"])
    mask = seen.remove_many(keys)
    assert mask.dtype == np.bool_ and mask.tolist() == [True, False, True, False, False, False]
    assert seen.stats().removed == 2
    with pytest.raises(ValueError, match="null"):
        seen.remove_many(keys, nulls="error")


def test_remove_many_with_more_keys_than_are_gathered_together() -> None:
    seen = lately.Filter(last=100_000, error_rate=1e-9)
    seen.insert_many(range(0, 10_000, 2))
    assert seen.remove_many([str(n) if n % 5 == 0 else n for n in range(10_000)]).sum() == 4_000


def test_remove_many_error_has_the_mask_of_the_rows_before_it() -> None:
    seen = lately.Filter("10m", clock="s", max_step="1m")
    seen.insert_many(["a", "b"], [1, 1])
    error = refused("TICK", seen.remove_many, ["a", "b"], [1, 1000])
    assert (error.done, error.mask.tolist(), "b" in seen) == (1, [True], True)  # type: ignore[attr-defined]
    assert refused("UNSUPPORTED", lately.Filter("10m", kind="time-limited").remove_many, ["a"]).done == 0
