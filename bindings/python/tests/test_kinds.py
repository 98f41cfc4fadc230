"""Every kind of filter through every verb: the rows of tests/vectors/kinds.txt."""

from __future__ import annotations

import pytest

import lately
from fixtures import ROWS, Row
from lately import Verdict, _lately

KEYS = list(range(2000))

every_kind = pytest.mark.parametrize("row", ROWS, ids=repr)


def test_kinds_every_kind_of_the_library_has_a_row() -> None:
    assert {row.options.kind for row in ROWS} == set(_lately.kinds())


@every_kind
def test_plan_every_kind_agrees_with_the_filter(row: Row) -> None:
    given = {name: getattr(row.options, name) for name in lately.Options.__dataclass_fields__}
    plan, stats = lately.Filter.plan(**given), row.filter().stats()
    assert 0 < plan.error_rate_mean <= plan.error_rate_worst <= 0.5
    assert plan.cache_lines_per_observe >= 1
    assert plan.bytes in (0, stats.bytes)


@every_kind
def test_observe_every_kind_second_sighting_is_a_duplicate(row: Row) -> None:
    seen = row.filter()
    assert seen.contains("a") is Verdict.NEW
    assert seen.observe("a") is Verdict.NEW
    assert seen.observe(b"a") is Verdict.DUPLICATE
    assert not seen.first("a")
    seen.insert("b")
    assert "b" in seen
    assert seen.first(b"")


@every_kind
def test_stats_every_kind_count_verdicts_until_reset(row: Row) -> None:
    seen = row.filter()
    for key in "aba":
        seen.observe(key)
    stats = seen.stats()
    assert (stats.new_count, stats.duplicate_count) == (2, 1)
    assert stats.items in (2, 3) and 0 < stats.bytes <= stats.bytes_peak
    assert (row.is_exact or stats.error_rate > 0) and stats.error_rate <= 0.5
    seen.reset_stats()
    assert (seen.stats().new_count, seen.stats().items) == (0, stats.items)


@every_kind
def test_many_every_kind_same_mask_as_single_calls(row: Row) -> None:
    single, many, inserted = row.filter(), row.filter(), row.filter()
    stream = [KEYS[i * i % 1500] for i in range(2000)]
    want = [single.first(key) for key in stream]
    assert many.observe_many(stream).tolist() == want
    assert many.stats() == single.stats()
    inserted.insert_many(KEYS)
    assert inserted.contains_many(KEYS).all()


@every_kind
def test_clear_and_copy_every_kind(row: Row) -> None:
    seen, fresh = row.filter(), row.filter()
    seen.insert_many(KEYS)
    clone = seen.copy()
    assert clone.stats() == seen.stats()
    seen.clear()
    if row.has_ticks:
        seen.advance(0)
    assert seen.stats() == fresh.stats()
    assert clone.contains_many(KEYS).all()
    assert seen.observe_many(KEYS).tolist() == fresh.observe_many(KEYS).tolist()


@every_kind
def test_remove_every_kind_takes_the_entry_or_is_refused(row: Row) -> None:
    seen = row.filter()
    seen.insert("a")
    if row.removes:
        assert seen.remove("a")
        assert not seen.remove("a")
        assert "a" not in seen
    else:
        with pytest.raises(lately.Error) as refused:
            seen.remove("a")
        assert refused.value.code == "UNSUPPORTED"
        assert "a" in seen
    assert seen.stats().removed == row.is_exact


@every_kind
def test_at_every_kind_takes_times_or_refuses_them(row: Row) -> None:
    seen = row.filter()
    calls = [
        lambda: seen.insert("a", at=1),
        lambda: seen.observe("a", at=2),
        lambda: seen.first("a", at=2),
        lambda: seen.contains("a", at=2),
        lambda: seen.observe_many(["b"], [5]),
        lambda: seen.advance(9),
    ]
    for call in calls:
        if row.has_ticks:
            call()
        else:
            with pytest.raises(lately.Error) as refused:
                call()
            assert refused.value.code == "CLOCK"
    assert (seen.stats().clock == 9) == row.has_ticks


@every_kind
def test_age_window_tables_have_bounds_and_others_refuse(row: Row) -> None:
    seen = row.filter()
    if row.options.kind == "window-table":
        assert seen.observe_age("a") == (Verdict.NEW, None)
        assert seen.contains_age("b") is None
        verdict, age = seen.observe_age("a")
        assert verdict is Verdict.DUPLICATE and age is not None and 0 <= age.at_least <= age.at_most
        assert seen.contains_age("a") == age
    else:
        for call in (seen.observe_age, seen.contains_age):
            with pytest.raises(lately.Error) as refused:
                call("a")
            assert refused.value.code == "UNSUPPORTED"


@every_kind
def test_keyed_every_kind_has_its_secret_and_no_hash(row: Row) -> None:
    assert row.filter(seed=42).hash("a") == lately.hash64("a", 42)
    keyed = row.filter(keyed=True, secret=bytes(range(16)))
    assert keyed.secret() == bytes(range(16))
    for call in (lambda: keyed.hash("a"), row.filter().secret):
        with pytest.raises(lately.Error) as refused:
            call()
        assert refused.value.code == "UNSUPPORTED"
    assert (keyed.first("a"), keyed.first("a")) == (True, False)
    assert keyed.observe_many(["a", "b"]).tolist() == [False, True]
