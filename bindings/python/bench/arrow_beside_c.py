"""An Arrow column in Python compared with the same column in C, in one process, alternating, by processor time.

    python arrow_beside_c.py path/to/liblately.so
"""

from __future__ import annotations

import ctypes
import statistics
import sys
import time
from ctypes import POINTER, byref, c_int64, c_size_t, c_uint8, c_uint32, c_uint64, c_void_p

import numpy as np
import pyarrow as pa

import lately

KEYS = 100_000
TURNS = 60


COLUMN32 = 3


class Keys(ctypes.Structure):
    """lately_keys."""

    _fields_ = [
        ("struct_size", c_size_t), ("count", c_size_t), ("data", c_void_p), ("data_len", c_size_t), ("offsets", c_void_p),
        ("validity", c_void_p), ("validity_offset", c_size_t), ("form", c_uint32), ("reserved", c_uint32),
    ]  # fmt: skip


class InC:
    """The shared handle of the C library, of the same options, loaded from the bytes of the filter in Python."""

    def __init__(self, path: str, seen: lately.Filter, column: pa.Array) -> None:
        self.library = ctypes.CDLL(path)
        self.handle = c_void_p()
        data = seen.to_bytes()
        load = self.library.lately_shared_load
        load.argtypes = [c_void_p, c_size_t, c_int64, c_void_p, POINTER(c_void_p), c_void_p]
        # lately_load_options: its size, and no limit and no secret.
        options = (c_uint64 * 5)(40)
        status = load(data, len(data), 0, options, byref(self.handle), None)
        assert status == 0, status
        _, offsets, values = column.buffers()
        size = ctypes.sizeof(Keys)
        self.keys = Keys(size, KEYS, values.address, values.size, offsets.address, None, 0, COLUMN32, 0)
        self.verdicts, self.done = (c_uint8 * KEYS)(), c_size_t()

    def observe(self) -> None:
        run = self.library.lately_filter_observe_many
        run.argtypes = [c_void_p, POINTER(Keys), c_void_p, c_void_p, POINTER(c_size_t)]
        status = run(self.handle, byref(self.keys), None, self.verdicts, byref(self.done))
        assert status == 0 and self.done.value == KEYS


def spent(call: object) -> int:
    start = time.process_time_ns()
    call()  # type: ignore[operator]
    return time.process_time_ns() - start


def main() -> None:
    column = pa.array([f"{i:040}" for i in range(KEYS)])
    seen = lately.Filter(last=4 * KEYS)
    seen.observe_many(column)
    in_c, again = InC(sys.argv[1], seen, column), InC(sys.argv[1], seen, column)
    rows = [(spent(lambda: seen.observe_many(column)), spent(in_c.observe), spent(again.observe)) for _ in range(TURNS)]
    python, c, noise = (np.array(column) for column in zip(*rows, strict=True))
    print(f"C {statistics.median(c) / KEYS:.1f} ns a key; Python / C {statistics.median(python / c):.3f}; "
          f"C / C {statistics.median(noise / c):.3f}")  # fmt: skip


if __name__ == "__main__":
    main()
