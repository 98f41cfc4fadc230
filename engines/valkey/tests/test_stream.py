"""Against an exact oracle: a stream with its own times, kill -9 in the middle, and files that are rewritten or cut."""

import pytest
import redis

from servers import digest, found, rewritten
from streams import Oracle, made_up

WINDOW = 60_000


def add(client, chunk):
    with client.pipeline(transaction=False) as pipe:
        for item, at in chunk:
            pipe.execute_command("LATELY.ADD", "k", item, "AT", at)
        return pipe.execute()


@pytest.mark.parametrize("preamble", ["yes", "no"])
def test_no_duplicate_is_missed_over_kills(serve, preamble, long):
    """Of items never seen, no more are called duplicates than a chance of 0.001 gives with probability 0.999."""
    server = serve("--appendonly", "yes", "--appendfsync", "always", "--aof-use-rdb-preamble", preamble)
    client = server.client()
    client.execute_command("LATELY.RESERVE", "k", "WINDOW", WINDOW, "ERROR", 0.001, "SEED", 1)
    oracle = Oracle(WINDOW)
    kills = 20 if long else 2
    stream = list(made_up(53_000 if long else 12_000))
    size = len(stream) // (kills * 4) + 1
    for i, begin in enumerate(range(0, len(stream), size)):
        chunk = stream[begin : begin + size]
        for (item, at), new in zip(chunk, add(client, chunk)):
            oracle.judge(item, at, new)
        if i % 4 == 1:
            if i % 8 == 5:
                rewritten(client)
            server.restart()
            client = server.client()
            assert all(found(client, "k", oracle.due(), oracle.clock))
    fresh = oracle.fresh
    assert oracle.missed == 0 and fresh > 1000
    assert oracle.wrong <= 0.001 * fresh + 3.1 * (0.001 * fresh) ** 0.5 + 2, (oracle.wrong, fresh)


def test_a_rewritten_file_in_pieces_is_the_same(serve):
    server = serve("--appendonly", "yes", "--appendfsync", "always", "--aof-use-rdb-preamble", "no")
    client = server.client()
    client.execute_command("LATELY.RESERVE", "big", "LAST", 2_000_000)
    client.execute_command("LATELY.RESERVE", "small", "WINDOW", WINDOW, "SHARD", 1, "OF", 3)
    client.execute_command("LATELY.MADD", "big", "ITEMS", *range(5000))
    client.execute_command("LATELY.MADD", "small", "ITEMS", *range(5000))
    client.pexpire("small", 10_000_000)
    before = digest(client, "big", "small")
    rewritten(client)
    said = client.execute_command("MEMORY", "USAGE", "big")
    server.restart()
    client = server.client()
    assert digest(client, "big", "small") == before and client.pttl("small") > 0
    assert abs(client.execute_command("MEMORY", "USAGE", "big") - said) < 0.02 * said
    assert b"LATELY.LOADCHUNK" in b"".join(path.read_bytes() for path in server.folder.rglob("*.aof"))


def test_a_file_that_ends_in_the_middle_of_a_filter(serve):
    """The server drops the tail, as it does with any command; the key says that a part of its filter is missing."""
    server = serve("--appendonly", "yes", "--appendfsync", "always", "--aof-use-rdb-preamble", "no")
    client = server.client()
    client.execute_command("LATELY.RESERVE", "big", "LAST", 2_000_000)
    rewritten(client)
    server.kill()
    (base,) = server.folder.rglob("*.base.aof")
    whole = base.read_bytes()
    # In the middle of one of its pieces, of 64 KiB.
    assert len(whole) > 4 << 16
    base.write_bytes(whole[:len(whole) // 2])
    for incr in server.folder.rglob("*.incr.aof"):
        incr.write_bytes(b"")
    try:
        server.start()
    except RuntimeError:
        # A base file may be refused whole: then the server says so and does not start.
        assert "end of file" in server.text() or "Bad file format" in server.text() or "truncated" in server.text()
        return
    client = server.client()
    with pytest.raises(redis.ResponseError, match="^MOVING .* bytes have come"):
        client.execute_command("LATELY.ADD", "big", "a")
    assert client.delete("big") == 1 and client.info("lately")["lately_memory_bytes"] == 0
