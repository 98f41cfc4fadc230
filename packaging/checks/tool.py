"""The tool under Wine: records of standard input and of a file, line ends of both systems, a plan, and wrong options."""
import re
import subprocess

from common import expect, fact, room


def check(status, printed, *arguments, given=b"one\ntwo\none\n"):
    (room / "input").write_bytes(given)
    done = subprocess.run([fact.WINE, fact.TOOL, *arguments], input=given, cwd=room, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    expect(done.returncode == status and re.search(printed, done.stdout + done.stderr),
           f"lately {arguments}\nended with {done.returncode} and printed\n{done.stdout}{done.stderr}")


check(0, rb"^one\ntwo\n$", "--window", "10m")
check(0, rb"^one\tnew\ntwo\tnew\none\tduplicate\n$", "--window", "10m", "--flag")
check(0, rb"^one\ntwo\n$", "--window", "10m", "input")
check(0, rb"^one\ntwo\n$", "--capacity", "1000", "input")
# Carriage returns are part of a record.
check(0, rb"^one\r\ntwo\r\n$", "--window", "10m", given=b"one\r\ntwo\r\none\r\n")
check(0, b"bytes", "plan", "--window", "10m", "--rate", "1000")
check(2, b"--window", "--window", "never")
check(3, b"missing", "--window", "10m", "missing")
