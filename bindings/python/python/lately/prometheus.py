"""The statistics of filters for Prometheus: ``pip install lately[prometheus]``.

>>> import lately.prometheus
>>> from prometheus_client import REGISTRY
>>> options = lately.Options("10m", memory="64MiB")
>>> seen = lately.Filter.of(options)
>>> collector = lately.prometheus.Collector()
>>> collector.add("orders", seen, options)
>>> REGISTRY.register(collector)
>>> seen.first("order-17")
True
>>> REGISTRY.get_sample_value("lately_new_total", {"filter": "orders"})
1.0

The metrics are those of docs/reference/metrics.md.
"""

from __future__ import annotations

import dataclasses
import math
import threading
from typing import TYPE_CHECKING

from prometheus_client.core import CounterMetricFamily, GaugeMetricFamily
from prometheus_client.registry import Collector as _Collector

from . import _lately
from ._errors import Error
from ._metrics import ASKED, STATS
from ._options import request
from ._units import nanoseconds_of

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ._filter import Filter
    from ._options import Options
    from ._values import Stats

    Family = CounterMetricFamily | GaugeMetricFamily

__all__ = ["Collector"]


class Collector(_Collector):
    """Hands the statistics of any number of filters to a registry, which asks at each scrape. Register it once."""

    def __init__(self) -> None:
        self._filters: dict[str, tuple[Filter, dict[str, float]]] = {}
        self._lock = threading.Lock()

    def add(self, name: str, filter: Filter, options: Options | None = None) -> None:
        """Add a filter, whose metrics have the label ``filter`` with this name. A filter of that name is replaced.

        ``options`` are those that made it: they show what was asked for next to the current figures.
        """
        asked = {} if options is None else _asked(options)
        with self._lock:
            self._filters[name] = (filter, asked)

    def remove(self, name: str) -> None:
        """Take a filter out. One that was closed has no metrics, and may stay."""
        with self._lock:
            del self._filters[name]

    def describe(self) -> Iterator[Family]:
        """The metrics without values, for the registry."""
        for name, is_counter, _, _, text in STATS + ASKED:
            yield _family(name, is_counter, text)

    def collect(self) -> Iterator[Family]:
        """The metrics of now."""
        with self._lock:
            filters = list(self._filters.items())
        now = [(name, stats, asked) for name, (filter, asked) in filters if (stats := _stats(filter)) is not None]
        for name, is_counter, field, divisor, text in STATS:
            family = _family(name, is_counter, text)
            for label, stats, _ in now:
                family.add_metric([label], getattr(stats, field) / divisor)
            yield family
        for name, is_counter, option, divisor, text in ASKED:
            family = _family(name, is_counter, text)
            for label, _, asked in now:
                if option in asked:
                    family.add_metric([label], asked[option] / divisor)
            yield family


def _family(name: str, is_counter: bool, text: str) -> Family:
    return (CounterMetricFamily if is_counter else GaugeMetricFamily)(name, text, labels=["filter"])


def _stats(filter: Filter) -> Stats | None:
    """The statistics, with the clock in nanoseconds as every other time."""
    try:
        stats = filter.stats()
        return dataclasses.replace(stats, clock=stats.clock * nanoseconds_of(filter.options().clock))
    except Error as error:
        if error.code == "CLOSED":
            return None
        raise


def _asked(options: Options) -> dict[str, float]:
    """The limits that were asked for, by the names of the library; the others are left out."""
    named, secret = request(options)
    limits = ("memory", "window_ns", "error_rate")
    asked: dict[str, float] = {name: float(str(named[name])) for name in limits if name in named}
    planned = _lately.plan(named, secret)["error_rate_worst"]
    if "error_rate" not in asked and not math.isnan(planned):
        asked["error_rate"] = planned
    return asked
