"""A panic in any function that the server calls is an error of that call: the server stays, and so does what it has.

The module of these tests has the feature `faults`: it panics in the function that LATELY_FAULT names, as often as that runs."""

import os
import pathlib
import re
import time

import pytest
import redis

from servers import raw, until

SOURCES = pathlib.Path(__file__).resolve().parents[1]
BUG = "a bug in the module"


@pytest.fixture
def faulty(serve):
    """Starts a server whose module panics in the function of this name."""

    def start(name, *options, **more):
        environment = {"LATELY_FAULT": name}
        return serve(*options, module=os.environ["LATELY_FAULTY_MODULE"], environment=environment, **more)

    return start


def lives_on(server, seen="a"):
    """The server answers, its log has the panic, and an item is where it was."""
    client = server.client()
    assert server.alive() and client.ping()
    assert "the fault that LATELY_FAULT asks for" in server.text()
    if seen:
        assert client.execute_command("LATELY.EXISTS", "k", seen) == 1


def filled(server):
    client = server.client()
    client.execute_command("LATELY.RESERVE", "k", "WINDOW", 600000)
    client.execute_command("LATELY.MADD", "k", "ITEMS", *range(2000), "a")
    return client


def commands():
    """The names of the commands that a client may give."""
    table = (SOURCES / "commands" / "src" / "table.rs").read_text()
    return [name for name in re.findall(r'= "(LATELY\.[A-Z]+)"', table) if name != "LATELY.LOADCHUNK"]


@pytest.mark.parametrize("command", commands())
def test_a_command_answers_with_an_error(faulty, command):
    server = faulty(command)
    client = server.client()
    # It fails before it looks at its words: what matters is how many there are.
    fewest = abs(raw(client, "COMMAND", "INFO", command)[0][1])
    with pytest.raises(redis.ResponseError, match=BUG):
        client.execute_command(command, *["k", "a", "5"][: fewest - 1])
    lives_on(server, None)


def test_command_is_settled_once(faulty):
    server = faulty("settle")
    filled(server)
    lives_on(server)


def saved(client):
    """Whether a save in the background ends well."""
    client.bgsave()
    until(lambda: not client.info("persistence")["rdb_bgsave_in_progress"], "the save")
    return client.info("persistence")["rdb_last_bgsave_status"] == "ok"


def test_a_file_that_cannot_be_written_leaves_the_one_before(serve, faulty):
    server = faulty("nothing", "--dbfilename", "kept.rdb", "--stop-writes-on-bgsave-error", "no")
    client = filled(server)
    assert client.save() and saved(client)
    server.environment["LATELY_FAULT"] = "rdb_save"
    client = server.restart().client()
    client.execute_command("LATELY.ADD", "k", "b")
    before = (server.folder / "kept.rdb").read_bytes()
    with pytest.raises(redis.ResponseError):
        client.save()
    assert not saved(client)
    assert (server.folder / "kept.rdb").read_bytes() == before
    lives_on(server)
    # What a dump has is no filter, and no server takes it for one.
    binary = server.client(decode_responses=False)
    try:
        dump = binary.dump("k")
    except redis.ResponseError:
        dump = None
    if dump:
        with pytest.raises(redis.ResponseError, match="Bad data format"):
            serve().client(decode_responses=False).restore("k", 0, dump)
    server.environment["LATELY_FAULT"] = "nothing"
    assert server.restart().client().execute_command("LATELY.EXISTS", "k", "a") == 1


@pytest.mark.parametrize("diskless", ["yes", "no"])
def test_a_primary_that_cannot_write_its_filter_keeps_it(serve, faulty, diskless):
    primary = faulty("rdb_save", "--repl-diskless-sync", diskless)
    filled(primary)
    replica = serve("--replicaof", "127.0.0.1", str(primary.port))
    until(lambda: "could not be written" in primary.text(), "the primary tries to write")
    assert replica.client().dbsize() == 0
    lives_on(primary)


def test_an_append_only_file_that_cannot_be_rewritten_stays(faulty):
    server = faulty("aof_rewrite", "--appendonly", "yes", "--appendfsync", "always", "--aof-use-rdb-preamble", "no")
    client = filled(server)
    client.bgrewriteaof()
    until(lambda: "could not be written" in server.text(), "the server tries to write")
    until(lambda: not client.info("persistence")["aof_rewrite_in_progress"], "the rewrite")
    assert client.info("persistence")["aof_last_bgrewrite_status"] == "err"
    lives_on(server)
    assert server.restart().client().execute_command("LATELY.EXISTS", "k", "a") == 1


def test_a_filter_that_cannot_be_loaded_is_an_error(serve, faulty):
    other = serve()
    filled(other)
    dump = other.client(decode_responses=False).dump("k")
    server = faulty("rdb_load")
    filled(server)
    with pytest.raises(redis.ResponseError, match="Bad data format"):
        server.client(decode_responses=False).restore("again", 0, dump)
    lives_on(server)


def test_a_copy_a_digest_and_a_size_that_fail(faulty):
    server = faulty("copy")
    client = filled(server)
    with pytest.raises(redis.ResponseError, match="failed to copy"):
        client.copy("k", "l")
    assert client.exists("l") == 0
    lives_on(server)
    server = faulty("digest")
    assert len(filled(server).execute_command("DEBUG", "DIGEST-VALUE", "k")[0]) == 40
    lives_on(server)
    server = faulty("mem_usage")
    assert filled(server).memory_usage("k") < 1000
    lives_on(server)


@pytest.mark.parametrize("door", ["free", "free_effort"])
def test_a_filter_that_is_not_freed_is_gone_all_the_same(faulty, door):
    server = faulty(door)
    client = filled(server)
    client.execute_command("LATELY.RESERVE", "l", "WINDOW", 600000)
    assert client.unlink("k") == 1 and client.delete("l") == 1
    time.sleep(0.2)
    assert client.exists("k", "l") == 0
    client.flushall()
    lives_on(server, None)


@pytest.mark.parametrize("door", ["get_text", "get_max_bytes", "set_text", "set_max_bytes", "info"])
def test_a_setting_or_a_section_that_fails(faulty, door):
    options = ["--lately.auto-reserve", "LAST 9"] if door.startswith("get") else []
    if door.startswith("set"):
        # The server sets every setting while it starts: an error there, and it does not start.
        with pytest.raises(RuntimeError, match="the server ended"):
            faulty(door)
        return
    server = faulty(door, *options)
    client = filled(server)
    if door == "info":
        assert "lately_filters" not in raw(client, "INFO", "lately")
    else:
        raw(client, "CONFIG", "GET", "lately.*")
    lives_on(server)


def test_a_module_that_cannot_start_is_refused(faulty):
    with pytest.raises(RuntimeError, match="the server ended"):
        faulty("on_load")


def test_every_guard_has_its_test():
    """The names in the sources, except that of the line of the log, are those of these tests."""
    text = "".join(path.read_text() for path in (SOURCES / "module" / "src").glob("*.rs"))
    names = set(re.findall(r'(?:guarded|written)\("([a-z_]+)"', text)) - {"log"}
    here = pathlib.Path(__file__).read_text()
    assert len(names) > 14 and all(f'"{name}"' in here for name in names), names
    assert "abort(" not in text and "_exit(" not in text
