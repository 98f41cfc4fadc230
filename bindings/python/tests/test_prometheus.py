"""What a registry of prometheus_client scrapes of a filter is what ``stats`` says."""

from __future__ import annotations

import pytest
from prometheus_client import CollectorRegistry, generate_latest
from prometheus_client.parser import text_string_to_metric_families

import lately
import lately.prometheus
from fixtures import ROOT

OPTIONS = lately.Options("10m", clock="ns", max_step="1s", lateness="1ms", memory=4096, error_rate=1e-4,
                         lease="1ms", max_claims=7)  # fmt: skip


def rows() -> list[list[str]]:
    """The rows of the table that every exporter has."""
    lines = (ROOT / "packaging/metrics/metrics.tsv").read_text().splitlines()[1:]
    return [row for row in (line.split("\t") for line in lines) if {"all", "python"} & set(row[4].split(" "))]


def registry_of(*filters: tuple[str, lately.Filter, lately.Options | None]) -> CollectorRegistry:
    collector, registry = lately.prometheus.Collector(), CollectorRegistry(auto_describe=True)
    for name, seen, options in filters:
        collector.add(name, seen, options)
    registry.register(collector)
    return registry


def scraped(registry: CollectorRegistry) -> dict[tuple[str, str], float]:
    """Values by the name of the metric and that of the filter."""
    families = text_string_to_metric_families(generate_latest(registry).decode())
    return {(s.name, s.labels["filter"]): s.value for family in families for s in family.samples}


def busy() -> lately.Filter:
    """A filter in which most counts of a window table are not 0."""
    seen = lately.Filter.of(OPTIONS)
    for i in range(20_000):
        seen.first(i % 15_000, at=5_000_000 + i * 1000)
    seen.first("late", at=1)
    with pytest.raises(lately.Error):
        seen.first("refused", at=2**62)
    seen.insert("gone")
    seen.remove("gone")
    seen.claim("expires", at=30_000_000)
    for key, claims in (("a", 1), ("b", 4)):
        for _ in range(claims):
            seen.claim(key, at=40_000_000)
    return seen


def test_scrape_of_every_metric_is_the_figure_of_stats() -> None:
    seen = busy()
    registry = registry_of(("orders", seen, OPTIONS))
    values, stats, text = scraped(registry), seen.stats(), generate_latest(registry).decode()
    assert min(stats.late_ticks, stats.refused_ticks, stats.duplicate_count, stats.forgotten, stats.removed) > 0, "nothing is shown"
    assert (stats.open_claims, stats.max_claims, stats.expired_claims, stats.pending) == (2, 7, 1, 3)
    asked = {"options.memory": 4096.0, "options.window_ns": 600e9, "options.error_rate": 1e-4}
    for name, kind, source, divisor, _, help_text in rows():
        figure = asked[source] if source in asked else getattr(stats, source)
        assert values[name, "orders"] == figure / float(divisor), name
        assert f"# HELP {name} {help_text}\n" in text
        assert f"# TYPE {name} {kind}\n" in text
    assert len(values) == len(rows())


def test_scrape_of_two_filters_has_both_and_no_limits_that_were_not_asked_for() -> None:
    options = lately.Options(last=1000)
    one, two = lately.Filter.of(options), lately.Filter.of(options)
    two.insert("a")
    values = scraped(registry_of(("one", one, options), ("two", two, None)))
    assert [values["lately_items", name] for name in ("one", "two")] == [0, 1]
    assert not {name for name, _ in values} & {"lately_window_seconds", "lately_memory_limit_bytes"}
    planned = lately.Filter.plan(last=1000).error_rate_worst
    assert [(key, value) for key, value in values.items() if "limit" in key[0]] == [
        (("lately_error_limit_ratio", "one"), planned)
    ]


def test_closed_or_removed_filter_has_no_metrics() -> None:
    seen, collector, registry = lately.Filter(last=1000), lately.prometheus.Collector(), CollectorRegistry()
    registry.register(collector)
    collector.add("closed", seen)
    collector.add("removed", lately.Filter(last=1000))
    assert {name for _, name in scraped(registry)} == {"closed", "removed"}
    seen.close()
    collector.remove("removed")
    assert scraped(registry) == {}


def test_options_of_no_filter_are_refused() -> None:
    with pytest.raises(lately.Error, match="k = 3"):
        lately.prometheus.Collector().add("none", lately.Filter(last=9), lately.Options(last=9, k=3))
