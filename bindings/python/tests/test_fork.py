"""Forks: a filter works in the parent and in the child, also if another thread was inside it."""

from __future__ import annotations

import multiprocessing
import os
import subprocess
import sys
import textwrap
import threading

import pytest

import lately

pytestmark = pytest.mark.skipif(not hasattr(os, "fork"), reason="there is no fork here")


def child(work) -> int:  # type: ignore[no-untyped-def]
    """The exit code of a child that does `work`, which has 30 seconds."""
    pid = os.fork()
    if pid == 0:
        code = 1
        try:
            code = 0 if work() else 2
        finally:
            os._exit(code)
    timer = threading.Timer(30, os.kill, (pid, 9))
    timer.start()
    _, status = os.waitpid(pid, 0)
    timer.cancel()
    return status


def test_fork_leaves_both_processes_with_the_seen_keys() -> None:
    seen = lately.Filter("10m")
    seen.insert("a")
    assert child(lambda: "a" in seen and seen.first("b") and seen.observe_many(list("abc")).tolist() == [False, False, True]) == 0
    assert "b" not in seen
    assert seen.first("b")


FORKS = """
import os, sys, threading, warnings
import numpy, lately
warnings.simplefilter("ignore")
keys = numpy.arange(50_000)
seen, stop = lately.Filter(last=200_000), False

def run():
    while not stop:
        seen.observe_many(keys)

threads = [threading.Thread(target=run) for _ in range(3)]
for thread in threads:
    thread.start()
for i in range(60):
    pid = os.fork()
    if pid == 0:
        seen.observe_many(keys)
        seen.first(i)
        os._exit(0)
    assert os.waitpid(pid, 0)[1] == 0
stop = True
for thread in threads:
    thread.join()
print("forked")
"""


def test_fork_while_other_threads_are_inside_does_not_hang() -> None:
    ran = subprocess.run([sys.executable, "-c", FORKS], capture_output=True, text=True, timeout=60)
    assert (ran.stdout, ran.returncode) == ("forked\n", 0), ran.stderr


def work(data: bytes) -> bool:
    return "a" in lately.Filter.from_bytes(data, elapsed="0s")


def test_spawned_process_takes_bytes_and_no_filter() -> None:
    seen = lately.Filter("10m")
    seen.insert("a")
    with multiprocessing.get_context("spawn").Pool(1) as pool:
        assert pool.apply(work, (seen.to_bytes(),))
        with pytest.raises(TypeError, match="cannot be pickled"):
            pool.apply(textwrap.dedent, (seen,))
