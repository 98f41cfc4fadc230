"""Every kind of filter: the rows of tests/vectors/kinds.txt. The vectors have the answers of the verbs."""

from __future__ import annotations

import pytest

import lately
from fixtures import ROWS, Row, refused
from lately import Verdict, _lately

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
def test_remove_and_reset_every_kind(row: Row) -> None:
    seen = row.filter()
    assert seen.first("a")
    if row.removes:
        assert (seen.remove("a"), seen.remove("a"), "a" in seen) == (True, False, False)
    assert seen.stats().removed == row.is_exact and seen.stats().new_count == 1
    seen.reset_stats()
    assert seen.stats().new_count == 0


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
            refused("CLOCK", call)
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
            refused("UNSUPPORTED", call, "a")


@every_kind
def test_keyed_every_kind_has_its_secret_and_no_hash(row: Row) -> None:
    assert row.filter(seed=42).hash("a") == lately.hash64("a", 42)
    keyed = row.filter(keyed=True, secret=bytes(range(16)))
    assert keyed.secret() == bytes(range(16))
    for call in (lambda: keyed.hash("a"), row.filter().secret):
        refused("UNSUPPORTED", call)
    assert (keyed.first("a"), keyed.first("a")) == (True, False)
    assert keyed.observe_many(["a", "b"]).tolist() == [False, True]
