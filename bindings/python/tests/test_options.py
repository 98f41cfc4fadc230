"""Requests: options as people write them, what is refused, plans, statistics, and how all of them show themselves."""

from __future__ import annotations

import dataclasses
import importlib.metadata
import inspect
import re
import typing
from datetime import timedelta
from typing import Any

import pytest

import lately
from fixtures import ROOT, refused
from lately import Filter, Options, _lately, _units
from lately._options import Given


@pytest.mark.parametrize(
    ("span", "ns"),
    [
        ("10m", 600 * 10**9),
        ("1h30m", 5400 * 10**9),
        ("1.5h", 5400 * 10**9),
        ("90s", 90 * 10**9),
        ("250ms", 250 * 10**6),
        ("3us", 3000),
        ("7ns", 7),
        ("1w2d", 9 * 86400 * 10**9),
        ("0.1ns", 0),
        ("213503d", 213503 * 86400 * 10**9),
        (timedelta(minutes=10), 600 * 10**9),
        (timedelta(days=2, microseconds=1), 2 * 86400 * 10**9 + 1000),
    ],
)
def test_span_is_exact_nanoseconds(span: Any, ns: int) -> None:
    assert _units.nanoseconds("window", span) == ns


@pytest.mark.parametrize("span", ["", "10", "m", "10 m", "10x", "-1s", "1m1h", "1s1s", "1..5s", "213504d", "1e3s", "9" * 99 + "s"])
def test_span_that_is_none_is_refused_with_the_option(span: str) -> None:
    for name in ("window", "lateness", "max_step", "lease"):
        error = refused("OPTION", Filter, **{"clock": "ns", "window": "1s", name: span})
        assert error.field == name and f"{name} = " in str(error) and ": must be a number with ns, us" in str(error)


@pytest.mark.parametrize(
    ("memory", "size"), [("64MiB", 64 << 20), ("64M", 64 << 20), ("1.5K", 1536), ("2GB", 2 * 10**9), ("99", 99), (7, 7)]
)
def test_size_is_exact_bytes(memory: Any, size: int) -> None:
    assert _units.size("memory", memory) == size


@pytest.mark.parametrize("memory", ["", "M", "64 MiB", "64mib", "-1", "1e6"])
def test_size_that_is_none_is_refused(memory: str) -> None:
    error = refused("OPTION", Filter, "10m", memory=memory)
    assert error.field == "memory" and "memory = " in str(error) and ": must be a number of bytes" in str(error)


@pytest.mark.parametrize(
    ("options", "field"),
    [
        ({"last": 100, "window": "10m"}, "window"),
        ({"last": 0}, "last"),
        ({"last": -1}, "last"),
        ({"last": 2**64}, "last"),
        ({"window": "0s"}, "window"),
        ({"window": "10m", "memory": 0}, "memory"),
        ({"window": "10m", "capacity": 0}, "capacity"),
        ({"window": "10m", "error_rate": float("nan")}, "error_rate"),
        ({"window": "10m", "clock": "wall"}, "clock"),
        ({"window": "10m", "kind": "bloom"}, "kind"),
        ({"window": "10m", "repeat": "never"}, "repeat"),
        ({"window": "10m", "age_bits": 2**40}, "age_bits"),
        ({"window": "10m", "keyed": 1}, "keyed"),
        ({"window": "10m", "capacity": 1.5}, "capacity"),
        ({"window": "10m", "capacity": "many"}, "capacity"),
        ({"last": 1.5}, "last"),
        ({"last": "5"}, "last"),
        ({"window": "10m", "keyed": True, "secret": "0f" * 15}, "secret"),
        ({"window": "10m", "keyed": True, "secret": "0g" * 16}, "secret"),
        ({"window": "10m", "secret": bytes(15)}, "secret"),
        ({}, "window"),
        ({"window": "10m", "lease": "1s", "max_claims": 0}, "max_claims"),
    ],
)
def test_option_that_is_wrong_is_named_in_the_error(options: dict[str, Any], field: str) -> None:
    for build in (Filter, Filter.plan):
        with pytest.raises(ValueError) as raised:
            build(**options)
        assert isinstance(raised.value, lately.Error) and raised.value.field == field
        assert re.match(f"{field} (= .+: .+|has .+: must be .+)", str(raised.value))
        assert not re.search("window_|_ns|secret_", str(raised.value))


@pytest.mark.parametrize(
    "options", [{"window": 600}, {"window": "1s", "memory": 1.5}, {"window": "1s", "secret": 5}, {"window": "1s", "k": b"3"}]
)
def test_option_of_another_type_is_a_type_error(options: dict[str, Any]) -> None:
    with pytest.raises(TypeError, match="must be .*, not "):
        Filter(**options)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"window": "10m", "lease": "1h"}, "lease = 1h: must be 1ns to 10m"),
        ({"window": "10m", "clock": "manual"}, "clock = 'manual': must be 'system', or the unit of your times: 'ns', 'us', 'ms' or 's'"),
        ({"window": "90.5s", "lateness": "250ms"}, "lateness = 250ms: needs a manual clock"),
        ({"window": "1d2h3m4.5s", "last": 5}, "window = 1d2h3m4.5s: cannot be combined with last"),
        ({"window": "10m", "clock": "ns", "lateness": "1500us", "last": 7}, "window = 10m: cannot be combined with last"),
        ({"window": timedelta(-1)}, "window = -1 day, 0:00:00: must be 0 to 213503d"),
        ({}, "window = 0s: required unless last is given"),
        ({"last": 1.5}, "last = 1.5: must be a whole number"),
        ({"window": "10m", "repeat": 2}, "repeat = 2: must be one of refresh, keep-first"),
    ],
)
def test_option_of_time_is_shown_as_people_write_it(options: dict[str, Any], message: str) -> None:
    assert str(refused("OPTION", Filter, **options)) == message


def test_step_and_lease_of_a_call_are_shown_as_people_write_them() -> None:
    seen = Filter("10m", clock="ns", max_step="90s")
    seen.first("a", at=0)
    error = refused("TICK", seen.first, "a", at=3_600_000_000_000)
    assert str(error) == "the tick is 1h ahead of the filter's clock: max_step = 1m30s"
    assert "claims: they need the option lease, and a window" in str(refused("UNSUPPORTED", seen.claim, "a"))


def test_secret_is_sixteen_bytes_or_their_digits() -> None:
    secret = bytes(range(16))
    seen = [Filter("10m", keyed=True, secret=form) for form in (secret, secret.hex(), secret.hex().upper())]
    assert {one.secret() for one in seen} == {secret}


def test_option_that_does_not_exist_is_a_type_error() -> None:
    for build in (Filter, Filter.plan, Options):
        with pytest.raises(TypeError, match="sliding"):
            build("10m", sliding=True)  # type: ignore[operator]


def test_options_are_one_list_in_three_places() -> None:
    """The dataclass, the keyword arguments, and what the library knows."""
    fields = [field.name for field in dataclasses.fields(Options)]
    assert fields[0] == "window" and fields[1:] == list(typing.get_type_hints(Given, vars(lately._options)))
    assert set(typing.get_args(lately.Kind)) == set(_lately.kinds())


def test_options_are_frozen_compared_and_show_no_secret() -> None:
    options = Options("10m", keyed=True, secret=bytes(range(1, 17)))
    assert repr(options) == "Options(window='10m', keyed=True, secret=...)"
    assert "\\x01" not in options._repr_html_() and "keyed" in options._repr_html_()
    assert options == Options("10m", keyed=True, secret=bytes(range(1, 17)))
    with pytest.raises(dataclasses.FrozenInstanceError):
        options.window = "1h"  # type: ignore[misc]
    assert Filter.of(options).secret() == bytes(range(1, 17))


def test_plan_costs_nothing_and_is_what_the_filter_is() -> None:
    plan = Filter.plan(last=2**40)
    assert plan.bytes > 2**40 and plan.cache_lines_per_observe >= 1
    assert 0 < plan.error_rate_mean <= plan.error_rate_worst <= 0.5
    assert Filter.plan(last=50_000).bytes == Filter(last=50_000).stats().bytes
    with pytest.raises(dataclasses.FrozenInstanceError):
        plan.bytes = 1  # type: ignore[misc]


def test_out_of_memory_is_a_memory_error() -> None:
    assert isinstance(refused("NO_MEMORY", Filter, last=2**40), MemoryError)


def test_values_show_themselves() -> None:
    seen = Filter("10m", keyed=True)
    seen.observe("a")
    html = seen.stats()._repr_html_()
    assert html.startswith("<table><caption>lately.Stats</caption>") and "<th style='text-align:left'>new_count</th>" in html
    assert "lately.Plan" in Filter.plan("10m")._repr_html_()
    assert ", window 600s, " in repr(seen)
    assert seen.secret().hex() not in repr(seen)
    seen.close()
    assert repr(seen) == "<lately.Filter: closed>"
    assert Filter("10m").stats().reach == timedelta(minutes=10)
    assert lately.Age(1_500, 3_000_000).timedeltas() == (timedelta(microseconds=1), timedelta(milliseconds=3))


def test_verdict_is_neither_true_nor_false() -> None:
    for verdict in [*lately.Verdict, *lately.Committed]:
        with pytest.raises(TypeError, match="neither true nor false"):
            bool(verdict)
        with pytest.raises(TypeError, match="neither true nor false"):
            assert verdict
    assert [verdict.name for verdict in lately.Verdict] == ["NEW", "DUPLICATE", "PENDING"]


def test_version_is_that_of_the_library() -> None:
    line = next(line for line in (ROOT / "Cargo.toml").read_text().splitlines() if line.startswith("version = "))
    assert importlib.metadata.version("lately") == lately.__version__ == line.split('"')[1]


def test_every_public_name_has_words() -> None:
    for name in lately.__all__:
        item = getattr(lately, name)
        if inspect.isclass(item) or callable(item) and inspect.isfunction(item):
            assert inspect.getdoc(item), name
    verbs = [name for name in dir(Filter) if not name.startswith("_")]
    assert all(inspect.getdoc(getattr(Filter, name)) for name in verbs), verbs
    assert len(verbs) > 20
