"""Every command, option and error, over the wire; what the server says of the commands; who may call them."""

import pathlib

import pytest
import redis

from servers import digest, raw, requests, until

ADD, MADD, EXISTS = "LATELY.ADD", "LATELY.MADD", "LATELY.EXISTS"


def pairs(reply):
    """A map of RESP3, or the array in its place."""
    return reply if isinstance(reply, dict) else dict(zip(reply[::2], reply[1::2]))


@pytest.mark.parametrize("protocol, kind", [(2, int), (3, bool)])
def test_new_is_one_and_seen_is_nought(server, protocol, kind):
    call = server.client(protocol=protocol).execute_command
    assert call("LATELY.RESERVE", "k", "WINDOW", 60000) in ("OK", b"OK", True)
    ones = [call(ADD, "k", "a"), call(ADD, "k", "a"), call(EXISTS, "k", "a"), call(EXISTS, "k", "z"), call(EXISTS, "missing", "a")]
    assert ones == [1, 0, 1, 0, 0]
    many = call(MADD, "k", "ITEMS", "a", "b", "b", "c")
    assert many == [0, 1, 0, 1]
    assert {type(answer) for answer in [*ones, *many, call("LATELY.RESERVE", "k", "LAST", "1e3", "NX")]} == {kind}
    assert call("LATELY.MEXISTS", "k", "ITEMS", "a", "z") == [1, 0]
    binary = bytes(range(256))
    assert [call(ADD, "k", binary), call(ADD, "k", binary), call(ADD, "k", "")] == [1, 0, 1]


@pytest.mark.parametrize("words, kind", requests())
def test_every_kind_lives_through_everything(client, words, kind):
    call = client.execute_command
    call("LATELY.RESERVE", "k", *words.split())
    assert call("LATELY.INFO", "k", "kind") == kind
    items = range(300)
    call(MADD, "k", "ITEMS", *items)
    # At one moment: a window of two seconds may pass while a server is saving.
    at = ["AT", call("LATELY.INFO", "k", "clock-ms")] if "WINDOW" in words else []
    present = call("LATELY.MEXISTS", "k", *at, "ITEMS", *items)
    assert kind == "quotient" or present == [1] * 300, "what fixed memory forgets it may"
    before = digest(client, "k")
    assert client.copy("k", "copy")
    assert digest(client, "copy") == before
    call("DEBUG", "RELOAD")
    assert digest(client, "k", "copy") == before * 2
    assert call("LATELY.MEXISTS", "k", *at, "ITEMS", *items) == present
    client.unlink("k", "copy")
    # In the background, as the server likes.
    left = lambda: client.info("lately")
    until(lambda: (left()["lately_filters"], left()["lately_memory_bytes"]) == (0, 0), "all of it is freed")


def test_info_of_the_module_is_the_sum_of_its_filters(client):
    """By the names of the table of all metrics."""
    table = (pathlib.Path(__file__).parents[3] / "packaging/metrics/metrics.tsv").read_text().splitlines()[1:]
    rows = [row for row in (line.split("\t") for line in table) if "module" in row[4].split(" ")]
    for key, items in [("a", [1, 2, 2]), ("b", [3, 3, 3, 4])]:
        client.execute_command("LATELY.RESERVE", key, "WINDOW", 60000)
        client.execute_command(MADD, key, "ITEMS", *items)
    info = client.info("lately")
    assert set(info) == {row[0] for row in rows}
    of = lambda field: sum(int(client.execute_command("LATELY.INFO", key, field)) for key in "ab")
    assert (info["lately_new_total"], info["lately_duplicates_total"]) == (of("new"), of("duplicates")) == (4, 3)
    used = sum(client.execute_command("MEMORY", "USAGE", key) for key in "ab")
    assert info["lately_filters"] == 2 and abs(info["lately_memory_bytes"] - used) < 1000


@pytest.mark.parametrize("protocol", [2, 3])
def test_options(server, protocol):
    call = server.client(protocol=protocol).execute_command
    words = "WINDOW 60000 ERROR 0.01 MAXBYTES 100000 MAXSTEP 5000 FIRST SEED 18446744073709551615 SHARD 2 OF 3"
    call("LATELY.RESERVE", "k", *words.split())
    info = pairs(call("LATELY.INFO", "k"))
    assert info["request"] == words.replace("ERROR 0.01", "ERROR 0.01 KIND window-table")
    assert (info["window-ms"], info["maxstep-ms"], info["shard"], info["shards"]) == (60000, 5000, 2, 3)
    assert float(info["error"]) == 0.01 and info["seed"] == "18446744073709551615"
    plan = pairs(call("LATELY.PLAN", "LAST", 1000000))
    call("LATELY.RESERVE", "m", "LAST", 1000000)
    assert call("LATELY.INFO", "m", "bytes") == plan["bytes"]


@pytest.mark.parametrize(
    "line, part",
    [
        ("LATELY.ADD k", "wrong number of arguments"),
        ("LATELY.ADD text a", "WRONGTYPE"),
        ("LATELY.ADD k a AT 9999999999999", "MAXSTEP 86400000"),
        ("LATELY.LOADCHUNK x y 0 5 hello", "internal"),
        ("GET k", "WRONGTYPE"),
    ],
)
def test_errors_change_nothing(client, line, part):
    client.execute_command("LATELY.RESERVE", "k", "WINDOW", 60000)
    client.execute_command(ADD, "k", "z")
    client.set("text", "x")
    before, keys = digest(client, "k"), client.dbsize()
    # The client takes the code off.
    with pytest.raises(redis.ResponseError) as error:
        client.execute_command(*line.split())
    assert part in str(error.value) or part == str(type(error.value).__name__)
    assert (digest(client, "k"), client.dbsize()) == (before, keys)


def test_configuration(client):
    call = client.execute_command
    assert client.config_get("lately.*") == {
        "lately.max-bytes-per-filter": "67108864",
        "lately.default-error": "1e-6",
        "lately.auto-reserve": "",
    }
    for name, value in [("auto-reserve", "LAST"), ("default-error", "2"), ("max-bytes-per-filter", "5")]:
        with pytest.raises(redis.ResponseError):
            client.config_set("lately." + name, value)
    client.config_set("lately.auto-reserve", "WINDOW 60000 FIRST")
    client.config_set("lately.default-error", "0.02")
    client.config_set("lately.max-bytes-per-filter", "1mb")
    assert [call(ADD, "k", "a"), call(ADD, "k", "a"), call(EXISTS, "nothing", "a")] == [1, 0, 0]
    want = "WINDOW 60000 ERROR 0.02 KIND window-table MAXBYTES 1048576 MAXSTEP 86400000 FIRST SEED "
    assert call("LATELY.INFO", "k", "request").startswith(want)
    assert not client.exists("nothing")


def test_configuration_of_the_file(serve):
    server = serve("--lately.max-bytes-per-filter", "2mb", "--lately.auto-reserve", "LAST 100")
    assert server.client().config_get("lately.max*") == {"lately.max-bytes-per-filter": "2097152"}
    assert server.client().execute_command(ADD, "k", "a") == 1


def test_server_gets_the_description_of_the_commands(client):
    text = str(raw(client, "COMMAND", "DOCS", "lately.add"))
    assert "Tests and inserts an item" in text and "0.1.0" in text and "O(1)" in text and "AT" in text
    for line, key in [("LATELY.ADD k a", "k"), ("LATELY.RESERVE r LAST 5", "r"), ("LATELY.MEXISTS m ITEMS a b", "m")]:
        assert raw(client, "COMMAND", "GETKEYS", *line.split()) == [key]
    docs = pairs(pairs(raw(client, "COMMAND", "DOCS", "lately.reserve"))["LATELY.RESERVE"])
    parts = {arg["name"]: arg for arg in map(pairs, docs["arguments"])}
    assert (parts["measure"]["type"], parts["repeats"]["type"], parts["claims"]["type"]) == ("oneof", "oneof", "block")
    assert [pairs(arg)["token"] for arg in parts["repeats"]["arguments"]] == ["FIRST", "REFRESH"]
    assert [pairs(arg).get("token") for arg in parts["measure"]["arguments"]] == [None, "LAST", "CAPACITY", "MEMORY"]
    assert "LATELY.ADD key item [AT time] [OF shards] [STORE]" in client.execute_command("LATELY.HELP")
    flags = raw(client, "COMMAND", "GETKEYSANDFLAGS", "LATELY.EXISTS", "k", "a")
    assert flags == [["k", ["RO", "access"]]]
    arities = {"reserve": -4, "add": -3, "madd": -4, "exists": -3, "mexists": -4, "rem": -3, "grow": -3, "info": -2, "plan": -3, "options": 2, "help": 1}
    for command, arity in arities.items():
        assert raw(client, "COMMAND", "INFO", "lately." + command)[0][:2] == ["LATELY." + command.upper(), arity]


def test_a_client_keeps_no_answer_that_time_changes(client):
    for command in ["exists", "mexists", "info", "options"]:
        assert "dont_cache" in str(raw(client, "COMMAND", "INFO", "lately." + command))
    assert "dont_cache" not in str(raw(client, "COMMAND", "INFO", "lately.add"))


def test_an_item_that_is_refused_is_an_error_among_the_answers(client):
    client.execute_command("LATELY.RESERVE", "strict", "CAPACITY", 500, "STRICT")
    answers = client.execute_command(MADD, "strict", "ITEMS", *range(600))
    refused = [answer for answer in answers if isinstance(answer, redis.ResponseError)]
    assert refused and "overfull" in str(refused[0]) and answers.count(1) == 500


def test_seeds_are_random(client):
    for key in ["a", "b"]:
        client.execute_command("LATELY.RESERVE", key, "LAST", 100)
    seeds = [client.execute_command("LATELY.INFO", key, "seed") for key in ["a", "b"]]
    assert seeds[0] != seeds[1]


def test_users(server):
    admin = server.client()
    admin.execute_command("LATELY.RESERVE", "own:k", "LAST", 100)
    admin.execute_command("ACL", "SETUSER", "reader", "on", ">x", "%R~own:*", "+lately.exists", "+lately.info", "+lately.add")
    reader = server.client(username="reader", password="x")
    assert reader.execute_command(EXISTS, "own:k", "a") == 0
    for line in ["LATELY.ADD own:k a", "LATELY.REM own:k a", "LATELY.EXISTS other a", "LATELY.RESERVE own:j LAST 5"]:
        with pytest.raises(redis.exceptions.NoPermissionError):
            reader.execute_command(*line.split())
    if "lately" in admin.execute_command("ACL", "CAT"):
        admin.execute_command("ACL", "SETUSER", "ours", "on", ">x", "~*", "+@lately", "-@write")
        ours = server.client(username="ours", password="x")
        assert ours.execute_command(EXISTS, "own:k", "a") == 0
        for line in ["LATELY.ADD own:k a", "LATELY.REM own:k a", "GET own:k"]:
            with pytest.raises(redis.exceptions.NoPermissionError):
                ours.execute_command(*line.split())


def test_a_warning_is_in_the_log_once(server, client):
    client.execute_command("LATELY.RESERVE", "k", "WINDOW", "10m")
    client.execute_command(ADD, "k", "a", "AT", 1_700_000_000)
    client.execute_command(ADD, "k", "b", "AT", 1_700_000_000)
    assert server.text().count("write AT 1700000000s if it is in seconds") == 1


def test_overfull_filters_and_those_with_a_clock_ahead_are_counted(server, client):
    count = lambda: [client.info("lately")[f"lately_{name}_filters"] for name in ["overfull", "ahead"]]
    client.execute_command("LATELY.RESERVE", "s", "CAPACITY", 64, "REMOVABLE")
    client.execute_command("LATELY.RESERVE", "w", "WINDOW", "1h")
    client.execute_command(MADD, "s", "ITEMS", *range(64))
    client.execute_command(ADD, "w", "a")
    assert count() == [0, 0]
    client.execute_command(ADD, "s", "more")
    client.execute_command(ADD, "w", "b", "AT", client.execute_command("LATELY.INFO", "w", "clock-ms") + 600_000)
    assert count() == [1, 1]
    client.execute_command("DEBUG", "RELOAD")
    client.execute_command(ADD, "w", "c")
    client.copy("s", "t")
    # A server may free what it had before a reload in the background.
    until(lambda: count() == [2, 1], "those that were loaded, and the copy")
    client.execute_command("LATELY.REM", "t", "more")
    assert client.execute_command("LATELY.REM", "w", "a") == 1
    assert count() == [1, 1]
    client.delete("s", "t", "w")
    assert count() == [0, 0]
