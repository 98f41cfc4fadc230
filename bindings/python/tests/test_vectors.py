"""The vectors and refusals that every language reads; the first lines of the files say how."""

from __future__ import annotations

from collections import Counter

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
        answer: object = getattr(self, "do_" + verb)(words)
        if answer is None:
            return []
        return [str(word) for word in answer] if isinstance(answer, (list, tuple)) else [str(answer)]

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

    def do_observe(self, words: list[str]) -> int:
        return self.filter.observe(key(words)).value

    def do_contains(self, words: list[str]) -> int:
        return self.filter.contains(bytearray(key(words))).value

    def do_insert(self, words: list[str]) -> None:
        self.filter.insert(memoryview(key(words)))

    def do_remove(self, words: list[str]) -> int:
        return int(self.filter.remove(key(words)))

    def do_hash_of(self, words: list[str]) -> str:
        return f"{self.filter.hash(key(words)):016x}"

    def do_observe_at(self, words: list[str]) -> int:
        now = int(words.pop(0))
        return self.filter.observe(key(words), at=now).value

    def do_contains_at(self, words: list[str]) -> int:
        now = int(words.pop(0))
        return self.filter.contains(key(words), at=now).value

    def do_insert_at(self, words: list[str]) -> None:
        now = int(words.pop(0))
        self.filter.insert(key(words), at=now)

    def fails(self, words: list[str]) -> None:
        """The instruction fails because of the option that the line spells as C does."""
        status, field, verb = words.pop(0), words.pop(0), words.pop(0)
        with pytest.raises(lately.Error) as refused:
            self.obey(verb, words)
        want = None if field == "-" else keyword(field)
        assert (refused.value.code, refused.value.field) == (status, want)
        assert want is None or want in str(refused.value)


def key(words: list[str]) -> bytes:
    word = words.pop(0)
    return b"" if word == "-" else bytes.fromhex(word)


def run_file(name: str) -> Counter[str]:
    script = Script()
    for number, line in enumerate(lines(name)):
        try:
            script.run(line)
        except BaseException as error:
            error.add_note(f"{name}, instruction {number}: {line:.120}")
            raise
    return script.ran


def test_vectors_every_line_same_answer() -> None:
    ran = run_file("vectors.txt")
    verbs = "hash filter plan observe observe_at insert insert_at contains contains_at remove advance clear copy fails"
    for verb in [*verbs.split(), "hash_of", "secret", "stats"]:
        assert ran[verb] > 0, verb


def test_refusals_every_line_same_code_and_option() -> None:
    assert run_file("errors.txt")["fails"] >= 50
