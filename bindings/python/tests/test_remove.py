"""Removal from a window: at a time, many keys at once, and the count of it in the statistics and the metrics."""

from __future__ import annotations

from datetime import datetime, timedelta, timezone
from typing import Any

import numpy as np
import pyarrow as pa
import pytest
from prometheus_client import CollectorRegistry

import lately
import lately.prometheus

START = datetime(2026, 3, 1, 12, tzinfo=timezone.utc)


def table(**options: Any) -> lately.Filter:
    return lately.Filter("10m", clock="s", error_rate=1e-9, **options)


def test_remove_at_a_time_is_judged_then_and_moves_no_clock() -> None:
    seen = table()
    for key in ("a", "b", "c"):
        seen.insert(key, at=START)
    assert seen.remove("a", at=START + timedelta(minutes=10))
    assert not seen.remove("b", at=START + timedelta(minutes=12))
    assert seen.remove("c")
    assert not seen.remove("c", at=START)
    stats = seen.stats()
    assert (stats.removed, stats.items, stats.new_count) == (2, 0, 0)
    assert "b" not in seen
    assert seen.first("a", at=START)
    with pytest.raises(lately.Error) as refused:
        lately.Filter("10m").remove("a", at=1)
    assert refused.value.code == "CLOCK"
    with pytest.raises(lately.Error) as refused:
        table().remove("a")
    assert refused.value.code == "CLOCK"


WORDS = ["a", "b", "a", "c", ""]
NUMBERS = [1, 2, 1, 3, 0]
FORMS = [
    WORDS, tuple(WORDS), iter(WORDS), np.array(WORDS), pa.array(WORDS), pa.array(WORDS, pa.large_binary()),
    pa.array(WORDS, pa.string_view()), NUMBERS, np.array(NUMBERS, np.uint64), np.array(NUMBERS, np.int32), pa.array(NUMBERS),
]


@pytest.mark.parametrize("keys", FORMS, ids=lambda keys: f"{type(keys).__name__} {getattr(keys, 'type', '')}")
def test_remove_many_is_so_many_removals(keys: Any) -> None:
    words: list[Any] = NUMBERS if type(keys) is list and keys == NUMBERS else WORDS
    if isinstance(keys, (np.ndarray, pa.Array)):
        words = keys.tolist()
    many, single = lately.Filter(last=100, error_rate=1e-9), lately.Filter(last=100, error_rate=1e-9)
    for seen in (many, single):
        seen.insert_many(words[:2])
    mask = many.remove_many(keys)
    assert mask.dtype == np.bool_
    assert mask.tolist() == [single.remove(key) for key in words] == [True, True, False, False, False]
    assert many.to_bytes() == single.to_bytes()
    assert many.stats().removed == 2


def test_remove_many_at_times_of_the_keys() -> None:
    seen = table()
    seen.insert_many(["a", "b", "c"], [1000] * 3)
    assert seen.remove_many(["a", "b", "c"], [1600, 1700, 1]).tolist() == [True, False, True]
    assert seen.stats().removed == 2


def test_null_rows_are_not_there() -> None:
    for keys in (["a", None, ""], pa.array(["a", None, ""])):
        seen = lately.Filter(last=100)
        seen.insert_many(["a", "", "b"])
        assert seen.remove_many(keys).tolist() == [True, False, True]
        assert seen.stats().removed == 2
        with pytest.raises(ValueError, match="null"):
            seen.remove_many(keys, nulls="error")


def test_more_keys_than_are_gathered_together() -> None:
    seen = lately.Filter(last=100_000, error_rate=1e-9)
    seen.insert_many(range(0, 10_000, 2))
    assert seen.remove_many([str(n) if n % 5 == 0 else n for n in range(10_000)]).sum() == 4_000
    assert seen.stats().removed == 4_000


def test_remove_many_of_a_kind_without_removal_is_unsupported() -> None:
    seen = lately.Filter("10m", kind="time-limited")
    with pytest.raises(lately.Error) as refused:
        seen.remove_many(["a"])
    assert (refused.value.code, refused.value.done) == ("UNSUPPORTED", 0)


def test_the_error_of_a_batch_has_the_mask_of_the_rows_before_it() -> None:
    seen = table(max_step="1m")
    seen.insert_many(["a", "b"], [1, 1])
    with pytest.raises(lately.Error) as refused:
        seen.remove_many(["a", "b"], [1, 1000])
    assert (refused.value.code, refused.value.done, refused.value.mask.tolist()) == ("TICK", 1, [True])
    assert "b" in seen


def test_an_open_claim_stays_open() -> None:
    seen = lately.Filter("10m", lease="30s", error_rate=1e-9)
    claim = seen.claim("a")
    assert seen.remove_many(["a"]).tolist() == [False]
    claim.commit()
    assert seen.remove_many(["a"]).tolist() == [True]


def test_the_metric_counts_removals() -> None:
    seen, collector, registry = lately.Filter(last=100), lately.prometheus.Collector(), CollectorRegistry()
    registry.register(collector)
    collector.add("seen", seen)
    seen.insert_many(["a", "b", "c"])
    seen.remove_many(["a", "b", "d"])
    seen.remove("c")
    samples = [sample for metric in registry.collect() for sample in metric.samples if sample.name == "lately_removed_total"]
    assert [sample.value for sample in samples] == [3]
