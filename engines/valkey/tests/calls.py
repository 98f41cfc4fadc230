"""Calls of the client in Python without starting it for each: what a call prints and how it ends is the same."""

import contextlib
import importlib.util
import io
import subprocess
import sys
import traceback
from unittest import mock


class PythonCalls:
    """Calls of the client in Python, whose program is in `file`: in this process."""

    def __init__(self, file):
        spec = importlib.util.spec_from_file_location("client", file)
        self.client = importlib.util.module_from_spec(spec)
        spec.loader.exec_module(self.client)

    def __call__(self, *words, text=""):
        output, errors = io.StringIO(), ""
        stdin = io.TextIOWrapper(io.BytesIO(text.encode()))
        with mock.patch.object(sys, "stdin", stdin), contextlib.redirect_stdout(output):
            try:
                self.client.main(*map(str, words))
            except Exception:
                errors = traceback.format_exc()
        return subprocess.CompletedProcess(words, bool(errors), output.getvalue(), errors)
