"""Hostile RESTOREs: whatever the bytes, an error or a filter that works; the server lives, and no filter passes the limit."""

import random

import pytest
import redis

import dumps
from servers import digest, requests

REQUESTS = [words for words, _ in requests()]
BOUNDED = "WINDOW 60000 MAXBYTES 65536"


@pytest.fixture
def binary(server):
    server.client().config_set("rdbcompression", "no")
    return server.client(decode_responses=False)


def made(client, request):
    client.delete("k")
    client.execute_command("LATELY.RESERVE", "k", *request.split())
    client.execute_command("LATELY.MADD", "k", "ITEMS", *range(400))
    return client.dump("k")


def changed(dump, rng):
    """A dump that differs, with the checksums that it should have, except some."""
    head, (request, snapshot), version = dumps.apart(dump)
    snapshot = bytearray(snapshot)
    sort = rng.randrange(8)
    for _ in range(rng.randint(1, 4)):
        at = rng.randrange(min(len(snapshot), 320) if sort < 4 else len(snapshot))
        snapshot[at] = rng.choice([0, 1, 0x7F, 0x80, 0xFF, rng.randrange(256)])
    if sort == 5:
        snapshot = snapshot[: rng.randrange(8, len(snapshot))]
    if sort == 6:
        words = request.split()
        words[rng.randrange(len(words))] = rng.choice([b"0", b"1", b"99999999999", b"SEED", b"\xff", b"window"])
        request = b" ".join(words)
    strings = [request, dumps.sealed(bytes(snapshot)) if sort != 7 else bytes(snapshot)]
    if rng.randrange(50) == 0:
        strings = rng.choice([[], strings[:1], strings[::-1], strings * 2])
    whole = dumps.together(head, strings, version)
    if rng.randrange(20) == 0:
        whole = bytearray(whole)
        whole[rng.randrange(len(whole) - 8)] ^= 1 << rng.randrange(8)
        whole = bytes(whole[:-8]) + dumps.crc64(whole[:-8]).to_bytes(8, "little")
    return whole


def use(client):
    """What becomes of a filter later."""
    for words in ["LATELY.ADD k a", "LATELY.MADD k ITEMS b c d", "LATELY.EXISTS k a", "LATELY.INFO k", "LATELY.REM k a"]:
        try:
            client.execute_command(*words.split())
        except redis.ResponseError:
            pass
    client.copy("k", "copy", replace=True)
    # What was accepted once is accepted again: else the server could not start from its own file.
    client.restore("again", 0, client.dump("k"), replace=True)
    assert digest(client, "again") == digest(client, "k")
    assert len(digest(client, "k", "copy")[0]) == 40
    client.dump("k")
    assert client.execute_command("MEMORY", "USAGE", "k") < 2 * (64 << 20)


def test_mutated_dumps(server, binary, long):
    rng = random.Random(19)
    per_request = (100_000 if long else 1_200) // len(REQUESTS)
    loaded = refused = 0
    for request in REQUESTS:
        dump = made(binary, request)
        for _ in range(per_request):
            try:
                binary.restore("k", 0, changed(dump, rng), replace=True)
                loaded += 1
            except redis.ResponseError as error:
                assert "Bad data format" in str(error) or "DUMP payload" in str(error), error
                refused += 1
                continue
            if binary.exists("k"):
                use(binary)
    assert server.alive() and loaded > per_request / 10 and refused > per_request, (loaded, refused)
    # What is left loads from a file too.
    binary.execute_command("DEBUG", "RELOAD")
    assert binary.info("memory")["used_memory_peak"] < 400 << 20


def test_dump_round_trips_and_names_its_version(binary):
    dump = made(binary, BOUNDED)
    before = digest(binary, "k")
    head, (request, snapshot), version = dumps.apart(dump)
    assert request.startswith(b"WINDOW 60000 ERROR 1e-6 KIND ") and snapshot.startswith(b"\x89LTLY\r\n\x1a")
    assert dumps.together(head, [request, dumps.sealed(snapshot)], version) == dump
    binary.restore("k", 0, dump, replace=True)
    assert digest(binary, "k") == before


def test_a_user_restores_no_more_than_the_configuration_allows(server, binary):
    server.client().config_set("lately.max-bytes-per-filter", "64mb")
    dump = made(binary, "WINDOW 60000 MAXBYTES 2000000")
    server.client().config_set("lately.max-bytes-per-filter", "1mb")
    with pytest.raises(redis.ResponseError):
        binary.restore("other", 0, dump)
    binary.execute_command("DEBUG", "RELOAD")
    assert binary.exists("k"), "what the server itself saved was judged before"
