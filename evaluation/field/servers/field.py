"""The driver: list, run RIVAL WORKLOAD SEED FILE, documented RIVAL."""

import json
import pathlib
import sys

from play import play, server, version
from rivals import rivals
from stream import WORKLOADS


def pick(what, name, all_):
    for one in all_:
        if one.name == name:
            return one
    raise ValueError(f"{what} {name!r}: allowed are {', '.join(one.name for one in all_)}")


def number(text):
    if text.isdecimal() and int(text) < 2**53:
        return int(text)
    raise ValueError(f"seed {text!r}: allowed are whole numbers from 0 to 2^53 - 1")


def listed():
    with server() as one:
        for rival in rivals():
            yield {
                "rival": rival.name, "version": version(one, rival), "language": "server", "workloads": rival.workloads(),
                "base": rival.base, "error": rival.error, "misses": False,
                "bytes": "used_memory of the server without its connections, less that before", "what": rival.what,
            }


def run(name, workload, seed, file):
    rival, workload = pick("rival", name, rivals()), pick("workload", workload, WORKLOADS)
    if not rival.takes(workload):
        raise ValueError(f"workload {workload.name!r}: {name} allows {', '.join(rival.workloads())}")
    line, verdicts = play(rival, workload, number(seed))
    pathlib.Path(file).write_bytes(packed(verdicts))
    yield line


def packed(verdicts):
    """Bit i of the verdicts is bit i % 8 of byte i / 8."""
    return bytes(sum(bit << i for i, bit in enumerate(verdicts[at : at + 8])) for at in range(0, len(verdicts), 8))


def documented(name):
    rival = pick("rival", name, rivals())
    with server() as one:
        for figure in rival.documented(one.client()):
            yield {"rival": name, **figure}


def command(words):
    verbs = {"list": (listed, 0), "run": (run, 4), "documented": (documented, 1)}
    verb, count = verbs.get(words[0] if words else "", (None, -1))
    if len(words) - 1 != count:
        raise ValueError(f"{' '.join(words)!r}: allowed are list, run RIVAL WORKLOAD SEED FILE, documented RIVAL")
    for line in verb(*words[1:]):
        print(json.dumps(line, separators=(",", ":")))


if __name__ == "__main__":
    try:
        command(sys.argv[1:])
    except (OSError, RuntimeError, ValueError) as error:
        sys.exit(str(error))
