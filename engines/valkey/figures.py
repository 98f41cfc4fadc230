"""Makes the tables of figures in README.md: each figure in a run of its own, the commands in turns, the median of the rounds.

    cmake --build --preset valkey --target lately_valkey_figures

    --keys 1,10,50    millions of keys        --rounds 5       of each command         --requests 100000   of each round
    --server NAME     redis-server            --write          the tables into README.md
    --keep FILE       what is measured is kept there, and what is there is not measured again
    --only WHAT       cpu, bytes, small, longest or move

BF.ADD is that of LATELY_BLOOM, a redisbloom.so; without it there is no row of it.
"""

import argparse
import json
import os
import pathlib
import statistics
import subprocess
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent / "tests"))
from servers import Server  # noqa: E402

README = pathlib.Path(__file__).resolve().parent / "README.md"
BEGIN, END = "<!-- figures -->", "<!-- end of figures -->"
WINDOW = 3_600_000
ERROR = 0.001  # of every filter, whatever the default is
ITEM = "6f9619ff-8b86-d011-b42d-__rand_int__"
BLOOM = os.environ.get("LATELY_BLOOM", "")
BLOOM = BLOOM if pathlib.Path(BLOOM).is_file() else ""

PACED = {
    "`LATELY.ADD`": ["LATELY.ADD", "filter", ITEM],
    "`SET k 1 EX NX`": ["SET", ITEM, "1", "EX", "3600", "NX"],
    "`SADD`": ["SADD", "set", ITEM],
    "`ZADD`": ["ZADD", "sorted", "1", ITEM],
    **({"`BF.ADD`": ["BF.ADD", "bloom", ITEM]} if BLOOM else {}),
    "`PING`": ["PING"],
}
FILLED = {
    "`LATELY.ADD`, fifth window": "filter",
    "the same with `CAPACITY`": "told",
    **({"`BF.ADD`, at its capacity": "bloom"} if BLOOM else {}),
    "`SET k 1 EX NX`": "strings",
    "`SADD`": "set",
    "`ZADD`": "sorted",
}
SMALL = {"a filter of `WINDOW`": "filter", "`SET k 1 EX NX`, all of them": "strings", "`SADD`": "set", "`ZADD`": "sorted"}
FEW = [1, 3, 10, 100, 1000]
LONGEST = ["LATELY.ADD", "PING"]
MOVED = [8, 16]
PIPELINES = [1, 16, 64]

# Fills by the server itself: n items of 36 bytes from `first` on.
FILL = """
local first, n, words = tonumber(ARGV[1]), tonumber(ARGV[2]), {}
for i = first, first + n - 1 do
    local item = string.format('6f9619ff-8b86-d011-b42d-%012d', i)
    if KEYS[1] == 'strings' then redis.call('SET', item, 1, 'EX', 36000, 'NX')
    elseif KEYS[1] == 'set' then redis.call('SADD', 'set', item)
    elseif KEYS[1] == 'sorted' then redis.call('ZADD', 'sorted', i, item)
    else words[#words + 1] = item end
end
if KEYS[1] == 'endless' then redis.call('LATELY.MADD', 'endless', 'ITEMS', unpack(words)) end
if KEYS[1] == 'bloom' then redis.call('BF.MADD', 'bloom', unpack(words)) end
if KEYS[1] == 'filter' or KEYS[1] == 'told' then redis.call('LATELY.MADD', 'filter', 'AT', ARGV[3], 'ITEMS', unpack(words)) end
"""

# ---- what is measured ----


def spent(server):
    """Nanoseconds of a processor that the server's thread took."""
    return int(pathlib.Path(f"/proc/{server.process.pid}/task/{server.process.pid}/schedstat").read_text().split()[0])


def cpu(server, rounds, n):
    """For each command and pipeline, microseconds of the server's thread for a call, the median of the rounds; and the median of the
    ratios to BF.ADD of the same round. Time of a processor: other programs of the machine hardly change it."""
    client, seen = server.client(), {}
    bench = [server.program.replace("-server", "-benchmark"), "-p", str(server.port), "-r", "1000000", "-c", "50", "-q"]
    for _ in range(rounds):
        for pipeline in PIPELINES:
            for name, words in PACED.items():
                start(client, "filter", 0)
                if BLOOM:
                    client.execute_command("BF.RESERVE", "bloom", ERROR, 1_000_000)
                calls = n if pipeline == 1 else 4 * n
                before = spent(server)
                subprocess.run([*bench, "-n", str(calls), "-P", str(pipeline), *words], stdout=subprocess.DEVNULL, check=True)
                seen.setdefault((name, pipeline), []).append((spent(server) - before) / 1000 / calls)
    against = ["`BF.ADD`"] if BLOOM else []
    kept = {}
    for (name, pipeline), all_ in seen.items():
        ratios = [[one / other for one, other in zip(all_, seen[than, pipeline])] for than in against]
        kept[f"{name} {pipeline}"] = [statistics.median(part) for part in [all_, *ratios]]
    return kept


def start(client, what, n):
    client.flushall()
    if what == "bloom":
        client.execute_command("BF.RESERVE", "bloom", ERROR, n)
    elif what in ["filter", "told"]:
        words = ["WINDOW", WINDOW, "ERROR", ERROR, *(["CAPACITY", n] if what == "told" else [])]
        client.execute_command("LATELY.RESERVE", "filter", *words)


def fill(client, what, n, first=0, batch=5000):
    script = client.register_script(FILL)
    with client.pipeline(transaction=False) as pipe:
        for at in range(first, first + n, batch):
            script(keys=[what], args=[at, batch, 1_000_000_000_000 + at * WINDOW // n], client=pipe)
            if len(pipe) == 100:
                pipe.execute()
        pipe.execute()


def per_key(client, what, n):
    """Bytes a key of n keys. Of a filter: of the fifth window at a steady rate, when the tables of its growth have gone."""
    client.flushall()
    before = client.info("memory")["used_memory"]
    start(client, what, n)
    for window in range(5 if what in ["filter", "told"] else 1):
        fill(client, what, n, first=window * n)
    return (client.info("memory")["used_memory"] - before) / n


def usage(client, what, n):
    """`MEMORY USAGE` of all keys together with n items that came at a steady rate of the window."""
    start(client, what, n)
    fill(client, what, n, batch=1)
    return sum(client.memory_usage(key) for key in client.keys())


def longest(server, client, commands=4_000):
    """The most time of a processor that the server's thread took for one ADD, in microseconds, while three generations end; and for
    one PING in turn with it. Not the time on a clock: that tells of the other programs of the machine."""
    at = client.execute_command("LATELY.INFO", "filter", "clock-ms")
    most = dict.fromkeys(LONGEST, 0)
    for i in range(commands):
        now = at + i * (3 * WINDOW // 8) // commands
        for words in [["LATELY.ADD", "filter", f"fresh-{i}", "AT", now], ["PING"]]:
            before = spent(server)
            client.execute_command(*words)
            most[words[0]] = max(most[words[0]], (spent(server) - before) / 1000)
    return most


def move(source, target, mebibytes):
    """Seconds of a processor that both servers' threads took for a MIGRATE of a filter: so long each server is blocked. It is filled,
    for files are compressed, and an empty one would be small."""
    client, size = source.client(), mebibytes << 20
    for server in [source, target]:
        server.client().flushall()
    client.execute_command("LATELY.RESERVE", "endless", "MEMORY", size, "MAXBYTES", size + (1 << 20))
    fill(client, "endless", size // 2 // 5000 * 5000)
    before = spent(source), spent(target)
    client.execute_command("MIGRATE", "127.0.0.1", target.port, "endless", 0, 600_000)
    return [(after - start) / 1e9 for after, start in zip((spent(source), spent(target)), before)]


# ---- the order, and what is kept ----


class Kept:
    """What was measured, in a file: a run that is broken off resumes where it was."""

    def __init__(self, path):
        self.path = pathlib.Path(path) if path else None
        self.all = json.loads(self.path.read_text()) if self.path and self.path.exists() else {}

    def measure(self, name, how):
        if name not in self.all:
            self.all[name] = how()
            print(name, self.all[name], flush=True, file=sys.stderr)
            if self.path:
                self.path.write_text(json.dumps(self.all, indent=1))


def measure(args, keys, folder, kept):
    def fresh(how):
        server = Server(args.server, folder, "--lately.max-bytes-per-filter", "4gb", *(["--loadmodule", BLOOM] if BLOOM else []))
        try:
            return how(server, server.client(decode_responses=False))
        finally:
            server.kill()

    if args.only in ["", "cpu"]:
        kept.measure("thread", lambda: fresh(lambda server, _: cpu(server, args.rounds, args.requests)))
    if args.only in ["", "small"]:
        small = lambda _, client: {what: [usage(client, what, n) for n in FEW] for what in SMALL.values()}
        kept.measure("small", lambda: fresh(small))
    if args.only in ["", "move"]:
        def moves(server, _):
            target = Server(args.server, pathlib.Path(folder) / "target", "--lately.max-bytes-per-filter", "4gb")
            try:
                return [move(server, target, mebibytes) for mebibytes in MOVED]
            finally:
                target.kill()

        kept.measure("move", lambda: fresh(moves))
    for million in keys:
        n = million * 1_000_000
        for what in FILLED.values() if args.only in ["", "bytes"] else []:
            kept.measure(f"{what} {million}", lambda: fresh(lambda _, client: per_key(client, what, n)))
        if args.only in ["", "longest"]:
            def ends(server, client):
                start(client, "told", n)
                fill(client, "told", n)
                return longest(server, client)

            kept.measure(f"longest {million}", lambda: fresh(ends))
    kept.measure("server", lambda: fresh(lambda _, client: client.info("server")["redis_version"]))


# ---- the tables ----


def row(name, cells):
    return f"| {name} | " + " | ".join(cells) + " |"


def head(name, cells):
    return ["", row(name, cells), "| --- |" + " ---: |" * len(cells)]


def table(args, keys, all_):
    lines = [f"`{args.server}` {all_['server']}, {os.cpu_count()} cores shared with the client; items of 36 bytes, 50 clients, "
             f"median of {args.rounds} rounds of {args.requests:,} requests, more at pipeline 16 and 64; filters with `ERROR {ERROR}`."]
    if "thread" in all_:
        titles = ["microseconds of the server's thread, a call", *(["the same, of `BF.ADD`"] if BLOOM else [])]
        for column, title in enumerate(titles):
            lines += head(title, [f"pipeline {p}" for p in PIPELINES])
            for name in PACED:
                lines.append(row(name, [f"{all_['thread'][f'{name} {p}'][column]:.2f}" for p in PIPELINES]))
    millions = [f"{k} M" for k in keys]
    cell = lambda name, how: how(all_[name]) if name in all_ else "not measured"
    lines += head("bytes a key at", millions)
    for name, what in FILLED.items():
        lines.append(row(name, [cell(f"{what} {k}", "{:.2f}".format) for k in keys]))
    if "small" in all_:
        lines += head("bytes in all, of a number of items", [f"{n:,}" for n in FEW])
        for name, what in SMALL.items():
            lines.append(row(name, [f"{of:,}" for of in all_["small"][what]]))
    lines += head("the longest command while three generations end, in microseconds of a processor", millions)
    for name in LONGEST:
        lines.append(row(f"`{name}`", [cell(f"longest {k}", lambda most: f"{most[name]:,.0f}") for k in keys]))
    if "move" in all_:
        lines += head("seconds of a processor for a `MIGRATE` of a `MEMORY` filter of", [f"{mebibytes} MiB" for mebibytes in MOVED])
        for name, seconds in zip(["the source", "the target"], zip(*all_["move"])):
            lines.append(row(name, [f"{one:.2f}" for one in seconds]))
    return lines


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--keys", default="1,10,50")
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--requests", type=int, default=100_000)
    parser.add_argument("--server", default="redis-server")
    parser.add_argument("--only", default="", choices=["", "cpu", "bytes", "small", "longest", "move"])
    parser.add_argument("--keep", default="")
    parser.add_argument("--write", action="store_true")
    args = parser.parse_args()
    keys, kept = [int(k) for k in args.keys.split(",")], Kept(args.keep)
    with tempfile.TemporaryDirectory() as folder:
        measure(args, keys, folder, kept)
    text = "\n".join(table(args, keys, kept.all))
    print(text)
    if args.write:
        page = README.read_text()
        before, after = page.split(BEGIN)[0], page.split(END)[1]
        README.write_text(f"{before}{BEGIN}\n{text}\n{END}{after}")


if __name__ == "__main__":
    main()
