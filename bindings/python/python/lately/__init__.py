"""Have I seen this lately? Duplicate detection for endless streams, in bounded memory.

A filter remembers the keys of a window, such as the last ten minutes or the last million records, in a few bytes for each:

>>> import lately
>>> seen = lately.Filter("10m", memory="64MiB")
>>> for order in ["order-17", "order-18", "order-17"]:
...     if seen.first(order):
...         print(order)
order-17
order-18

Within the window no duplicate is missed. At most one new key in a million is called a duplicate by mistake, or as many as
``error_rate`` allows.

One key:
    ``first(key)`` is True for a new key. ``observe(key)`` returns the same as a `Verdict`. ``contains`` and ``in`` only ask,
    ``insert`` only inserts, ``remove`` makes the filter forget a key.

A key whose work can fail:
    ``with seen.claim(key) as claim`` counts it as seen only if the block ends without an exception.

Many keys:
    ``observe_many(keys)`` takes a list, a column or table of Arrow (pyarrow, Polars, pandas, DuckDB) or an array of numpy,
    and returns a mask of the rows that are new.

>>> seen.observe_many(["order-19", "order-17", "order-19"]).tolist()
[True, False, False]

A sequence:
    ``lately.first(items, "10m", key=...)`` passes on the items that are new, and ``lately.afirst`` those of an ``async for``.

A file:
    ``seen.save(path)``, and ``lately.Filter.load(path, elapsed="90s")`` after a restart.

If others choose the keys, pass ``keyed=True``: without it they can find keys that collide. The page with recipes is
docs/reference/python.md.
"""

import os as _os

from . import _lately
from ._claim import Claim
from ._errors import Error, OutOfMemory
from ._filter import Filter
from ._first import afirst, first
from ._lately import hash64, pack
from ._mask import Mask
from ._options import Clock, Kind, OnLimit, Options, Repeat, Variant
from ._values import Age, Committed, Plan, Stats, Verdict

__version__ = "0.1.0"

__all__ = [
    "Age",
    "Claim",
    "Clock",
    "Committed",
    "Error",
    "Filter",
    "Kind",
    "Mask",
    "OnLimit",
    "Options",
    "OutOfMemory",
    "Plan",
    "Repeat",
    "Stats",
    "Variant",
    "Verdict",
    "afirst",
    "first",
    "hash64",
    "pack",
]

if hasattr(_os, "register_at_fork"):
    _os.register_at_fork(
        before=_lately.fork_soon, after_in_parent=_lately.fork_over, after_in_child=_lately.fork_child
    )
