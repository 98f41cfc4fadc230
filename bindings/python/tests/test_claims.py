"""Claims: verdicts, tokens, the block of `with`, and snapshots. tests/vectors/claims.txt has what each call answers."""

from __future__ import annotations

from typing import Any

import pytest

import lately
from fixtures import refused
from lately import Committed, Filter, Verdict

NS = 1_000_000_000


def manual(**more: Any) -> Filter:
    return Filter("10s", **{"clock": "ns", "lease": "2s", "max_claims": 3, **more})


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


def test_token_that_is_no_number_of_64_bits_is_refused() -> None:
    seen = Filter("10m", lease="30s")
    for token in (-1, 2**64):
        with pytest.raises(OverflowError, match="a token is out of range: it must be 0 to 18446744073709551615"):
            seen.commit("a", token)
    with pytest.raises(TypeError):
        seen.abandon("a", "17")  # type: ignore[arg-type]


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
