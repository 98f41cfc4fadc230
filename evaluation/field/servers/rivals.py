"""The rivals on a server: which commands they are, and what their answers say."""

import os
import pathlib

from stream import WORKLOADS

BLOOM = os.environ.get("LATELY_BLOOM", "")


def resp(*words):
    """A command as it is sent."""
    parts = [word if isinstance(word, bytes) else str(word).encode() for word in words]
    return b"".join([b"*%d\r\n" % len(parts), *(b"$%d\r\n%s\r\n" % (len(part), part) for part in parts)])


class Rival:
    """A command for each record, whose answers all have one length."""

    timed = False  # has a window of time
    counted = False  # has one of the last records
    error = 0.0
    answers = {b":0\r\n": True, b":1\r\n": False}  # whether it was a duplicate

    def __init__(self, name, base, what):
        self.name, self.base, self.what = name, base, what

    def takes(self, workload):
        return self.timed if workload.timed else self.counted

    def workloads(self):
        return [workload.name for workload in WORKLOADS if self.takes(workload)]

    def module(self):
        """What its version is read from: a module of the server's, or the server."""
        return None

    def start(self, client, workload):
        """What is sent before the first record."""

    def turn(self, record):
        """What is sent before a record."""
        return b""

    def command(self, key):
        """What is sent for a record, with as many answers as it has commands."""
        raise NotImplementedError

    def documented(self, client):
        return []


class Lately(Rival):
    timed = counted = True

    def __init__(self, error):
        name = f"lately-{error}"
        super().__init__(name, name, "the module's default window table, LATELY.ADD for each record, no CAPACITY, the server's clock")
        self.error = float(error)
        self.before, self.after = resp("LATELY.ADD", "seen", b"").split(b"$0\r\n")[0] + b"$8\r\n", b"\r\n"

    def module(self):
        return "lately"

    def start(self, client, workload):
        window = ["WINDOW", workload.window // 1_000_000] if workload.timed else ["LAST", workload.records]
        client.execute_command("LATELY.RESERVE", "seen", *window, "ERROR", self.error)

    def command(self, key):
        return self.before + key + self.after


class SetNx(Rival):
    timed = True
    answers = {b"$-1\r\n": True, b"+OK\r\n": False}

    def __init__(self):
        super().__init__("set-nx", "lately-1e-6", "SET key 1 NX PX the window, for each record")

    def start(self, client, workload):
        self.after = b"\r\n" + resp(1, "NX", "PX", workload.window // 1_000_000).split(b"\r\n", 1)[1]

    def command(self, key):
        return b"*6\r\n$3\r\nSET\r\n$8\r\n" + key + self.after

    def documented(self, client):
        import time

        client.set("once", 1, nx=True, px=500)
        start = time.monotonic()
        while not client.set("once", 1, nx=True, px=500) and time.monotonic() < start + 5:
            time.sleep(0.001)
        age = (time.monotonic() - start) * 1000
        return [figure("age at which a key of PX 500 is new again", "ms", 500, age, "about", 20, "the page of SET: PX sets the expire time in milliseconds")]


class Bloom(Rival):
    """RedisBloom forgets nothing: its filter grows as keys are added."""

    counted = True

    def __init__(self, error):
        super().__init__(f"bf-add-{error}", f"lately-{error}", "BF.ADD for each record to one filter of capacity N, which grows: it has no window and forgets nothing")
        self.error = float(error)
        self.head = resp("BF.ADD", "a", b"").split(b"$0\r\n")[0] + b"$8\r\n"

    def module(self):
        return "bf"

    def start(self, client, workload):
        client.execute_command("BF.RESERVE", "a", self.error, workload.records)

    def command(self, key):
        return self.head + key + b"\r\n"

    def documented(self, client):
        n, source = 100_000, "the page of BF.RESERVE"
        client.execute_command("BF.RESERVE", "a", self.error, n, "NONSCALING")
        for first in range(0, n, 1000):
            client.execute_command("BF.MADD", "a", *range(first, first + 1000))
        asked = int(max(1e5, min(2 / self.error, 1e6)))
        wrong = sum(sum(client.execute_command("BF.MEXISTS", "a", *range(-first - 1000, -first))) for first in range(0, asked, 1000))
        size = dict(zip(*[iter(client.execute_command("BF.INFO", "a"))] * 2))["Size"]
        bits = {1e-3: 14.378, 1e-6: 28.755}[self.error]
        return [
            figure("false duplicates a key that was never added, at its capacity of 100,000", "rate", self.error, wrong / asked,
                   "at most", 3 * (self.error / asked) ** 0.5, source + ": an upper bound error_rate"),
            figure("bits a key at its capacity of 100,000", "bits", bits, 8 * size / n, "about", 0.2, source + ": -ln(error_rate) / ln(2)^2"),
        ]


class Turns(Bloom):
    """Two filters in turn: the last N records are in the one that is filled or in the one before. One that holds N is emptied."""

    def __init__(self, error):
        super().__init__(error)
        self.name = f"bf-turns-{error}"
        self.what = "two filters of capacity N and half the rate in turn: BF.EXISTS of the older and BF.ADD to the newer for each record"
        self.answers = {b":0\r\n:1\r\n": False, **dict.fromkeys([b":1\r\n:1\r\n", b":0\r\n:0\r\n", b":1\r\n:0\r\n"], True)}

    def start(self, client, workload):
        self.every = workload.records
        self.asks, self.adds = [
            {name: resp(verb, name, b"").split(b"$0\r\n")[0] + b"$8\r\n" for name in "ab"} for verb in ["BF.EXISTS", "BF.ADD"]
        ]
        self.older, self.newer = "a", "b"
        for name in "ab":
            client.execute_command(*self.made(name))

    def made(self, name):
        return "BF.RESERVE", name, self.error / 2, self.every, "NONSCALING"

    def turn(self, record):
        if record == 0 or record % self.every:
            return b""
        self.older, self.newer = self.newer, self.older
        return resp("DEL", self.newer) + resp(*self.made(self.newer))

    def command(self, key):
        return self.asks[self.older] + key + b"\r\n" + self.adds[self.newer] + key + b"\r\n"

    def documented(self, client):
        return []


def figure(what, unit, documented, measured, law, slack, source):
    return {"what": what, "unit": unit, "documented": documented, "measured": measured, "law": law, "slack": slack, "source": source}


def rivals():
    """The rivals that run on this machine: RedisBloom has no module for some machines."""
    blooms = [kind(error) for kind in [Bloom, Turns] for error in ["1e-3", "1e-6"]]
    return [Lately("1e-3"), Lately("1e-6"), SetNx(), *(blooms if pathlib.Path(BLOOM).is_file() else [])]
