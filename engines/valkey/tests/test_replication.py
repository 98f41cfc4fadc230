"""A primary, its replicas and every file agree bit for bit, or, of window tables of time, find the same items; what a failover
loses is what the server's own replication may lose: commands that were answered and had not reached the replica. The tests
wait for it where they count on it."""

import random

import redis

import pytest

from servers import agree, digest, follow, in_step, rarely_wrong, requests, rewritten, until

KINDS = [rarely_wrong(words) for words, _ in requests()]
# Those whose items can be removed: sets that say so, and window tables.
REMOVABLE = {i for i, (words, kind) in enumerate(requests()) if "REMOVABLE" in words or kind == "window-table"}


NAMED = {f"k{i}": words for i, words in enumerate(KINDS)}
ITEMS = range(5000)


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
            elif sort == 2 and i in REMOVABLE:
                pipe.execute_command("LATELY.REM", f"k{i}", items[0])
            elif sort == 3:
                pipe.eval("return redis.call('LATELY.ADD', KEYS[1], ARGV[1])", 1, f"k{i}", items[0])
            else:
                pipe.execute_command("LATELY.ADD", f"k{i}", items[0])
        pipe.execute()


def reserve(client):
    for i, words in enumerate(KINDS):
        client.execute_command("LATELY.RESERVE", f"k{i}", *words.split())


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
        agree(client, [replica.client() for replica in replicas], NAMED, ITEMS)
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
    agree(primary.client(), [replica.client() for replica in replicas], NAMED, ITEMS)


def test_replicas_and_files_get_these_commands(serve):
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
    # Both commands may be of one ms.
    assert words.count(b"AT") in [1, 2] and b"MAXBYTES" in words and b"SEED" in words
    before = digest(client, "k")
    server.restart()
    assert digest(server.client(), "k") == before


@pytest.mark.parametrize("words", ["WINDOW 60000", "WINDOW 60000 FIRST", "WINDOW 60000 LEASE 5000", "WINDOW 60000 LATENESS 9000", "LAST 500"])
def test_what_was_removed_is_new_on_a_replica_and_after_a_replay(serve, words):
    primary, replica = quiet_link(serve)
    client = primary.client()
    client.execute_command("LATELY.RESERVE", "k", *words.split())
    client.execute_command("LATELY.MADD", "k", "ITEMS", "a", "b")
    assert client.execute_command("LATELY.REM", "k", "a") == 1
    assert client.execute_command("LATELY.REM", "k", "a") == 0
    in_step(client, replica.client())
    primary.restart()
    for server in [primary, replica]:
        assert server.client().execute_command("LATELY.MEXISTS", "k", "ITEMS", "a", "b") == [0, 1]
    assert digest(primary.client(), "k") == digest(replica.client(), "k")
    client = primary.client()
    rewritten(client)
    primary.restart()
    assert primary.client().execute_command("LATELY.MEXISTS", "k", "ITEMS", "a", "b") == [0, 1]


def test_commands_of_one_ms_are_sent_as_they_were_given_and_files_and_replicas_have_the_clock(serve):
    for words in ["WINDOW 60000", "WINDOW 60000 FIRST"]:
        primary, replica = quiet_link(serve)
        client = primary.client()
        client.execute_command("LATELY.RESERVE", "k", *words.split())
        with client.pipeline(transaction=False) as pipe:
            for item in range(2000):
                pipe.execute_command("lately.add", "k", item)
            pipe.execute()
        text = b"".join(path.read_bytes() for path in primary.folder.rglob("*.incr.aof"))
        # A primary that does one command a ms is hardly one.
        assert text.count(b"lately.add") + text.count(b"LATELY.ADD") == 2000 and 0 < text.count(b"\r\nAT\r\n") < 1500
        in_step(client, replica.client())
        clock = client.execute_command("LATELY.INFO", "k", "clock-ms")
        assert replica.client().execute_command("LATELY.INFO", "k", "clock-ms") == clock
        before = digest(client, "k")
        assert digest(replica.client(), "k") == before
        primary.restart()
        assert digest(primary.client(), "k") == before


def quiet_link(serve, *options):
    """A primary and its replica, between which nothing goes unasked."""
    primary = serve("--repl-ping-replica-period", "3600", "--appendonly", "yes", "--appendfsync", "always", *options)
    return primary, follow(serve(), primary)


def sent(server):
    """Bytes that a server sent to its replicas, and those of its append-only file."""
    client = server.client()
    return client.info("replication")["master_repl_offset"], client.info("persistence")["aof_current_size"]


def repeat(client, key, n):
    """The same two items again and again, alone, together, in a transaction, in a script."""
    with client.pipeline(transaction=False) as pipe:
        for _ in range(n):
            pipe.execute_command("LATELY.ADD", key, "a")
            pipe.execute_command("LATELY.MADD", key, "ITEMS", "a", "b", "a")
            pipe.eval("return redis.call('LATELY.ADD', KEYS[1], 'b')", 1, key)
        answers = pipe.execute()
    with client.pipeline(transaction=True) as pipe:
        pipe.execute_command("LATELY.ADD", key, "a")
        pipe.execute_command("LATELY.MADD", key, "ITEMS", "a", "b")
        return answers + pipe.execute()


@pytest.mark.parametrize("words, most", [("FIRST", 0), ("REFRESH", 4), ("REFRESH LATENESS 60000", 4)])
def test_a_repeat_costs_replicas_and_files_nothing(serve, words, most):
    """Of `REFRESH` a generation, a seventh of the window at most, may begin during the test: then each item is sent once more."""
    primary, replica = quiet_link(serve)
    client = primary.client()
    client.execute_command("LATELY.RESERVE", "k", "WINDOW", 3_600_000, *words.split())
    client.execute_command("LATELY.MADD", "k", "ITEMS", "a", "b")
    in_step(client, replica.client())
    before = sent(primary)
    answers = repeat(client, "k", 1000)
    assert answers.count(0) == 2001 and all(answer in (0, [0, 0, 0], [0, 0]) for answer in answers)
    assert all(after - ago <= most * 95 for after, ago in zip(sent(primary), before)), (sent(primary), before)
    assert client.execute_command("LATELY.INFO", "k", "duplicates") == 5003, "counted all the same"
    assert replica.client().execute_command("LATELY.INFO", "k", "new") == 2
    assert replica.client().execute_command("LATELY.MEXISTS", "k", "ITEMS", "a", "b", "c") == [1, 1, 0]


def test_repeat_sends_no_event_and_wakes_no_watcher(server):
    client, other = server.client(), server.client()
    client.config_set("notify-keyspace-events", "KEAd")
    client.execute_command("LATELY.RESERVE", "k", "WINDOW", 3_600_000, "FIRST")
    client.execute_command("LATELY.ADD", "k", "a")
    listener = client.pubsub()
    listener.psubscribe("__keyevent@0__:lately.*")
    until(lambda: listener.get_message(timeout=1), "the subscription")
    for item, new in [("a", 0), ("b", 1)]:
        with client.pipeline() as pipe:
            pipe.watch("k")
            assert other.execute_command("LATELY.ADD", "k", item) == new
            pipe.multi()
            pipe.ping()
            if new:
                with pytest.raises(redis.WatchError):
                    pipe.execute()
            else:
                pipe.execute()
    assert listener.get_message(timeout=10)["channel"].endswith("lately.add")
    assert listener.get_message(timeout=0.1) is None
