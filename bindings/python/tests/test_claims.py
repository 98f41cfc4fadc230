"""Claims: what is seen only once its work is done, with exact moments, in every form, by threads and in snapshots."""

from __future__ import annotations

import threading
from collections import Counter
from collections.abc import Generator
from typing import Any

import pytest

import lately
from fixtures import lines, options_of
from lately import Committed, Filter, Verdict

NS = 1_000_000_000


def manual(**more: Any) -> Filter:
    return Filter("10s", **{"clock": "ns", "lease": "2s", "max_claims": 3, **more})


def refused(code: str, call: Any, *given: Any, **more: Any) -> lately.Error:
    with pytest.raises(lately.Error) as raised:
        call(*given, **more)
    assert raised.value.code == code
    return raised.value


# ---- verdicts ----


def test_claim_of_each_state_has_its_verdict_and_token() -> None:
    seen = Filter("10m", lease="30s")
    seen.insert("done")
    first, again, done = seen.claim("a"), seen.claim("a"), seen.claim("done")
    assert [claim.verdict for claim in (first, again, done)] == [Verdict.NEW, Verdict.PENDING, Verdict.DUPLICATE]
    assert [claim.is_new for claim in (first, again, done)] == [True, False, False]
    assert first.token > 0 and (again.token, done.token) == (0, 0)
    assert repr(again) == "<lately.Claim: PENDING, token 0>"
    with pytest.raises(TypeError, match="neither true nor false"):
        bool(first)
    stats = seen.stats()
    assert (stats.open_claims, stats.max_claims, stats.expired_claims, stats.pending) == (1, 65_536, 0, 1)


def test_other_verbs_while_a_claim_is_open() -> None:
    seen = manual()
    token = seen.claim("a", at=5 * NS).token
    assert (seen.contains("a"), seen.observe("a"), "a" in seen) == (Verdict.DUPLICATE, Verdict.DUPLICATE, True)
    seen.abandon("a", token)
    assert "a" not in seen
    token = seen.claim("a").token
    seen.insert("a")
    assert (seen.commit("a", token), seen.stats().open_claims) == (Committed.ALREADY, 0)


def test_commit_finds_in_time_late_or_already() -> None:
    seen = manual()
    token = seen.claim("a", at=0).token
    assert seen.commit("a", token, at=2 * NS) is Committed.IN_TIME
    assert seen.commit("a", token, at=2 * NS) is Committed.ALREADY
    token = seen.claim("b", at=3 * NS).token
    assert seen.commit("b", token, at=6 * NS) is Committed.LATE
    assert seen.claim("b", at=6 * NS).verdict is Verdict.DUPLICATE


def test_commit_stores_at_its_own_time() -> None:
    seen = manual()
    token = seen.claim("a", at=0).token
    seen.commit("a", token, at=2 * NS)
    assert seen.contains("a", at=12 * NS) is Verdict.DUPLICATE
    assert seen.contains("a", at=30 * NS) is Verdict.NEW


def test_late_commit_takes_the_claim_of_the_next_owner() -> None:
    seen = manual()
    first = seen.claim("a", at=0).token
    second = seen.claim("a", at=3 * NS).token
    assert first != second
    assert seen.commit("a", first, at=3 * NS) is Committed.LATE
    assert seen.commit("a", second, at=3 * NS) is Committed.ALREADY


def test_lease_that_lasted_exactly_is_open_and_a_nanosecond_later_over() -> None:
    seen = manual()
    seen.claim("a", at=7)
    assert seen.claim("a", at=7 + 2 * NS).verdict is Verdict.PENDING
    assert seen.claim("a", at=8 + 2 * NS).verdict is Verdict.NEW
    assert seen.stats().expired_claims == 1


# ---- refusals ----


def test_token_of_another_key_or_none_is_an_error_of_its_own() -> None:
    seen = manual()
    seen.advance(0)
    a, b = seen.claim("a").token, seen.claim("b").token
    for token in (b, 0, a + 1, 2**64 - 1):
        refused("CLAIM", seen.commit, "a", token)
        refused("CLAIM", seen.abandon, "a", token)
    assert seen.stats().open_claims == 2
    for token in (-1, 2**64):
        with pytest.raises(OverflowError, match="a token is out of range: it must be 0 to 18446744073709551615"):
            seen.commit("a", token)
    with pytest.raises(TypeError):
        seen.abandon("a", "17")  # type: ignore[arg-type]


def test_full_table_claims_nothing_until_one_ends() -> None:
    seen = manual()
    tokens = [seen.claim(key, at=NS).token for key in range(3)]
    refused("FULL", seen.claim, 3, at=NS)
    assert seen.stats().open_claims == 3 and 3 not in seen
    assert seen.claim(0).verdict is Verdict.PENDING
    seen.abandon(0, tokens[0])
    assert seen.claim(3, at=NS).verdict is Verdict.NEW
    assert seen.claim(4, at=4 * NS).verdict is Verdict.NEW


def test_filter_without_lease_takes_no_claims() -> None:
    for seen in (Filter("10m"), Filter(last=100)):
        refused("UNSUPPORTED", seen.claim, "a")
        refused("UNSUPPORTED", seen.commit, "a", 1)
        refused("UNSUPPORTED", seen.abandon, "a", 1)


def test_times_of_claims_are_judged_as_those_of_observe() -> None:
    seen = manual(max_step="1m")
    seen.claim("a", at=NS)
    refused("TICK", seen.claim, "b", at=100 * NS)
    claim = seen.claim("c", at=NS)
    refused("TICK", claim.commit, at=100 * NS)
    assert claim.commit(at=NS) is Committed.IN_TIME
    refused("CLOCK", Filter("10m", lease="1s").claim, "a", at=NS)
    assert Filter(last=100, lease="1s").claim("a").verdict is Verdict.NEW


# ---- the context manager ----


def test_block_that_ends_commits() -> None:
    seen = Filter("10m", lease="30s")
    with seen.claim("a") as claim:
        assert claim.is_new
        assert seen.claim("a").verdict is Verdict.PENDING
    assert seen.claim("a").verdict is Verdict.DUPLICATE
    assert seen.stats().open_claims == 0


@pytest.mark.parametrize("thrown", [ValueError, KeyboardInterrupt])
def test_block_that_raises_abandons(thrown: type[BaseException]) -> None:
    seen = Filter("10m", lease="30s")
    with pytest.raises(thrown, match="the work failed"):
        with seen.claim("a"):
            raise thrown("the work failed")
    assert seen.claim("a").verdict is Verdict.NEW


def test_generator_that_is_closed_in_the_block_abandons() -> None:
    seen = Filter("10m", lease="30s")

    def work() -> Generator[int, None, None]:
        with seen.claim("a"):
            yield 1

    running = work()
    next(running)
    running.close()
    assert seen.claim("a").verdict is Verdict.NEW


def test_block_that_abandons_and_leaves_early_stores_nothing() -> None:
    seen = Filter("10m", lease="30s")

    def work() -> None:
        with seen.claim("a") as claim:
            claim.abandon()
            return

    work()
    assert "a" not in seen and seen.stats().open_claims == 0


def test_block_that_returns_commits_as_the_page_says() -> None:
    seen = lately.Filter("10m", lease="30s")

    def handle() -> str:
        with seen.claim("a") as claim:
            return claim.verdict.name

    assert (handle(), handle()) == ("NEW", "DUPLICATE")
    assert "``return``" in (lately.Filter.claim.__doc__ or "") and "``return``" in (lately.Claim.__doc__ or "")


def test_block_that_committed_commits_once() -> None:
    seen = manual()
    with seen.claim("a", at=NS) as claim:
        assert claim.commit(at=2 * NS) is Committed.IN_TIME
        refused("CLAIM", claim.commit, at=2 * NS)
        claim.abandon()
    assert seen.contains("a") is Verdict.DUPLICATE
    with pytest.raises(ValueError, match="after the commit"):
        with seen.claim("b") as claim:
            claim.commit()
            raise ValueError("after the commit")
    assert seen.contains("b") is Verdict.DUPLICATE


def test_block_of_a_claim_that_is_not_new_ends_nothing() -> None:
    seen = Filter("10m", lease="30s")
    owner = seen.claim("a")
    with seen.claim("a") as other:
        assert other.verdict is Verdict.PENDING
        refused("CLAIM", other.commit)
        other.abandon()
    assert owner.commit() is Committed.IN_TIME


def test_commit_that_fails_leaves_the_claim_open() -> None:
    seen = manual(max_step="1m")
    claim = seen.claim("a", at=NS)
    refused("TICK", claim.commit, at=100 * NS)
    claim.abandon()
    assert (seen.stats().open_claims, "a" in seen) == (0, False)


def test_exception_of_the_block_passes_also_if_the_filter_is_closed() -> None:
    seen = Filter("10m", lease="30s")
    with pytest.raises(OSError, match="no disk"):
        with seen.claim("a"):
            seen.close()
            raise OSError("no disk")
    with pytest.raises(lately.Error, match="closed"):
        with Filter("10m", lease="30s") as other, other.claim("a"):
            other.close()


def test_key_that_changes_in_the_block_is_the_one_that_was_claimed() -> None:
    seen, key = Filter("10m", lease="30s"), bytearray(b"before")
    with seen.claim(key), seen.claim(memoryview(b"view")):
        key[:] = b"after!"
    assert (b"before" in seen, "view" in seen, key in seen) == (True, True, False)


# ---- threads, snapshots, vectors ----


def test_threads_that_claim_one_key_exactly_one_is_new() -> None:
    seen, keys, threads = Filter("10m", lease="1m"), range(300), 4
    start, got = threading.Barrier(threads), Counter[tuple[int, Verdict]]()
    lock = threading.Lock()

    def work() -> None:
        start.wait()
        mine = [(key, seen.claim(key).verdict) for key in keys]
        with lock:
            got.update(mine)

    crew = [threading.Thread(target=work) for _ in range(threads)]
    for one in crew:
        one.start()
    for one in crew:
        one.join()
    assert [got[key, Verdict.NEW] for key in keys] == [1] * len(keys)
    assert [got[key, Verdict.PENDING] for key in keys] == [threads - 1] * len(keys)


def test_snapshot_and_copy_have_the_open_claims_with_their_tokens() -> None:
    seen = Filter("10m", lease="1m", keyed=True)
    token = seen.claim("a").token
    loaded = Filter.from_bytes(seen.to_bytes(), elapsed="59s", secret=seen.secret())
    for other in (loaded, seen.copy()):
        assert other.claim("a").verdict is Verdict.PENDING
        assert other.commit("a", token) is Committed.IN_TIME
    over = Filter.from_bytes(seen.to_bytes(), elapsed="61s", secret=seen.secret())
    assert over.claim("a").verdict is Verdict.NEW
    assert over.commit("a", token) is Committed.LATE


def test_clear_closes_claims() -> None:
    seen = Filter("10m", lease="1m")
    seen.claim("a")
    seen.clear()
    assert (seen.stats().open_claims, seen.claim("a").verdict) == (0, Verdict.NEW)


class Script:
    """Runs the lines of claims.txt, whose first lines say what they mean."""

    def __init__(self) -> None:
        self.ran: Counter[str] = Counter()
        self.filter = Filter("1s")

    def run(self, line: str) -> None:
        verb, *words = line.split(" ")
        self.ran[verb] += 1
        if verb == "filter":
            self.filter = Filter.of(options_of(words))
        elif verb == "fails":
            refused(words[0], self.answer, words[1], words[2:])
        else:
            answer = self.answer(verb, words)
            assert answer == words[len(words) - len(answer) :]

    def answer(self, verb: str, words: list[str]) -> list[str]:
        """Carries an instruction out; its answer as the file spells it."""
        if verb == "stats":
            stats = self.filter.stats()
            counts = (stats.open_claims, stats.max_claims, stats.expired_claims, stats.pending)
            return [str(count) for count in (*counts, stats.new_count, stats.duplicate_count)]
        at = None
        if verb.endswith("_at"):
            at, words, verb = int(words[0]), words[1:], verb.removesuffix("_at")
        key = b"" if words[0] == "-" else bytes.fromhex(words[0])
        if verb == "claim":
            claim = self.filter.claim(key, at=at)
            return [str(claim.verdict.value), str(claim.token)]
        if verb == "commit":
            return [str(self.filter.commit(key, int(words[1]), at=at).value)]
        if verb == "abandon":
            self.filter.abandon(key, int(words[1]))
            return []
        said = getattr(self.filter, verb)(key, at=at)
        return [] if said is None else [str(said.value)]


def test_vectors_of_claims_every_line_same_answer() -> None:
    script = Script()
    for number, line in enumerate(lines("claims.txt")):
        try:
            script.run(line)
        except BaseException as error:
            error.add_note(f"claims.txt, instruction {number}: {line:.120}")
            raise
    assert all(script.ran[verb] for verb in "filter claim_at commit_at abandon observe_at fails stats".split())
