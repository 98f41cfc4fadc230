"""A slot moves here in pieces, by the way of Valkey 9, and something happens at each piece: no filter is lost, and none stays behind.

The test is the source: it sends the target what a source sends, one piece after another."""

import random

import pytest
import redis

import dumps
from servers import digest, in_step, raw, rewritten, until
from test_cluster import attach, identity, joined, reader

PIECE = 1 << 16
WORDS = "CAPACITY 60000 ERROR 1e-6"
# What a source sends of such a filter is four pieces: it is cut behind each of them but the last.
CUTS = [1, 2, 3]
ALWAYS = ["--cluster-enabled", "yes", "--rdbcompression", "no", "--appendonly", "yes", "--appendfsync", "always"]


class Import:
    """A slot that comes to `target`, with one filter in it."""

    def __init__(self, source, target, number):
        self.target, self.key = target, f"seen:{number}"
        self.source = source.client()
        self.source.execute_command("LATELY.RESERVE", self.key, *WORDS.split())
        self.source.execute_command("LATELY.MADD", self.key, "ITEMS", *range(2000))
        self.bits = digest(self.source, self.key)
        self.slot = self.source.execute_command("CLUSTER", "KEYSLOT", self.key)
        dump = source.client(decode_responses=False).dump(self.key)
        self.request, self.snapshot = dumps.apart(dump)[1]
        self.sent = 0
        assert len(self.snapshot) > max(CUTS) * PIECE
        self.link = target.client().connection_pool.get_connection()
        self.name = f"{random.getrandbits(160):040x}"
        target.client().config_resetstat()
        self.say("ESTABLISH", "SOURCE", identity(self.source), "NAME", self.name, "SLOTSRANGE", self.slot, self.slot)
        assert self.link.read_response() == "OK"
        self.say("ACK")

    def say(self, *words):
        self.link.send_command("CLUSTER", "SYNCSLOTS", *words)

    def send(self):
        piece = self.snapshot[self.sent : self.sent + PIECE]
        self.link.send_command("LATELY.LOADCHUNK", self.key, self.request, self.sent, len(self.snapshot), piece)
        self.sent += len(piece)

    def pieces(self, n):
        """Sends the first n pieces, and waits until the target has them."""
        for _ in range(n):
            self.send()
        stats = lambda: self.target.client().info("commandstats")
        until(lambda: stats().get("cmdstat_LATELY.LOADCHUNK", {"calls": 0})["calls"] == n, "the pieces are there")

    def bytes(self):
        return self.target.client().info("lately")["lately_memory_bytes"]

    def finish(self):
        """Sends the rest: the slot is the target's from then on."""
        while self.sent < len(self.snapshot):
            self.send()
        for word, answer in [("SNAPSHOT-EOF", "REQUEST-PAUSE"), ("PAUSED", "REQUEST-FAILOVER")]:
            self.say(word)
            while self.link.read_response()[2] != answer:
                pass
        self.say("FAILOVER-GRANTED")
        until(lambda: self.state() == "success", "the slot has moved")

    def cancel(self):
        self.link.disconnect()
        until(lambda: self.state() == "failed", "the target has cancelled")

    def state(self):
        jobs = raw(self.target.client(), "CLUSTER", "GETSLOTMIGRATIONS")
        return next(job["state"] for job in (dict(zip(job[::2], job[1::2])) for job in jobs) if job["name"] == self.name)

    def nothing_stays(self, node):
        """The source has the filter, and `node` has no byte of it."""
        until(lambda: node.client().info("lately")["lately_filters"] == 0, "what has come goes")
        assert node.client().info("lately")["lately_memory_bytes"] == 0
        assert raw(node.client(), "CLUSTER", "COUNTKEYSINSLOT", self.slot) == 0
        assert digest(self.source, self.key) == self.bits


# Of a server that has CLUSTER MIGRATESLOTS.
of_valkey_9 = pytest.mark.parametrize("name", ["valkey-9"], indirect=True)


@pytest.fixture
def pair(serve):
    """The owner of all slots, and a target of them."""
    return lambda *options: joined([serve(*ALWAYS), serve(*ALWAYS, *options)], owners=1)


def ready(node):
    said = str(raw(node.client(), "CLUSTER", "INFO"))
    return "cluster_state:ok" in said and "cluster_known_nodes:1" not in said


def follower(serve, target):
    return attach(serve(*ALWAYS, "--cluster-replica-validity-factor", "0"), target)


def restarted(node):
    client = node.restart().client()
    until(lambda: ready(node), "the cluster is ready again")
    return client


@of_valkey_9
def test_the_target_rewrites_its_file_and_starts_again(pair):
    source, target = pair()
    moved = []
    for cut in CUTS:
        moved.append(Import(source, target, cut))
        moved[-1].pieces(cut)
        rewritten(target.client())
        moved[-1].finish()
        client = restarted(target)
        assert [digest(client, one.key) for one in moved] == [one.bits for one in moved], f"cut at {cut}"


@of_valkey_9
def test_a_rewrite_as_commands_loses_what_moves_and_the_filter_says_so(pair):
    """Valkey 9 leaves keys of a slot that moves here out of a file without a preamble, those of its own types too."""
    source, target = pair("--aof-use-rdb-preamble", "no")
    for cut in CUTS:
        moving = Import(source, target, cut)
        moving.link.send_command("SET", f"{{{moving.key}}}text", "x")
        moving.pieces(cut)
        rewritten(target.client())
        moving.finish()
        assert digest(target.client(), moving.key) == moving.bits and target.client().get(f"{{{moving.key}}}text") == "x"
        client = restarted(target)
        assert client.get(f"{{{moving.key}}}text") is None, "Valkey keeps them now: so must the filter be"
        with pytest.raises(redis.ResponseError, match="^MOVING this filter is being moved here: 0 of its"):
            client.execute_command("LATELY.ADD", moving.key, "a")


@of_valkey_9
def test_a_replica_attaches_and_takes_over(pair, serve):
    source, target = pair()
    moved, replicas = [], []
    for cut in CUTS:
        moved.append(Import(source, target, cut))
        moved[-1].pieces(cut)
        replicas.append(follower(serve, target))
        moved[-1].finish()
    for replica in replicas:
        in_step(target.client(), replica.client())
        assert [digest(reader(replica), one.key) for one in moved] == [one.bits for one in moved]
        assert "LATELY.LOADCHUNK" not in str(replica.client().info("errorstats"))
    target.kill()
    last = replicas[-1].client()
    last.execute_command("CLUSTER", "FAILOVER", "TAKEOVER")
    until(lambda: last.info("replication")["role"] == "master", "the replica takes over")
    assert [digest(last, one.key) for one in moved] == [one.bits for one in moved]


@of_valkey_9
def test_the_target_saves_and_starts_again(pair):
    """What has come is in the file, but the slot is not the target's: the server drops it."""
    source, target = pair("--appendonly", "no", "--dbfilename", "saved.rdb")
    for cut in CUTS:
        moving = Import(source, target, cut)
        moving.pieces(cut)
        target.client().save()
        size = (target.folder / "saved.rdb").stat().st_size
        assert size > moving.sent, "the file has what has come"
        restarted(target)
        moving.nothing_stays(target)
        again = Import(source, target, cut + 10)
        again.finish()
        assert digest(target.client(), again.key) == again.bits
        target.client().delete(again.key)


@of_valkey_9
@pytest.mark.parametrize("interruption", ["cancel", "flush"])
def test_what_has_come_goes_when_the_import_is_cancelled(pair, interruption):
    source, target = pair()
    client, used = target.client(), []
    for cut in CUTS:
        moving = Import(source, target, cut)
        moving.pieces(cut)
        assert moving.bytes() >= moving.sent, "the bytes of the part are counted"
        moving.cancel() if interruption == "cancel" else client.flushall()
        moving.nothing_stays(target)
        used.append(client.info("memory")["used_memory"])
    assert used[-1] - used[0] < PIECE, "what the server took for the first import is all that it took"
    again = Import(source, target, 10)
    again.finish()
    assert digest(client, again.key) == again.bits


@of_valkey_9
@pytest.mark.parametrize("rewrites", [False, True])
def test_what_has_come_goes_when_the_target_is_killed(pair, rewrites):
    source, target = pair()
    for cut in CUTS:
        moving = Import(source, target, cut)
        moving.pieces(cut)
        if rewrites:
            rewritten(target.client())
        restarted(target)
        moving.nothing_stays(target)
    again = Import(source, target, 10)
    again.finish()
    assert digest(target.client(), again.key) == again.bits


@of_valkey_9
def test_a_replica_of_the_target_takes_over_in_the_middle(pair, serve):
    """The slot stays with its source, and the new primary has nothing of it."""
    source, target = pair()
    for cut in CUTS:
        replica = follower(serve, target)
        moving = Import(source, target, cut)
        moving.pieces(cut)
        in_step(target.client(), replica.client())
        assert replica.client().info("lately")["lately_memory_bytes"] >= moving.sent
        target.kill()
        replica.client().execute_command("CLUSTER", "FAILOVER", "TAKEOVER")
        until(lambda: replica.client().info("replication")["role"] == "master", "the replica takes over")
        moving.nothing_stays(replica)
        target = replica


def test_every_command_on_a_part_says_that_it_is_being_moved(server, client):
    """Where a part is all that there will ever be: here out of a file that ends in its middle."""
    binary = server.client(decode_responses=False)
    client.config_set("rdbcompression", "no")
    client.execute_command("LATELY.RESERVE", "k", *WORDS.split())
    head, (request, snapshot), version = dumps.apart(binary.dump("k"))
    some = snapshot[: 2 * PIECE]
    part = b"PARTIAL %d OF %d %s" % (len(some), len(snapshot), request)
    strings = [part, some[:PIECE], some[PIECE:]]
    client.restore("part", 0, dumps.together(head, strings, version))
    for line in ["LATELY.ADD part a", "LATELY.INFO part", "LATELY.RESERVE part WINDOW 60000", "LATELY.EXISTS part a"]:
        with pytest.raises(redis.ResponseError, match=rf"^MOVING .*{len(some)} of its {len(snapshot)} bytes have come"):
            client.execute_command(*line.split())
    assert client.memory_usage("part") > len(some)
    client.copy("part", "copy")
    assert digest(client, "part") == digest(client, "copy") != digest(client, "k")
    dump = binary.dump("part")
    assert dumps.apart(dump)[1] == [part, some]
    client.restore("again", 0, dump)
    client.execute_command("DEBUG", "RELOAD")
    assert len({*digest(client, "part", "copy", "again")}) == 1
    for words in [[b"PARTIAL 5 OF 9 " + request, some], [b"PARTIAL 5 OF " + request, some[:5]], [b"PARTIAL 5", some[:5]]]:
        with pytest.raises(redis.ResponseError, match="Bad data format"):
            client.restore("bad", 0, dumps.together(head, words, version))
    client.flushall()
    until(lambda: client.info("lately")["lately_filters"] == 0, "freed, on Valkey in the background")
    assert client.info("lately")["lately_memory_bytes"] == 0
