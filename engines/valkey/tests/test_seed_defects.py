"""What the module that the authors of the time-limited paper wrote got wrong, each as a test."""

import pytest
import redis

from servers import digest, in_step, until


def follow(server, primary):
    server.client().replicaof("127.0.0.1", primary.port)
    until(lambda: server.client().info("replication")["master_link_status"] == "up", "the replica follows")
    return server


def test_add_returns_whether_the_item_was_new(client):
    client.execute_command("LATELY.RESERVE", "k", "WINDOW", 1000)
    assert [client.execute_command("LATELY.ADD", "k", "a") for _ in range(2)] == [1, 0]


def test_a_replica_does_not_age_items_by_its_own_clock(serve):
    """Its clock may be off; here the primary's times are of another year."""
    primary = serve()
    replica = follow(serve(), primary)
    client = primary.client()
    client.execute_command("LATELY.RESERVE", "k", "WINDOW", 60000)
    client.execute_command("LATELY.ADD", "k", "a", "AT", 1_000_000_000_000)
    client.execute_command("LATELY.ADD", "k", "b", "AT", 1_000_000_030_000)
    in_step(client, replica.client())
    assert digest(replica.client(), "k") == digest(client, "k")
    assert replica.client().execute_command("LATELY.EXISTS", "k", "a", "AT", 1_000_000_060_000) == 1


def test_loading_an_old_append_only_file_makes_nothing_fresh(serve):
    server = serve("--appendonly", "yes", "--appendfsync", "always")
    client = server.client()
    client.execute_command("LATELY.RESERVE", "k", "WINDOW", 60000)
    client.execute_command("LATELY.ADD", "k", "a", "AT", 1_000_000_000_000)
    server.restart()
    assert server.client().execute_command("LATELY.EXISTS", "k", "a") == 0, "it is many years old"
    assert server.client().execute_command("LATELY.EXISTS", "k", "a", "AT", 1_000_000_000_000) == 1


def test_exists_changes_nothing(client):
    client.execute_command("LATELY.RESERVE", "k", "WINDOW", 50)
    client.execute_command("LATELY.ADD", "k", "a")
    before = digest(client, "k")
    until(lambda: client.execute_command("LATELY.EXISTS", "k", "a") == 0, "the item leaves the window")
    assert digest(client, "k") == before


def test_many_shifts_in_one_millisecond_do_no_harm(client):
    client.execute_command("LATELY.RESERVE", "k", "WINDOW", 1, "KIND", "time-limited", "MAXBYTES", 4096)
    for start in range(0, 50_000, 5000):
        client.execute_command("LATELY.MADD", "k", "AT", 1_000_000_000_000, "ITEMS", *range(start, start + 5000))
    assert client.execute_command("LATELY.INFO", "k", "bytes") <= 4096
    assert client.execute_command("LATELY.ADD", "k", "a", "AT", 1_000_000_000_002) in (0, 1)


@pytest.mark.parametrize("kind", ["window-table", "time-limited"])
def test_memory_of_a_window_of_time_is_bounded(client, kind):
    client.execute_command("LATELY.RESERVE", "k", "WINDOW", 3_600_000, "MAXBYTES", 65536, "KIND", kind)
    for start in range(0, 100_000, 5000):
        client.execute_command("LATELY.MADD", "k", "ITEMS", *range(start, start + 5000))
    assert client.execute_command("LATELY.INFO", "k", "bytes") <= 65536
    assert client.execute_command("LATELY.INFO", "k", "reach-ms") < 3_600_000, "and it says what gave way"


def test_files_have_no_addresses_and_lose_nothing(serve):
    """The same state gives the same bytes in two processes, and a load gives the state back."""
    servers = [serve(), serve()]
    dumps = []
    for server in servers:
        client = server.client(decode_responses=False)
        client.execute_command("LATELY.RESERVE", "k", "WINDOW", 60000, "SEED", 0)
        for i in range(300):
            client.execute_command("LATELY.ADD", "k", i, "AT", 1_000_000_000_000 + i)
        dumps.append(client.dump("k"))
    assert dumps[0] == dumps[1]
    client.restore("again", 0, dumps[0])
    assert client.dump("again") == dumps[0]


def test_lengths_in_files_are_not_trusted(client):
    with pytest.raises(redis.ResponseError):
        client.restore("k", 0, b"\x07" + b"\xff" * 60)
    assert client.ping()


def test_the_memory_of_filters_is_the_servers(client):
    before = client.info("memory")["used_memory"]
    client.execute_command("LATELY.RESERVE", "k", "LAST", 4_000_000)
    assert client.info("memory")["used_memory"] - before >= client.execute_command("LATELY.INFO", "k", "bytes")


def test_an_idle_filter_gives_its_memory_back_with_the_next_items(client):
    client.execute_command("LATELY.RESERVE", "k", "WINDOW", 1000)
    at = 1_000_000_000_000
    for start in range(0, 200_000, 5000):
        client.execute_command("LATELY.MADD", "k", "AT", at, "ITEMS", *range(start, start + 5000))
    full = client.execute_command("LATELY.INFO", "k", "bytes")
    for i in range(300):
        at += 50
        client.execute_command("LATELY.ADD", "k", f"later-{i}", "AT", at)
    assert client.execute_command("LATELY.INFO", "k", "bytes") < full / 10
