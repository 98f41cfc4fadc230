"""What a filter takes: every byte is the server's, and MEMORY USAGE and INFO say how many."""

import pathlib
import re
import resource

import pytest
import redis

from servers import until


def taken(client, key):
    """The bytes that the server gets back for a filter. It is asked on a new connection: the buffers of one that sent many items
    shrink at any moment."""
    client.config_set("lazyfree-lazy-user-del", "no")
    client.connection_pool.disconnect()
    until(lambda: client.info("clients")["connected_clients"] == 1, "the old connection is gone")
    used = lambda: client.info("memory")["used_memory"]
    before = used()
    client.delete(key)
    return before - used()


@pytest.mark.parametrize("words", ["WINDOW 600000", "LAST 1000000", "CAPACITY 1000000 REMOVABLE", "MEMORY 2000000"])
def test_memory_usage_is_right(client, words):
    client.execute_command("LATELY.RESERVE", "k", *words.split())
    for start in range(0, 300_000, 5000):
        client.execute_command("LATELY.MADD", "k", "ITEMS", *range(start, start + 5000))
    said = client.execute_command("MEMORY", "USAGE", "k")
    counted = client.info("lately")["lately_memory_bytes"]
    freed = taken(client, "k")
    assert abs(said - freed) <= 0.02 * freed, (said, freed)
    assert abs(counted - said) < 1000 and client.info("lately")["lately_memory_bytes"] == 0


@pytest.mark.parametrize("memory", [100_000, 300_000, 1 << 20, 5 << 18, 8 << 20, 10_000_000, 50_000_000, 64 << 20])
def test_a_filter_takes_no_more_than_its_memory(client, memory):
    """An allocator may have no such size, and the next one is up to a quarter larger; so may be room to align."""
    client.execute_command("LATELY.RESERVE", "k", "MEMORY", memory)
    client.execute_command("LATELY.ADD", "k", "a")
    options = client.execute_command("LATELY.OPTIONS", "k")
    named = dict(zip(options[::2], options[1::2]))["MEMORY"]
    assert 0.8 * memory < named <= memory
    assert taken(client, "k") <= min(1.02 * memory, 1.02 * named + 3000)


@pytest.mark.parametrize("words", ["LAST 1000000", "LAST 20000000", "WINDOW 600000 CAPACITY 20000000"])
def test_a_window_takes_the_bytes_that_it_names(client, words):
    """Of the server's memory, whatever the table's pieces are: each of 2 MiB took 4 of it once."""
    client.config_set("lately.max-bytes-per-filter", 1 << 30)
    client.execute_command("LATELY.RESERVE", "k", *words.split())
    named = client.execute_command("LATELY.INFO", "k", "bytes")
    freed = taken(client, "k")
    assert 0.99 * named <= freed <= 1.02 * named, (named, freed)


def test_a_small_filter_has_no_room_for_more_tables(client):
    """Most of it is what every filter has, in one piece each: 4,800 bytes where the list of its tables had room for four."""
    client.execute_command("LATELY.RESERVE", "k", "WINDOW", 3_600_000)
    client.execute_command("LATELY.MADD", "k", "ITEMS", "a", "b", "c")
    assert client.execute_command("MEMORY", "USAGE", "k") < 2500


def limited(server, more):
    """The process may take `more` bytes of addresses and no more than that."""
    pages = int(pathlib.Path(f"/proc/{server.process.pid}/statm").read_text().split()[0])
    most = pages * resource.getpagesize() + more
    resource.prlimit(server.process.pid, resource.RLIMIT_AS, (most, resource.RLIM_INFINITY))


def test_a_filter_is_saved_without_memory_for_it(server, client):
    """A snapshot goes out in pieces: a server that is out of memory still writes its file, and does not end."""
    client.config_set("save", "")
    client.execute_command("LATELY.RESERVE", "k", "MEMORY", 64 << 20)
    client.execute_command("LATELY.MADD", "k", "ITEMS", *range(1000))
    before = client.execute_command("DEBUG", "DIGEST-VALUE", "k")
    limited(server, 24 << 20)
    client.save()
    client.bgsave()
    until(lambda: not client.info("persistence")["rdb_bgsave_in_progress"], "the file is written")
    assert client.info("persistence")["rdb_last_bgsave_status"] == "ok"
    server.kill()
    server.start("--dbfilename", "dump.rdb")
    assert server.client().execute_command("DEBUG", "DIGEST-VALUE", "k") == before


def test_unlink_frees_in_the_background(client):
    client.execute_command("LATELY.RESERVE", "k", "LAST", 1_000_000)
    client.unlink("k")
    # The server counts an object once the module has freed it.
    until(lambda: client.info("memory")["lazyfreed_objects"] == 1, "freed in the background")
    assert client.info("lately")["lately_memory_bytes"] == 0


def test_no_command_waits_for_a_large_page(server, client):
    """One of 2 MiB takes milliseconds when it is first touched, and when it is written after a fork."""
    client.execute_command("LATELY.RESERVE", "k", "WINDOW", 3600000, "CAPACITY", 10_000_000)
    client.execute_command("LATELY.MADD", "k", "ITEMS", *range(5000))
    maps = pathlib.Path(f"/proc/{server.process.pid}/smaps").read_text()
    assert client.execute_command("LATELY.INFO", "k", "bytes") > 20_000_000
    assert sum(map(int, re.findall(r"^Rss: +(\d+) kB", maps, re.M))) > 20_000, "the filter is in them"
    assert not re.findall(r"^VmFlags:.* hg\b", maps, re.M)


def test_a_filter_never_passes_its_limit(client):
    client.execute_command("LATELY.RESERVE", "k", "WINDOW", 3600000, "MAXBYTES", 200000)
    for start in range(0, 400_000, 5000):
        client.execute_command("LATELY.MADD", "k", "ITEMS", *range(start, start + 5000))
    assert client.execute_command("LATELY.INFO", "k", "bytes") <= 200000
    assert client.execute_command("LATELY.INFO", "k", "reach-ms") < 3600000
    assert client.execute_command("MEMORY", "USAGE", "k") < 2 * 200000 + 70_000


def test_maxmemory_sees_the_filters(client):
    client.config_set("maxmemory", client.info("memory")["used_memory"] + 1_000_000)
    client.execute_command("LATELY.RESERVE", "k", "WINDOW", 3600000)
    with pytest.raises(redis.exceptions.OutOfMemoryError):
        for start in range(0, 3_000_000, 5000):
            client.execute_command("LATELY.MADD", "k", "ITEMS", *range(start, start + 5000))
    assert client.execute_command("LATELY.EXISTS", "k", 1) == 1


def test_eviction_drops_a_whole_filter(client):
    client.execute_command("LATELY.RESERVE", "k", "WINDOW", 60000)
    client.execute_command("LATELY.ADD", "k", "a")
    client.config_set("maxmemory-policy", "allkeys-lru")
    client.config_set("maxmemory", 1)
    with pytest.raises(redis.exceptions.OutOfMemoryError):
        client.set("text", "x")
    assert client.exists("k") == 0 and client.info("lately")["lately_filters"] == 0


def test_a_month_of_sparse_traffic_takes_constant_bytes(client, long):
    """Filters that each see one key an hour, a new one each time: after 30 days they take what they took after the first."""
    filters, hour, began = (10_000 if long else 100), 3_600_000, 1_700_000_000_000
    names = [f"sparse:{i}" for i in range(filters)]
    after_a_day = 0
    for name in names:
        client.execute_command("LATELY.RESERVE", name, "WINDOW", hour, "MAXSTEP", "1d")
    for i in range(30 * 24):
        with client.pipeline(transaction=False) as pipe:
            for j, name in enumerate(names):
                pipe.execute_command("LATELY.ADD", name, f"{i}:{j}", "AT", began + i * hour + j)
            assert all(pipe.execute())
        if i == 23:
            after_a_day = client.info("lately")["lately_memory_bytes"]
    assert client.info("lately")["lately_memory_bytes"] == after_a_day > 0
