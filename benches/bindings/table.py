#!/usr/bin/env python3
"""Runs the programs of this folder and prints what a call costs in each language, as ratios to C.

    table.py [--rounds N] C=COMMAND Rust=COMMAND ...

The programs take turns, so that a change of the machine's speed meets all of them: a cell is the median, over the rounds,
of its time over that of C in the same round. All answer the same questions, and one that answers otherwise ends the run.
"""
import argparse
import shlex
import statistics
import subprocess
import sys

CELLS = ["single", "32", "256"]
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
        if len(words) != 2 * len(CELLS) + 2:
            sys.exit(f"{self.name} answered {words}")
        self.rounds.append([float(word) for word in words[:-1]])
        return int(words[-1])

    def end(self):
        self.process.stdin.close()
        if self.process.wait() != 0:
            sys.exit(f"{self.name} ended with {self.process.returncode}")

    def median(self, cell):
        return statistics.median(round[cell] for round in self.rounds)

    def ratio(self, cell, to):
        return statistics.median(mine[cell] / other[cell] for mine, other in zip(self.rounds, to.rounds))

    def in_empty_calls(self, cell):
        return statistics.median(round[cell] / round[-1] for round in self.rounds)


def arguments():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rounds", type=int, default=61)
    parser.add_argument("programs", nargs="+", metavar="NAME=COMMAND")
    return parser.parse_args()


def play(programs, rounds):
    for i in range(WARM + rounds):
        counts = {program.name: program.round() for program in programs}
        if len(set(counts.values())) != 1 or 0 in counts.values():
            sys.exit(f"round {i}: not the same number of duplicates: {counts}")
    for program in programs:
        program.end()
        program.rounds = program.rounds[WARM:]


def row(name, cells):
    return "| " + " | ".join([name, *cells]) + " |"


def table(programs):
    c = programs[0]
    cells = range(2 * len(CELLS))
    heads = [f"one owner, {cell}" for cell in CELLS] + [f"shared, {cell}" for cell in CELLS]
    print(row("", heads))
    print("| --- |" + " ---: |" * len(heads))
    print(row("C, ns a key", [f"{c.median(cell):.0f}" for cell in cells]))
    for program in programs[1:]:
        print(row(program.name, [f"{program.ratio(cell, c):.2f}" for cell in cells]))
    print()
    for program in programs:
        empty = program.median(-1)
        # Where a border is crossed. C++ has none, and Rust's program no such call.
        if empty > 1.5 * c.median(-1):
            singles = [program.in_empty_calls(cell) for cell in (0, len(CELLS))]
            prices = [program.median(cell) - c.median(cell) for cell in (0, len(CELLS))]
            print(
                f"{program.name}: an empty call takes {empty:.1f} ns; a single call {singles[0]:.1f} of them with one owner,"
                f" {singles[1]:.1f} shared; over C {prices[0] / empty:.1f} and {prices[1] / empty:.1f} of them"
            )


def main():
    told = arguments()
    programs = [Program(*word.split("=", 1)) for word in told.programs]
    play(programs, told.rounds)
    table(programs)


main()
