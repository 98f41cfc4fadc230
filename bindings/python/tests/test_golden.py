"""The golden snapshots of tests/golden: read, answered as listed, written again and made again, byte for byte."""

from __future__ import annotations

from pathlib import Path

import pytest

import lately
from fixtures import ROOT, options_of

GOLDEN = ROOT / "tests" / "golden" / "0.1"


def table(name: str) -> list[list[str]]:
    rows = [line.split("\t") for line in (GOLDEN / name).read_text().splitlines()[1:]]
    assert len(rows) >= 20
    return rows


class Recipe:
    """A line of filters.tsv: how a file is made."""

    def __init__(self, words: list[str]) -> None:
        self.name, self.options = words[0], options_of(words[1].split(" "))
        self.keys, self.calls, self.start, self.step, self.removed = map(int, words[2:])
        self.is_manual = self.options.clock == "ns"
        self.bytes = (GOLDEN / f"{self.name}.lately").read_bytes()

    def made(self) -> lately.Filter:
        seen = lately.Filter.of(self.options)
        for i in range(self.calls):
            seen.observe(i % self.keys, at=self.start + i * self.step if self.is_manual else None)
        for i in range(self.removed):
            seen.remove(i)
        return seen

    def loaded(self, elapsed_ns: int) -> lately.Filter:
        return lately.Filter.from_bytes(self.bytes, elapsed=f"{elapsed_ns}ns", secret=self.options.secret)


RECIPES = {words[0]: Recipe(words) for words in table("filters.tsv")}


@pytest.mark.parametrize("name", RECIPES)
def test_golden_made_again_same_bytes(name: str) -> None:
    assert RECIPES[name].made().to_bytes() == RECIPES[name].bytes


@pytest.mark.parametrize("name", RECIPES)
def test_golden_loaded_and_saved_same_bytes(name: str, tmp_path: Path) -> None:
    recipe = RECIPES[name]
    recipe.loaded(0).save(tmp_path / "copy")
    assert (tmp_path / "copy").read_bytes() == recipe.bytes
    again = lately.Filter.load(tmp_path / "copy", elapsed="0ns", secret=recipe.options.secret)
    assert again.to_bytes() == recipe.bytes


def test_golden_every_answer_as_listed() -> None:
    for name, elapsed, answers in table("answers.tsv"):
        seen = RECIPES[name].loaded(int(elapsed))
        # A tick below the clock is the clock, and one that had no tick yet has no now.
        at = 0 if RECIPES[name].is_manual else None
        assert "".join(str(seen.contains(i, at=at).value) for i in range(len(answers))) == answers, (name, elapsed)
