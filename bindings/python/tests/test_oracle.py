"""Random calls against an exact memory: within the window no key is missed, and few absent ones are called duplicates."""

from __future__ import annotations

from datetime import timedelta

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, rule, run_state_machine_as_test

import lately

KEYS = st.one_of(st.integers(0, 40), st.sampled_from([f"k{i}" for i in range(40)]), st.binary(max_size=3))
WINDOW = 1000
EDGE = WINDOW * 8 // 7 + 1  # one generation past the window


class Machine(RuleBasedStateMachine):
    """A filter of the last 1000 ns, and a dict of when each key was seen last."""

    def __init__(self) -> None:
        super().__init__()
        self.seen = lately.Filter(f"{WINDOW}ns", clock="ns", error_rate=1e-9)
        self.last: dict[bytes, int] = {}
        self.now = 0

    @initialize(start=st.integers(0, 2**63))
    def begin(self, start: int) -> None:
        self.now = start

    def expect(self, is_new: bool, key: object) -> None:
        age = self.now - self.last.get(lately.pack(key), -(10**12))
        if age <= WINDOW:
            assert not is_new
        elif age > 2 * EDGE:
            assert is_new

    def note(self, key: object) -> None:
        self.last[lately.pack(key)] = self.now

    @rule(key=KEYS, step=st.integers(0, 700))
    def observe(self, key: object, step: int) -> None:
        self.now += step
        self.expect(self.seen.first(key, at=self.now), key)
        self.note(key)

    @rule(keys=st.lists(KEYS, max_size=30), step=st.integers(0, 50))
    def observe_many(self, keys: list[object], step: int) -> None:
        times = [self.now + step * i for i in range(len(keys))]
        mask = self.seen.observe_many(keys, times)
        for key, at, is_new in zip(keys, times, mask.tolist(), strict=True):
            self.now = at
            self.expect(is_new, key)
            self.note(key)

    @rule(key=KEYS)
    def contains(self, key: object) -> None:
        if self.last:
            self.expect(self.seen.contains(key) is lately.Verdict.NEW, key)

    @rule(key=KEYS)
    def insert(self, key: object) -> None:
        self.seen.insert(key, at=self.now)
        self.note(key)

    @rule(elapsed=st.integers(0, 500))
    def save_and_load(self, elapsed: int) -> None:
        if self.last:
            self.seen = lately.Filter.from_bytes(self.seen.to_bytes(), elapsed=f"{elapsed}ns")
            self.now += elapsed

    @rule()
    def copy(self) -> None:
        self.seen = self.seen.copy()


def test_oracle_random_calls_on_a_window_of_time() -> None:
    quick = settings(max_examples=60, stateful_step_count=40, deadline=timedelta(seconds=5), derandomize=True,
                     suppress_health_check=list(HealthCheck))  # fmt: skip
    run_state_machine_as_test(Machine, settings=quick)


@settings(max_examples=100, deadline=None, derandomize=True)
@given(st.lists(KEYS, max_size=300), st.integers(1, 50))
def test_oracle_window_of_records(keys: list[object], last: int) -> None:
    seen = lately.Filter(last=last, error_rate=1e-9)
    mask = seen.observe_many(keys).tolist()
    at: dict[bytes, int] = {}
    for i, (key, is_new) in enumerate(zip(keys, mask, strict=True)):
        packed = lately.pack(key)
        if packed not in at:
            assert is_new
        elif i - at[packed] <= last:
            assert not is_new
        at[packed] = i
