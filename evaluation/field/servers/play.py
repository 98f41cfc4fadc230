"""One run on a server: the records as they are sent, 64 at once, and what the server's process takes."""

import contextlib
import pathlib
import socket
import sys
import tempfile
import time

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[3] / "engines" / "valkey" / "tests"))
from rivals import BLOOM, resp  # noqa: E402
from servers import Server, program  # noqa: E402
from stream import digest  # noqa: E402

STEP = 64
SAMPLES = 64


@contextlib.contextmanager
def server():
    """A server of this machine with the modules, on a free port of 127.0.0.1."""
    names = [name for name in ["redis-server", "valkey-server"] if program(name)]
    if not names:
        raise RuntimeError("servers: neither redis-server nor valkey-server is installed")
    with tempfile.TemporaryDirectory() as folder:
        bloom = ["--loadmodule", BLOOM] if pathlib.Path(BLOOM).is_file() else []
        one = Server(names[0], folder, "--lately.max-bytes-per-filter", "1gb", *bloom)
        try:
            yield one
        finally:
            one.kill()


def version(one, rival):
    """The server's version, and that of the module if the rival is one."""
    info = one.client().info("server")
    name = f"{pathlib.Path(one.program).name} {info.get('valkey_version', info['redis_version'])}"
    for module in one.client().execute_command("MODULE", "LIST"):
        facts = dict(zip(*[iter(module)] * 2)) if isinstance(module, list) else module
        if facts["name"] == rival.module():
            name += f", module {facts['name']} {facts['ver']}"
    return name


class Line:
    """A connection that sends what is given and reads answers of known length."""

    def __init__(self, port):
        self.socket = socket.create_connection(("127.0.0.1", port))
        self.socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        self.socket.settimeout(60)

    def ask(self, commands, length):
        self.socket.sendall(commands)
        answer = b""
        while len(answer) < length:
            more = self.socket.recv(length - len(answer))
            if not more:
                raise RuntimeError("the server closed the connection")
            answer += more
            if answer.startswith(b"-"):
                raise RuntimeError("the server answers " + answer.split(b"\r\n")[0].decode())
        return answer

    def close(self):
        self.socket.close()


class Run:
    """A run that goes on."""

    def __init__(self, rival, workload, seed, one):
        self.rival, self.workload, self.one = rival, workload, one
        self.keys = workload.keys(seed)
        self.verdicts = bytearray(len(self.keys))
        self.size = len(next(iter(rival.answers)))
        self.client, self.line = one.client(), Line(one.port)
        self.late = 0

    def play(self):
        """Plays all records. Processor time is that of the counted ones without that of the samples."""
        # The buffers of a connection are made by its first commands.
        self.line.ask(resp("PING") * STEP, len("+PONG\r\n") * STEP)
        before = self.used()
        self.rival.start(self.client, self.workload)
        self.start = time.monotonic_ns()
        self.records(0, self.workload.warm)
        samples, cpu = [], 0
        for i in range(SAMPLES):
            samples.append(self.used())
            spent = self.spent()
            ends = [self.workload.warm + self.workload.counted * j // SAMPLES for j in [i, i + 1]]
            self.records(*ends)
            cpu += self.spent() - spent
        settled = self.used()
        return cpu, max(*samples, settled) - before, settled - before

    def records(self, first, end):
        for at in range(first, end, STEP):
            self.wait(at)
            self.part(at, min(at + STEP, end))

    def wait(self, record):
        """Until the time of a record."""
        if not self.workload.timed:
            return
        due = self.start + self.workload.tick(record)
        time.sleep(max(0, due - time.monotonic_ns()) / 1e9)
        self.late = max(self.late, time.monotonic_ns() - due)

    def part(self, first, end):
        """Sends some records at once; what must be sent between two of them goes by itself."""
        commands = []
        for record in range(first, end):
            if turn := self.rival.turn(record):
                self.answered(record - len(commands), commands)
                commands = []
                self.line.ask(turn, len(b":1\r\n+OK\r\n"))
            commands.append(self.rival.command(self.keys[record]))
        self.answered(end - len(commands), commands)

    def answered(self, first, commands):
        size, answers = self.size, self.rival.answers
        answer = self.line.ask(b"".join(commands), size * len(commands))
        for i in range(len(commands)):
            one = answer[i * size : (i + 1) * size]
            if one not in answers:
                raise RuntimeError(f"the server answers {one}")
            self.verdicts[first + i] = answers[one]

    def used(self):
        """Bytes of the server without those of its connections."""
        memory = self.client.info("memory")
        return memory["used_memory"] - memory["mem_clients_normal"]

    def spent(self):
        """Nanoseconds of a processor that the threads of the server's process took."""
        tasks = pathlib.Path(f"/proc/{self.one.process.pid}/task").glob("*/schedstat")
        return sum(int(task.read_text().split()[0]) for task in tasks)


def play(rival, workload, seed):
    """The line of a run, and the verdicts of its counted records."""
    with server() as one:
        run = Run(rival, workload, seed, one)
        cpu, peak, settled = run.play()
        counted = run.verdicts[workload.warm :]
        run.line.close()
        return {
            "rival": rival.name, "version": version(one, rival), "workload": workload.name, "seed": seed, "stream": digest(run.keys),
            "keys": workload.counted, "cpu_ns": cpu, "peak_bytes": peak, "settled_bytes": settled,
            "false": sum(counted[0::2]), "missed": len(counted[1::2]) - sum(counted[1::2]),
            "clock": "real" if workload.timed else "none", "late_ns": run.late,
        }, counted
