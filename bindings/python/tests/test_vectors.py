"""The vectors, refusals and claims that every language reads; the first lines of the files say how."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

import pytest

import lately
from fixtures import keyword, lines, options_of


class Script:
    """Runs the lines of a file on the filter that the last line `filter` built."""

    def __init__(self) -> None:
        self.ran: Counter[str] = Counter()
        self.options = lately.Options()
        self.filter = lately.Filter("1s")

    def run(self, line: str) -> None:
        verb, *words = line.split(" ")
        self.ran[verb] += 1
        if verb == "fails":
            self.fails(words)
        else:
            answer = self.obey(verb, words)
            assert answer == words

    def obey(self, verb: str, words: list[str]) -> list[str]:
        """Carries an instruction out, takes its arguments off `words`, and returns its answer."""
        if verb == "filter":
            self.options = options_of(words)
            self.filter = lately.Filter.of(self.options)
            words.clear()
            return []
        answer = getattr(self, "do_" + verb)(words) if hasattr(self, "do_" + verb) else self.call(verb, words)
        if answer is None:
            return []
        return [str(word) for word in answer] if isinstance(answer, (list, tuple)) else [str(answer)]

    def call(self, verb: str, words: list[str]) -> int | None:
        """A verb of one key, now or at a time."""
        now = {"at": int(words.pop(0))} if verb.endswith("_at") else {}
        answer = getattr(self.filter, verb.removesuffix("_at"))(key(words), **now)
        return int(answer) if isinstance(answer, bool) else getattr(answer, "value", answer)

    def do_hash(self, words: list[str]) -> str:
        seed = int(words.pop(0))
        return f"{lately.hash64(key(words), seed):016x}"

    def do_plan(self, words: list[str]) -> list[int]:
        given = {name: getattr(self.options, name) for name in lately.Options.__dataclass_fields__}
        plan = lately.Filter.plan(**given)
        return [plan.bytes, plan.k, plan.l, plan.slices, plan.blocks, plan.rows, plan.window_keys,
                plan.fingerprint_bits, plan.chains, plan.block_bytes]  # fmt: skip

    def do_stats(self, words: list[str]) -> list[int]:
        stats = self.filter.stats()
        return [stats.new_count, stats.duplicate_count, stats.late_ticks, stats.refused_ticks, stats.clock,
                stats.bytes, stats.items, stats.shifts, stats.rows_full, stats.moved, stats.stashed,
                stats.max_lateness_ns, stats.last_refused_tick]  # fmt: skip

    def do_secret(self, words: list[str]) -> list[int]:
        secret = self.filter.secret()
        return [int.from_bytes(secret[:8], "little"), int.from_bytes(secret[8:], "little")]

    def do_advance(self, words: list[str]) -> None:
        self.filter.advance(int(words.pop(0)))

    def do_clear(self, words: list[str]) -> None:
        self.filter.clear()

    def do_copy(self, words: list[str]) -> None:
        self.filter = self.filter.copy()

    def do_remove(self, words: list[str]) -> int:
        return int(self.filter.remove(memoryview(key(words))))

    def do_hash_of(self, words: list[str]) -> str:
        return f"{self.filter.hash(bytearray(key(words))):016x}"

    def fails(self, words: list[str]) -> None:
        """The instruction fails because of the option that the line spells as C does."""
        status, field, verb = words.pop(0), words.pop(0), words.pop(0)
        with pytest.raises(lately.Error) as refused:
            self.obey(verb, words)
        want = None if field == "-" else keyword(field)
        assert (refused.value.code, refused.value.field) == (status, want)
        assert want is None or want in str(refused.value)


class Claims(Script):
    """The same with the verbs of claims.txt."""

    def do_claim_at(self, words: list[str]) -> list[int]:
        now = int(words.pop(0))
        claim = self.filter.claim(key(words), at=now)
        return [claim.verdict.value, claim.token]

    def do_commit_at(self, words: list[str]) -> int:
        now = int(words.pop(0))
        return self.filter.commit(key(words), int(words.pop(0)), at=now).value

    def do_abandon(self, words: list[str]) -> None:
        self.filter.abandon(key(words), int(words.pop(0)))

    def do_stats(self, words: list[str]) -> list[int]:
        stats = self.filter.stats()
        return [stats.open_claims, stats.max_claims, stats.expired_claims, stats.pending, stats.new_count, stats.duplicate_count]

    def fails(self, words: list[str]) -> None:
        super().fails([words[0], "-", *words[1:]])


class SplitMix64:
    """The generator of the runs."""

    def __init__(self, seed: int) -> None:
        self.seed = seed

    def next(self) -> int:
        self.seed = z = (self.seed + 0x9E3779B97F4A7C15) % 2**64
        z = (z ^ z >> 30) * 0xBF58476D1CE4E5B9 % 2**64
        z = (z ^ z >> 27) * 0x94D049BB133111EB % 2**64
        return z ^ z >> 31

    def key(self) -> str:
        """Makes the key of one round, in hexadecimal."""
        n = min(self.next() % 300, self.next() % 300)
        digits = SplitMix64(n)
        return f"{digits.next():016x}{digits.next():016x}"[: 2 * (n % 12 + 1)] if n else "-"


def calls(line: str) -> Iterator[str]:
    """Expands a run into lines of single calls, made from its seed. Any other line stays as it is."""
    verb, *words = line.split(" ")
    if verb != "run":
        yield line
        return
    seed, rounds, now, step, late = (int(words[i]) for i in (0, 1, 3, 4, 5))
    verbs, bits = words[2].split(","), "".join(f"{int(digit, 16):04b}" for digit in words[6])
    dice, asked = SplitMix64(seed), 0
    for _ in range(rounds):
        now += dice.next() % step
        joined = verbs[dice.next() % len(verbs)]
        tick = now - (dice.next() % late if dice.next() % 16 == 0 else 0)
        key = dice.key()
        for verb in joined.split("+"):
            call = f"{verb} {tick} {key}" if verb.endswith("_at") else f"{verb} {key}"
            if not verb.startswith("insert"):
                call, asked = f"{call} {bits[asked]}", asked + 1
            yield call
    assert len(words[6]) == (asked + 3) // 4


def key(words: list[str]) -> bytes:
    word = words.pop(0)
    return b"" if word == "-" else bytes.fromhex(word)


def without_batches(name: str) -> Iterator[str]:
    """The lines without the batches at the end of each filter: test_many.py has batches of every form, against single calls."""
    is_behind = False
    for line in lines(name):
        verb = line.split(" ")[0]
        is_behind = verb != "filter" and (is_behind or verb.endswith("_slices"))
        if not is_behind:
            yield line


def run_file(name: str, script: Script) -> Counter[str]:
    for number, call in enumerate(call for line in without_batches(name) for call in calls(line)):
        try:
            script.run(call)
        except BaseException as error:
            error.add_note(f"{name}, instruction {number}: {call:.120}")
            raise
    return script.ran


def test_vectors_every_line_same_answer() -> None:
    ran = run_file("vectors.txt", Script())
    verbs = "hash filter plan observe observe_at insert insert_at contains contains_at remove advance clear copy fails"
    for verb in [*verbs.split(), "hash_of", "secret", "stats"]:
        assert ran[verb] > 0, verb


def test_refusals_every_line_same_code_and_option() -> None:
    assert run_file("errors.txt", Script())["fails"] >= 50


def test_claims_every_line_same_answer() -> None:
    ran = run_file("claims.txt", Claims())
    assert all(ran[verb] for verb in "filter claim_at commit_at abandon observe_at fails stats".split())
