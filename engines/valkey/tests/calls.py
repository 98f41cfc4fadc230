"""Calls of clients that take half a second to start, without starting them for each: what a call prints and how it ends is the same."""

import contextlib
import importlib.util
import io
import pathlib
import struct
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


class JavaCalls:
    """Calls of the client in Java, which `java` has in its path: in one process for all of them, by Calls.java."""

    def __init__(self, java):
        command = [*java, pathlib.Path(__file__).with_name("Calls.java")]
        self.process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE)

    def __call__(self, *words, text=""):
        counted = [struct.pack(">I", len(part)) + part for part in (str(part).encode() for part in [*words, text])]
        self.process.stdin.write(bytes([len(words)]) + b"".join(counted))
        self.process.stdin.flush()
        status = self.process.stdout.read(1)[0]
        output, errors = self.next(), self.next()
        return subprocess.CompletedProcess(words, status, output, errors)

    def next(self):
        (length,) = struct.unpack(">I", self.process.stdout.read(4))
        return self.process.stdout.read(length).decode()
