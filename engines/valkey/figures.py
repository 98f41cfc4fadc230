"""Makes the table of figures in README.md: everything in one run, the commands in turns, the median of the rounds.

    cmake --build --preset valkey --target lately_valkey_figures      (or: --keys 1,10 --rounds 3 --server redis-server)
"""

import argparse
import csv
import io
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
ITEM = "6f9619ff-8b86-d011-b42d-__rand_int__"

PACED = {
    "`LATELY.ADD`": ["LATELY.ADD", "filter", ITEM],
    "`SET k 1 EX NX`": ["SET", ITEM, "1", "EX", "3600", "NX"],
    "`SADD`": ["SADD", "set", ITEM],
    "`ZADD`": ["ZADD", "sorted", "1", ITEM],
    "`PING`": ["PING"],
}

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
if KEYS[1] == 'filter' or KEYS[1] == 'told' then redis.call('LATELY.MADD', 'filter', 'AT', ARGV[3], 'ITEMS', unpack(words)) end
"""


def bench(server, words, pipeline, n):
    program = server.program.replace("-server", "-benchmark")
    command = [program, "-p", str(server.port), "-n", str(n), "-r", "1000000", "-P", str(pipeline), "-c", "50", "--csv"]
    text = subprocess.run([*command, *words], capture_output=True, text=True, check=True).stdout
    row = next(csv.DictReader(io.StringIO(text[text.index('"test"') :])))
    return float(row["rps"]), float(row["p99_latency_ms"])


def throughput(server, rounds, n):
    """For each command and pipeline: requests a second and p99, median of the rounds."""
    client, seen = server.client(), {}
    for _ in range(rounds):
        for pipeline in [1, 64]:
            for name, words in PACED.items():
                client.flushall()
                client.execute_command("LATELY.RESERVE", "filter", "WINDOW", WINDOW)
                seen.setdefault((name, pipeline), []).append(bench(server, words, pipeline, n if pipeline == 1 else 10 * n))
    return {key: [statistics.median(part) for part in zip(*all_)] for key, all_ in seen.items()}


def fill(client, what, n, start=0, batch=5000):
    script = client.register_script(FILL)
    with client.pipeline(transaction=False) as pipe:
        for first in range(start, start + n, batch):
            at = 1_000_000_000_000 + first * WINDOW // n if n else 0
            script(keys=[what], args=[first, batch, at], client=pipe)
            if len(pipe) == 100:
                pipe.execute()
        pipe.execute()


def per_key(client, what, n):
    """Bytes a key of n keys. Of a filter: of a window that has been full for a whole window, at a steady rate."""
    client.flushall()
    before = client.info("memory")["used_memory"]
    if what in ["filter", "told"]:
        client.execute_command("LATELY.RESERVE", "filter", "WINDOW", WINDOW, *(["CAPACITY", n] if what == "told" else []))
        for windows in range(3):
            fill(client, what, n, start=windows * n)
    else:
        fill(client, what, n)
    return (client.info("memory")["used_memory"] - before) / n


def worst(client, n, commands=60_000):
    """The longest ADD, in microseconds as the server times it, while three generations of n keys end; and the longest PING and SET
    of as many: on a busy machine all of them wait for their turn."""
    ends = {}
    for name in ["LATELY.ADD", "PING", "SET"]:
        client.config_set("slowlog-max-len", 1000)
        client.config_set("slowlog-log-slower-than", 50)
        client.slowlog_reset()
        at = client.execute_command("LATELY.INFO", "filter", "clock")
        with client.pipeline(transaction=False) as pipe:
            for i in range(commands):
                at_now = at + i * (3 * WINDOW // 7) // commands
                words = ["LATELY.ADD", "filter", f"fresh-{i}", "AT", at_now] if name != "PING" else ["PING"]
                pipe.execute_command(*(["SET", f"x{i}", 1] if name == "SET" else words))
                if len(pipe) == 1000:
                    pipe.execute()
        slow = [row["duration"] for row in client.slowlog_get(1000) if row["command"].startswith(name.encode())]
        ends[name] = max(slow, default=50)
    client.config_set("slowlog-log-slower-than", -1)
    return ends


def table(server, keys, rounds, n):
    client = server.client(decode_responses=False)
    lines = [f"`{pathlib.Path(server.program).name}` {client.info('server')['redis_version']}, "
             f"{os.cpu_count()} cores shared with the client; items of 36 bytes, 50 clients, median of {rounds} rounds.", ""]
    paced = throughput(server, rounds, n)
    lines += ["| command | requests a second, pipeline 1 | p99 ms | pipeline 64 | p99 ms |", "| --- | ---: | ---: | ---: | ---: |"]
    for name in PACED:
        one, many = paced[name, 1], paced[name, 64]
        lines.append(f"| {name} | {one[0]:,.0f} | {one[1]:.2f} | {many[0]:,.0f} | {many[1]:.2f} |")
    lines += ["", "| bytes a key at | " + " | ".join(f"{k} M" for k in keys) + " |", "| --- |" + " ---: |" * len(keys)]
    names = {"`LATELY.ADD`, third window": "filter", "the same with `CAPACITY`": "told", "`SET k 1 EX NX`": "strings", "`SADD`": "set", "`ZADD`": "sorted"}
    longest = {}
    for name, what in names.items():
        row = []
        for million in keys:
            row.append(f"{per_key(client, what, million * 1_000_000):.2f}")
            if what == "told":
                longest[million] = worst(client, million * 1_000_000)
            print(name, million, row[-1], flush=True, file=sys.stderr)
        lines.append(f"| {name} | " + " | ".join(row) + " |")
    lines += ["", "| the longest command while three generations end, in microseconds | " + " | ".join(f"{k} M" for k in keys) + " |",
              "| --- |" + " ---: |" * len(keys)]
    for name in ["LATELY.ADD", "SET", "PING"]:
        lines.append(f"| `{name}` | " + " | ".join(f"{longest[k][name]:,}" for k in keys) + " |")
    return lines


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--keys", default="1,10,50")
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--requests", type=int, default=100_000)
    parser.add_argument("--server", default="redis-server")
    parser.add_argument("--write", action="store_true", help="into README.md")
    args = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        server = Server(args.server, folder, "--lately.max-bytes-per-filter", "4gb")
        try:
            lines = table(server, [int(k) for k in args.keys.split(",")], args.rounds, args.requests)
        finally:
            server.kill()
    text = "\n".join(lines)
    print(text)
    if args.write:
        page = README.read_text()
        head, tail = page.split(BEGIN)[0], page.split(END)[1]
        README.write_text(f"{head}{BEGIN}\n{text}\n{END}{tail}")


if __name__ == "__main__":
    main()
