"""A primary, its replicas and every file agree bit for bit; what a failover loses is what the server's own replication may
lose: commands that were answered and had not reached the replica. The tests wait for it where they count on it."""

import random

import redis

from servers import digest, in_step, requests, until

KINDS = [words for words, _ in requests()]
REMOVABLE = next(i for i, words in enumerate(KINDS) if "REMOVABLE" in words)


def names():
    return [f"k{i}" for i in range(len(KINDS))]


def busy(client, rng, n):
    with client.pipeline(transaction=False) as pipe:
        for _ in range(n):
            i = rng.randrange(len(KINDS))
            items = [rng.randrange(5000) for _ in range(3)]
            sort = rng.randrange(6)
            if sort == 0:
                pipe.execute_command("LATELY.MADD", f"k{i}", "ITEMS", *items)
            elif sort == 1:
                pipe.execute_command("LATELY.EXISTS", f"k{i}", items[0])
            elif sort == 2 and i == REMOVABLE:
                pipe.execute_command("LATELY.REM", f"k{i}", items[0])
            elif sort == 3:
                pipe.eval("return redis.call('LATELY.ADD', KEYS[1], ARGV[1])", 1, f"k{i}", items[0])
            else:
                pipe.execute_command("LATELY.ADD", f"k{i}", items[0])
        pipe.execute()


def reserve(client):
    for i, words in enumerate(KINDS):
        client.execute_command("LATELY.RESERVE", f"k{i}", *words.split())


def follow(server, primary):
    server.client().replicaof("127.0.0.1", primary.port)
    return server


def test_two_replicas_and_a_failover(serve, long):
    rng = random.Random(3)
    # The replicas are configured otherwise: nothing of a request may be theirs.
    other = ["--lately.default-error", "0.4", "--lately.max-bytes-per-filter", "2kb", "--lately.auto-reserve", "LAST 9"]
    primary = serve("--appendonly", "yes")
    client = primary.client()
    reserve(client)
    busy(client, rng, 3000)
    replicas = [follow(serve(*other), primary) for _ in range(2)]
    rounds = 20 if long else 1
    for _ in range(rounds):
        client = primary.client()
        busy(client, rng, 3000)
        for replica in replicas:
            in_step(client, replica.client())
            assert digest(replica.client(), *names()) == digest(client, *names())
        primary.kill()
        heir, rest = replicas[0], replicas[1:]
        heir.client().replicaof("NO", "ONE")
        heir.client().config_set("lately.max-bytes-per-filter", "64mb")
        for replica in rest:
            follow(replica, heir)
        busy(heir.client(), rng, 2000)
        fresh = follow(serve(*other), heir)
        replicas, primary = [*rest, fresh], heir
    for replica in replicas:
        in_step(primary.client(), replica.client())
        assert digest(replica.client(), *names()) == digest(primary.client(), *names())


def test_what_replicas_and_files_are_told(serve):
    server = serve("--appendonly", "yes", "--appendfsync", "always")
    client = server.client()
    client.config_set("lately.auto-reserve", "WINDOW 60000")
    client.execute_command("LATELY.ADD", "k", "a")
    client.execute_command("LATELY.EXISTS", "k", "a")
    with client.pipeline(transaction=True) as pipe:
        pipe.execute_command("LATELY.MADD", "k", "ITEMS", "b", "c")
        pipe.execute()
    text = b"".join(path.read_bytes() for path in server.folder.rglob("*.incr.aof"))
    words = [word for word in text.split(b"\r\n") if not word.startswith((b"$", b"*")) and word]
    commands = [word for word in words if word.upper().startswith(b"LATELY.")]
    assert commands == [b"LATELY.RESERVE", b"LATELY.ADD", b"LATELY.MADD"]
    assert words.count(b"AT") == 2 and b"MAXBYTES" in words and b"SEED" in words
    before = digest(client, "k")
    server.restart()
    assert digest(server.client(), "k") == before


def test_wait_tells_when_a_duplicate_can_no_longer_be_lost(serve):
    primary = serve()
    replica = follow(serve(), primary)
    client = primary.client()
    until(lambda: replica.client().info("replication")["master_link_status"] == "up", "the replica follows")
    client.execute_command("LATELY.RESERVE", "k", "WINDOW", 60000)
    for i in range(500):
        client.execute_command("LATELY.ADD", "k", i)
    assert client.wait(1, 60000) == 1
    primary.kill()
    replica.client().replicaof("NO", "ONE")
    assert sum(replica.client().execute_command("LATELY.MADD", "k", "ITEMS", *range(500))) == 0


def test_a_replica_answers_at_its_own_time_and_stays_the_same(serve):
    primary = serve()
    replica = follow(serve(), primary)
    client = primary.client()
    client.execute_command("LATELY.RESERVE", "k", "WINDOW", 60000)
    client.execute_command("LATELY.ADD", "k", "a")
    in_step(client, replica.client())
    before = digest(client, "k")
    assert replica.client().execute_command("LATELY.EXISTS", "k", "a") == 1
    assert replica.client().execute_command("LATELY.INFO", "k", "new") == 1
    assert digest(replica.client(), "k") == before
    try:
        replica.client().execute_command("LATELY.ADD", "k", "b")
        raise AssertionError("a replica takes no writes")
    except redis.exceptions.ReadOnlyError:
        pass
