"""The pages do what they say: every example in Python runs and prints the text below it, and every docstring is a doctest."""

from __future__ import annotations

import contextlib
import doctest
import importlib
import io
import pydoc
import re
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from prometheus_client import REGISTRY

import lately
from fixtures import ROOT
from lately import _lately

PAGES = [
    "docs/reference/python.md",
    "docs/tutorial/python.md",
    "docs/how-to/deduplicate-in-sql-and-pandas.md",
    "docs/how-to/use-it-in-async-code.md",
    "docs/how-to/answer-each-request-once.md",
    "docs/reference/metrics.md",
    "README.md",
    "bindings/python/README.md",
]
BLOCK = re.compile(r"^```(\w*)\n(.*?)^```$", re.MULTILINE | re.DOTALL)


def examples(page: str) -> list[tuple[str, str | None]]:
    """Each example in Python, with the text that it prints, if there is one."""
    blocks = BLOCK.findall((ROOT / page).read_text())
    after = [*blocks[1:], ("", "")]
    return [
        (text, output if language == "text" else None)
        for (kind, text), (language, output) in zip(blocks, after, strict=True)
        if kind == "python"
    ]


ALL = [(page, *example) for page in PAGES for example in examples(page)]


@contextlib.contextmanager
def only_its_own_metrics() -> Iterator[None]:
    """What an example registers for Prometheus is gone after it, as with the process of a reader."""
    known = set(REGISTRY._collector_to_names)
    yield
    for collector in set(REGISTRY._collector_to_names) - known:
        REGISTRY.unregister(collector)


@pytest.mark.parametrize(("page", "source", "output"), ALL, ids=[f"{p}-{i}" for i, (p, *_) in enumerate(ALL)])
def test_example_prints_the_output_of_the_page(
    page: str, source: str, output: str | None, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    printed = io.StringIO()
    # What pickles its functions looks for them in the main module.
    main = type(sys)("__main__")
    monkeypatch.setitem(sys.modules, "__main__", main)
    with contextlib.redirect_stdout(printed), only_its_own_metrics():
        exec(compile(source, page, "exec"), main.__dict__)
    assert output is None or printed.getvalue() == output


def test_pages_have_their_examples() -> None:
    assert all(examples(page) for page in PAGES)
    assert sum(output is not None for _, _, output in ALL) >= 8


MODULES = ["lately", *(f"lately.{name}" for name in ("_values", "_options", "_filter", "_claim", "_first", "_mask", "_keys", "_units", "prometheus"))]


@pytest.mark.parametrize("name", MODULES)
def test_docstrings_are_doctests(name: str) -> None:
    module = importlib.import_module(name)
    result = doctest.testmod(module, extraglobs={"lately": lately}, optionflags=doctest.IGNORE_EXCEPTION_DETAIL)
    assert result.failed == 0
    assert result.attempted > 0 or name in ("lately._keys", "lately._units")


def test_docstrings_of_the_native_methods_are_doctests() -> None:
    finder, runner, tried = doctest.DocTestFinder(), doctest.DocTestRunner(), 0
    for name, method in vars(_lately.Core).items():
        for test in finder.find(method, f"Core.{name}", module=False, globs={"lately": lately}):
            result = runner.run(test)
            assert result.failed == 0
            tried += result.attempted
    assert tried >= 10


def test_help_of_the_package_is_a_page() -> None:
    page = pydoc.render_doc(lately, renderer=pydoc.plaintext)
    for words in ("Have I seen this lately?", "observe_many(self, keys", "error_rate", "A key that was seen within the window"):
        assert words in page
