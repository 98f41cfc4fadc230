"""Claims on servers: one of many clients gets an item; what was claimed survives a restart, a failover, a copy and a dump."""

import pytest
import redis

from servers import digest, follow, in_step, requests, rewritten, until

# A machine that is busy with other work is no lease that is over.
REQUEST = ["WINDOW", 600_000, "LEASE", 600_000, "MAXCLAIMS", 100]


def claim(client, item, *more):
    return client.execute_command("LATELY.CLAIM", "k", item, *more)


def commit(client, item, token, *more):
    return client.execute_command("LATELY.COMMIT", "k", item, token, *more)


def reserved(client):
    client.execute_command("LATELY.RESERVE", "k", *REQUEST)
    return client


@pytest.mark.parametrize("protocol", [2, 3])
def test_a_claim_is_answered_with_a_number_and_a_token(server, protocol):
    client = reserved(server.client(protocol=protocol))
    new, token = claim(client, "a")
    assert new == 1 and int(token) > 0
    assert claim(client, "a") == [2, "0"]
    assert client.execute_command("LATELY.ADD", "k", "a") == 0
    assert commit(client, "a", token) == "IN-TIME"
    assert commit(client, "a", token) == "ALREADY"
    assert claim(client, "a") == [0, "0"]
    new, token = claim(client, "b")
    assert client.execute_command("LATELY.ABANDON", "k", "b", token) in ("OK", b"OK", True)
    assert claim(client, "b")[0] == 1
    info = {name: client.execute_command("LATELY.INFO", "k", name) for name in ["lease-ms", "max-claims", "open-claims", "pending"]}
    assert info == {"lease-ms": 600_000, "max-claims": 100, "open-claims": 1, "pending": 1}


def test_info_has_the_claims_of_all_filters(server):
    """Those that are there, and what was counted of those that are gone, as the counters of items."""
    client = server.client()

    def figures():
        said = client.info("lately")
        names = ["open_claims", "max_claims", "expired_claims_total", "pending_total"]
        return [said[f"lately_{name}"] for name in names]

    assert figures() == [0, 0, 0, 0]
    client.execute_command("LATELY.RESERVE", "plain", "WINDOW", 60_000)
    reserved(client)
    client.execute_command("LATELY.RESERVE", "l", "WINDOW", 600_000, "LEASE", 50, "MAXCLAIMS", 7)
    tokens = {item: claim(client, item)[1] for item in "abc"}
    claim(client, "a")
    assert figures() == [3, 107, 0, 1]
    commit(client, "a", tokens["a"])
    client.execute_command("LATELY.ABANDON", "k", "b", tokens["b"])
    client.execute_command("LATELY.CLAIM", "l", "a", "AT", 1_000_000_000_000)
    client.execute_command("LATELY.CLAIM", "l", "b", "AT", 1_000_000_000_051)
    assert figures() == [2, 107, 1, 1]
    assert client.copy("l", "m") and figures() == [3, 114, 1, 1], "a copy has its claims, and counted nothing"
    client.unlink("k", "l")
    until(lambda: figures() == [1, 7, 1, 1], "what was counted of filters that are gone stays")
    dump = server.client(decode_responses=False).dump("m")
    client.flushall()
    until(lambda: figures() == [0, 0, 1, 1], "all are freed")
    server.client(decode_responses=False).restore("m", 0, dump)
    client.execute_command("LATELY.CLAIM", "m", "b", "AT", 1_000_000_000_051)
    assert figures() == [1, 7, 1, 2]


@pytest.mark.parametrize("kind", [kind for words, kind in requests() if "LEASE" in words])
@pytest.mark.parametrize("preamble", ["yes", "no"])
def test_a_restart_with_open_claims(serve, kind, preamble):
    """kill -9 between the claim and the commit: by the append-only file, by the one rewritten, by the snapshot."""
    server = serve("--appendonly", "yes", "--appendfsync", "always", "--aof-use-rdb-preamble", preamble)
    client = server.client()
    client.execute_command("LATELY.RESERVE", "k", *REQUEST, "KIND", kind, "MAXBYTES", 200_000)
    tokens = {}
    for turn in range(3):
        for item in ["a", "b", "c"]:
            tokens[f"{item}{turn}"] = claim(client, f"{item}{turn}")[1]
        assert commit(client, f"a{turn}", tokens[f"a{turn}"]) == "IN-TIME"
        assert client.execute_command("LATELY.ABANDON", "k", f"b{turn}", tokens[f"b{turn}"])
        before = digest(client, "k")
        if turn == 1:
            rewritten(client)
        if turn == 2:
            client.execute_command("DEBUG", "RELOAD")
        else:
            server.restart()
        client = server.client()
        assert digest(client, "k") == before
        assert claim(client, f"a{turn}")[0] == 0 and claim(client, f"c{turn}") == [2, "0"]
    for turn in range(3):
        assert commit(client, f"c{turn}", tokens[f"c{turn}"]) == "IN-TIME"
        assert claim(client, f"b{turn}")[0] == 1


def test_a_failover_with_open_claims(serve):
    """Who claimed on a primary commits on its heir, though the replica came late, and the table was full on the way."""
    primary = serve()
    client = reserved(primary.client())
    tokens = {item: claim(client, item)[1] for item in range(60)}
    replica = follow(serve(), primary)
    tokens |= {item: claim(client, item)[1] for item in range(60, 100)}
    with pytest.raises(redis.ResponseError, match="^FULL "):
        claim(client, "z")
    assert commit(client, 3, tokens[3]) == "IN-TIME"
    client.execute_command("LATELY.ABANDON", "k", 4, tokens[4])
    assert claim(client, 5) == [2, "0"]
    in_step(client, replica.client())
    primary.kill()
    heir = replica.client()
    heir.replicaof("NO", "ONE")
    assert claim(heir, 3)[0] == 0 and claim(heir, 4)[0] == 1
    assert [commit(heir, item, tokens[item]) for item in range(5, 100)] == ["IN-TIME"] * 95
    assert sum(heir.execute_command("LATELY.MADD", "k", "ITEMS", *range(5, 100))) == 0
    with pytest.raises(redis.ResponseError, match="^CLAIM "):
        commit(heir, 6, tokens[7])


def test_copies_dumps_transactions_and_scripts(server, serve):
    client = reserved(server.client())
    with client.pipeline(transaction=True) as pipe:
        pipe.execute_command("LATELY.CLAIM", "k", "a")
        pipe.eval("return redis.call('LATELY.CLAIM', KEYS[1], 'b')", 1, "k")
        [[new, a], [also, b]] = pipe.execute()
    assert (new, also) == (1, 1)
    assert client.copy("k", "l") and digest(client, "k") == digest(client, "l")
    dump = server.client(decode_responses=False).dump("k")
    other = serve()
    other.client(decode_responses=False).restore("k", 0, dump)
    assert digest(other.client(), "k") == digest(client, "k")
    assert commit(other.client(), "a", a) == "IN-TIME" and commit(client, "b", b) == "IN-TIME"
    assert client.execute_command("LATELY.CLAIM", "l", "b") == [2, "0"], "a copy goes its own way"


def test_work_that_is_done_is_stored_though_memory_is_short(client):
    reserved(client)
    tokens = {item: claim(client, item)[1] for item in "ab"}
    client.config_set("maxmemory", 1)
    for words in [["LATELY.CLAIM", "k", "c"], ["LATELY.ADD", "k", "c"]]:
        with pytest.raises(redis.exceptions.OutOfMemoryError):
            client.execute_command(*words)
    assert commit(client, "a", tokens["a"]) == "IN-TIME"
    assert client.execute_command("LATELY.ABANDON", "k", "b", tokens["b"])
    assert client.execute_command("LATELY.MEXISTS", "k", "ITEMS", "a", "b", "c") == [1, 0, 0]
