"""Several interpreters in one process, as mod_wsgi makes them: one has the package, and the others are told so."""

from __future__ import annotations

import subprocess
import sys
import textwrap

INSIDE = """
import sys
sys.path[:] = {path!r}
try:
    import lately
except ImportError as error:
    print("refused:", "interpreter" in str(error), flush=True)
else:
    print("a verdict of its own:", lately.Filter(last=9).observe("b") is lately.Verdict.NEW, flush=True)
"""

PROGRAM = """
import sys
import lately
lately.Filter(last=9).observe("a")
inside = {inside!r}
if sys.version_info >= (3, 13):
    import _interpreters
    _interpreters.exec(_interpreters.create("legacy"), inside)
else:
    import _xxsubinterpreters as interpreters
    interpreters.run_string(interpreters.create(isolated=False), inside)
# An interpreter that has imported it may import it again.
del sys.modules["lately"], sys.modules["lately._lately"]
import lately
print("again:", lately.Filter(last=9).observe("c").name)
"""


def test_a_second_interpreter_is_refused_and_the_first_goes_on() -> None:
    program = textwrap.dedent(PROGRAM).format(inside=textwrap.dedent(INSIDE).format(path=sys.path))
    run = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, timeout=60, check=False)
    assert run.stdout.splitlines() == ["refused: True", "again: NEW"], run.stderr
