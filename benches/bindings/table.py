#!/usr/bin/env python3
"""Runs the programs of this folder and prints what a call costs in each language, as ratios to C.

    table.py [--rounds N] C=COMMAND Rust=COMMAND ...

Times are CPU times, so that other programs on the machine do not count. The programs take turns, so that a change of the
processor's speed reaches all of them: a cell is the median, over the rounds, of its time over that of C in the same round.
The first program runs twice: the column "C again" is C compared with C, which is the noise of all others. All programs
answer the same questions, and one that answers otherwise ends the run.
"""
import argparse
import itertools
import math
import shlex
import statistics
import subprocess
import sys

WINDOWS = ["keys", "time"]
HANDLES = ["unshared", "shared"]
FORMS = [
    "u64, single",
    "u64, numbers of 256",
    "16 bytes, single",
    "16 bytes, packed 32",
    "16 bytes, packed 256",
    "16 bytes, slices of 256",
    "string of 40, single",
    "string of 40, packed 256",
    "string of 40, slices of 256",
]
ROWS = list(itertools.product(WINDOWS, HANDLES, FORMS))
# The first rounds are for the just-in-time compiler of Java.
WARM = 12


class Program:
    def __init__(self, name, command):
        self.name = name
        self.process = subprocess.Popen(
            shlex.split(command), stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, bufsize=1
        )
        self.rounds = []

    def round(self):
        """Plays a round and returns how many duplicates there were so far."""
        self.process.stdin.write("\n")
        self.process.stdin.flush()
        words = self.process.stdout.readline().split()
        if len(words) != len(ROWS) + 2:
            sys.exit(f"{self.name} answered {words}")
        self.rounds.append([positive(self.name, word) for word in words[:-1]])
        return int(words[-1])

    def end(self):
        self.process.stdin.close()
        if self.process.wait() != 0:
            sys.exit(f"{self.name} ended with {self.process.returncode}")

    def median(self, row):
        return statistics.median(round[row] for round in self.rounds)

    def ratio(self, row, to):
        return statistics.median(mine[row] / other[row] for mine, other in zip(self.rounds, to.rounds))

    def over(self, row, base):
        """How much one row of this program takes of another one in the same round."""
        return statistics.median(round[row] / round[base] for round in self.rounds)


def positive(name, word):
    """A time; "nan" where a language has no such call."""
    time = float(word)
    if not (math.isnan(time) or time > 0):
        sys.exit(f"{name} measured {word} ns")
    return time


def arguments():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rounds", type=int, default=61)
    parser.add_argument("programs", nargs="+", metavar="NAME=COMMAND")
    return parser.parse_args()


def play(programs, rounds):
    warm = min(WARM, rounds)
    for i in range(warm + rounds):
        counts = {program.name: program.round() for program in programs}
        if len(set(counts.values())) != 1 or 0 in counts.values():
            sys.exit(f"round {i}: not the same number of duplicates: {counts}")
    for program in programs:
        program.end()
        program.rounds = program.rounds[warm:]


def line(*cells):
    return "| " + " | ".join(cells) + " |"


def number(value, digits):
    return "" if math.isnan(value) else f"{value:.{digits}f}"


def table(c, others):
    print(line("window of", "handle", "keys and calls", "C, ns a key", "over unshared", *(o.name for o in others)))
    print("| --- | --- | --- |" + " ---: |" * (2 + len(others)))
    for row, (window, handle, form) in enumerate(ROWS):
        over = number(c.over(row, ROWS.index((window, "unshared", form))), 2) if handle == "shared" else ""
        ratios = [number(other.ratio(row, c), 2) for other in others]
        print(line(window, handle, form, number(c.median(row), 0), over, *ratios))
    print()


def borders(c, others):
    """Single calls in empty calls, where a border is crossed. C++ has none, and Rust's program no such call."""
    for program in others:
        empty = program.median(-1)
        if not empty > 1.5 * c.median(-1):
            continue
        print(f"{program.name}: an empty call takes {empty:.1f} ns; in empty calls, a single call and what it takes over C:")
        for row, (window, handle, form) in enumerate(ROWS):
            if form.endswith("single"):
                over = (program.median(row) - c.median(row)) / empty
                print(f"  window of {window}, {handle}, {form}: {program.over(row, -1):.1f}, {over:.1f}")


def main():
    told = arguments()
    commands = [word.split("=", 1) for word in told.programs]
    (name, command) = commands[0]
    programs = [Program(*word) for word in [(name, command), (f"{name} again", command), *commands[1:]]]
    play(programs, told.rounds)
    table(programs[0], programs[1:])
    borders(programs[0], programs[1:])


main()
