"""Where the system has no memory: `lately.OutOfMemory`, never the end of the process, and a filter that works as before. On Linux only."""

from __future__ import annotations

import subprocess
import sys

import pytest

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="the limit is one of Linux")

# Calls that need more than the 20 MB that are left. They are prepared before the limit is set.
CALLS = {
    "a mask": ("keys = np.zeros(60_000_000, np.uint64)", "seen.observe_many(keys)"),
    "a mask of two columns": ("keys = pa.table({'a': np.zeros(30_000_000, 'u1'), 'b': np.zeros(30_000_000, 'u1')})", "seen.observe_many(keys)"),
    "the question": ("keys = np.zeros(60_000_000, np.uint64)", "seen.contains_many(keys)"),
    "insertion": ("keys = np.zeros(60_000_000, np.uint64)", "seen.insert_many(keys)"),
    "a masked array": ("keys = np.ma.masked_equal(np.zeros(60_000_000, np.uint8), 1); keys.mask = np.ma.getmaskarray(keys)", "seen.observe_many(keys)"),
    "the texts of a list": ("keys = ['x' * 1000] * 100_000", "seen.observe_many(keys)"),
    "the places of a list": ("keys = ['x'] * 9_000_000", "seen.observe_many(keys)"),
    "the nulls of a tuple": ("keys = (None,) * 9_000_000", "seen.observe_many(keys)"),
    "the times of a list": ("keys, times = ['x'], [1] * 9_000_000", "timed.observe_many(keys, times)"),
    "the times of an array": ("keys, times = ['x'], np.zeros(9_000_000, np.int64)", "timed.observe_many(keys, times)"),
    "the times of a column": ("keys, times = ['x'], pa.array(np.zeros(9_000_000, np.int64))", "timed.observe_many(keys, times)"),
    "a row of long parts": ("keys = pa.table({'a': ['x' * 15_000_000], 'b': ['x' * 15_000_000]})", "seen.observe_many(keys)"),
    "pack": ("keys = [b'y' * 10_000_000] * 4", "lately.pack(*keys)"),
    "a bytearray": ("keys = bytearray(60_000_000)", "seen.first(keys)"),
    "a view": ("keys = memoryview(bytes(60_000_000))", "seen.first(keys)"),
    "the bytes of a filter": ("keys = lately.Filter(last=60_000_000)", "keys.to_bytes()"),
    "the pieces of a filter": ("keys = lately.Filter(last=60_000_000)", "keys.to_file(null)"),
    "a filter from pieces": ("keys = io.BytesIO(lately.Filter(last=60_000_000).to_bytes())", "lately.Filter.from_file(keys, elapsed='0s')"),
    # A copy fits and the bytes of the filter do not fit in addition.
    "more than pieces": ("keys = lately.Filter(last=3_000_000); keys.insert_many(np.arange(3_000_000))", "keys.to_file(null); print('written', end='; '); keys.to_bytes()"),
    "a copy": ("keys = lately.Filter(last=60_000_000)", "keys.copy()"),
}

PROGRAM = """
import io, resource
import numpy as np, pyarrow as pa
import lately
seen, timed = lately.Filter("10m", memory="1MiB"), lately.Filter("10m", clock="ns", memory="1MiB")
seen.observe_many(np.zeros(1, "u8")), seen.first("warm"), seen.to_bytes()
null = open("/dev/null", "wb", 0)
seen.to_file(null)
{before}
size = next(int(line.split()[1]) << 10 for line in open("/proc/self/status") if line.startswith("VmSize"))
resource.setrlimit(resource.RLIMIT_AS, (size + (20 << 20), -1))
try:
    {call}
except lately.OutOfMemory as error:
    assert isinstance(error, MemoryError) and error.code == "NO_MEMORY" and "out of memory" in str(error), error
    print("out of memory;", seen.first("after"), seen.first("after"))
"""


@pytest.mark.parametrize("what", CALLS)
def test_out_of_memory_is_an_exception(what: str) -> None:
    before, call = CALLS[what]
    ran = subprocess.run([sys.executable, "-c", PROGRAM.format(before=before, call=call)], capture_output=True, text=True)
    written = "written; " if "written" in call else ""
    assert (ran.returncode, ran.stdout) == (0, f"{written}out of memory; True False\n"), ran.stderr
