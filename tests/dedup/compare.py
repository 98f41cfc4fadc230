"""Runs the dedup programs of every language on one stream: their outputs are the same, byte for byte, on this machine and on every
other, as golden.txt has them; and what they say is what an exact memory says, except false duplicates at the rate that was asked
for. The arguments: a folder, then <language>=<command> for each program. The first is `stream`, which writes the stream. The words
of a command are apart by `;`, and its last one is a file.
"""
import hashlib
import os
import re
import subprocess
import sys

room = sys.argv[1]
programs = {name: command.split(";") for name, command in (word.split("=", 1) for word in sys.argv[2:]) if command}
golden = open(os.path.join(os.path.dirname(__file__), "golden.txt")).read().splitlines()


def run(name, *arguments, **options):
    assert os.path.exists(programs[name][-1]), f"no dedup program in {name}: {programs[name]}"
    return subprocess.run([*programs[name], *arguments], stdout=subprocess.PIPE, check=True, **options).stdout


def expect_golden(name, data):
    line = f"{name} {hashlib.sha256(data).hexdigest()}"
    assert line in golden, f"golden.txt does not have {line}"


os.makedirs(room, exist_ok=True)
stream = run("stream", f"{room}/exact")
expect_golden("stream", stream)
read, new = [int(number) for number in open(f"{room}/exact").read().split(";")[:2]]
for name in list(programs)[1:]:
    output = run(name, input=stream)
    expect_golden("output", output)
    # No repeat within the window is missed, and at most two of a thousand new ones are called repeats.
    figures = re.search(rb"read=(\d+) new=(\d+) duplicate=(\d+) bytes=[1-9]\d*\n$", output)
    assert figures, (name, output[-200:])
    said, fresh, repeats = [int(number) for number in figures.groups()]
    assert said == read == fresh + repeats and 0 <= new - fresh <= new * 2 // 1000, (name, said, fresh, repeats)
print(f"{', '.join(list(programs)[1:])}: one output, that of every machine")
