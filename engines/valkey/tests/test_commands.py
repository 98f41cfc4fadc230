"""Every command, option and error, over the wire; what the server says of the commands; who may call them."""

import pathlib

import pytest
import redis

from servers import digest, raw, requests, until

ADD, MADD, EXISTS = "LATELY.ADD", "LATELY.MADD", "LATELY.EXISTS"


def pairs(reply):
    """A map of RESP3, or the array in its place."""
    return reply if isinstance(reply, dict) else dict(zip(reply[::2], reply[1::2]))


@pytest.fixture(params=[2, 3], ids=["resp2", "resp3"])
def spoken(server, request):
    return server.client(protocol=request.param)


def test_new_is_one_and_seen_is_nought(spoken):
    call = spoken.execute_command
    assert call("LATELY.RESERVE", "k", "WINDOW", 60000) in ("OK", b"OK", True)
    assert [call(ADD, "k", "a"), call(ADD, "k", "a")] == [1, 0]
    assert call(MADD, "k", "ITEMS", "a", "b", "b", "c") == [0, 1, 0, 1]
    assert [call(EXISTS, "k", "a"), call(EXISTS, "k", "z"), call(EXISTS, "missing", "a")] == [1, 0, 0]
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


def test_options(spoken):
    call = spoken.execute_command
    words = "WINDOW 60000 ERROR 0.01 MAXBYTES 100000 MAXSTEP 5000 FIRST SEED 18446744073709551615 SHARD 2 OF 3"
    call("LATELY.RESERVE", "k", *words.split())
    info = pairs(call("LATELY.INFO", "k"))
    assert info["request"] == words.replace("ERROR 0.01", "ERROR 0.01 KIND window-table")
    assert (info["window-ms"], info["maxstep-ms"], info["shard"], info["shards"]) == (60000, 5000, 2, 3)
    assert float(info["error"]) == 0.01 and info["seed"] == "18446744073709551615"
    assert call("LATELY.RESERVE", "k", "LAST", 5, "NX") == 0
    assert call("LATELY.RESERVE", "other", "LAST", 5, "NX") == 1
    assert call(ADD, "k", "a", "OF", 3) == 1
    assert call(ADD, "k", "a", "AT", 10**12) == 0, "late items are judged at the clock"
    plan = pairs(call("LATELY.PLAN", "LAST", 1000000))
    call("LATELY.RESERVE", "m", "LAST", 1000000)
    assert call("LATELY.INFO", "m", "bytes") == plan["bytes"]
    call("LATELY.RESERVE", "set", "CAPACITY", 100, "REMOVABLE")
    call(ADD, "set", "a")
    assert [call("LATELY.REM", "set", "a"), call("LATELY.REM", "set", "a"), call(EXISTS, "set", "a")] == [1, 0, 0]
    for key in ["k", "m"]:
        call(ADD, key, "gone")
        assert [call("LATELY.REM", key, "gone"), call("LATELY.REM", key, "gone"), call(EXISTS, key, "gone")] == [1, 0, 0]
        assert call(ADD, key, "gone") == 1, "it is new again"


@pytest.mark.parametrize(
    "line, part",
    [
        ("LATELY.ADD k", "wrong number of arguments"),
        ("LATELY.MADD k a b", "syntax error"),
        ("LATELY.ADD missing a", "no such key"),
        ("LATELY.ADD text a", "WRONGTYPE"),
        ("LATELY.RESERVE k LAST 5", "exists already"),
        ("LATELY.RESERVE text LAST 5", "WRONGTYPE"),
        ("LATELY.RESERVE x LAST 99999999999999999999", "must be 1 to"),
        ("LATELY.RESERVE x LAST 1099511627776", "MAXBYTES is"),
        ("LATELY.RESERVE x CAPACITY 1099511627776 ERROR 1e-9", "MAXBYTES is"),
        ("LATELY.RESERVE x MEMORY 1099511627776", "MAXBYTES is"),
        ("LATELY.RESERVE x WINDOW 1 MAXBYTES 1099511627776", "lately.max-bytes-per-filter"),
        ("LATELY.RESERVE x WINDOW 1 ERROR 2", "ERROR '2': must be"),
        ("LATELY.RESERVE x WINDOW 1 KEYED", "unexpected 'KEYED'"),
        ("LATELY.ADD k a AT 9999999999999", "MAXSTEP 86400000"),
        ("LATELY.ADD k a OF 5", "no shard"),
        ("LATELY.REM c a", "LATELY.REM: needs a window-table, or a set with REMOVABLE"),
        ("LATELY.REM k a OF 5", "no shard"),
        ("LATELY.INFO k banana", "must be one of request"),
        ("LATELY.LOADCHUNK x y 0 5 hello", "internal"),
        ("GET k", "WRONGTYPE"),
    ],
)
def test_errors_change_nothing(client, line, part):
    client.execute_command("LATELY.RESERVE", "k", "WINDOW", 60000)
    client.execute_command(ADD, "k", "z")
    client.execute_command("LATELY.RESERVE", "c", "CAPACITY", 100)
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


def test_refused_command_leaves_no_key(client):
    client.config_set("lately.auto-reserve", "LAST 100")
    for line in ["LATELY.ADD new a AT 5", "LATELY.ADD new a OF 3", "LATELY.MADD new OF 3 ITEMS a"]:
        with pytest.raises(redis.ResponseError):
            client.execute_command(*line.split())
        assert client.dbsize() == 0


@pytest.mark.parametrize(
    "line, changes",
    [
        ("LATELY.ADD k a AT 5", False),
        ("LATELY.ADD k a OF 3", False),
        ("LATELY.REM k z", False),
        ("LATELY.GROW k 4", False),
        ("LATELY.RESERVE k LAST 5 NX", False),
        ("LATELY.EXISTS k a", False),
        ("LATELY.ADD k a", True),
        ("LATELY.REM k z", False),
        ("LATELY.REM k there", True),
        ("LATELY.RESERVE other LAST 5", True),
    ],
)
def test_watcher_of_a_key_is_woken_by_changes_alone(server, client, line, changes):
    client.execute_command("LATELY.RESERVE", "k", "CAPACITY", 100, "REMOVABLE")
    client.execute_command(ADD, "k", "there")
    with client.pipeline() as pipe:
        pipe.watch("k", "other")
        try:
            server.client().execute_command(*line.split())
        except redis.ResponseError:
            assert not changes
        pipe.multi()
        pipe.ping()
        if changes:
            with pytest.raises(redis.WatchError):
                pipe.execute()
        else:
            assert pipe.execute() == [True]


def test_set_past_its_capacity_warns(server, client):
    client.execute_command("LATELY.RESERVE", "k", "CAPACITY", 500)
    client.execute_command("LATELY.RESERVE", "strict", "CAPACITY", 500, "STRICT")
    client.execute_command(MADD, "k", "ITEMS", *range(400))
    assert client.execute_command("LATELY.INFO", "k", "overfull") == 0
    for start in range(400, 5000, 100):
        client.execute_command(MADD, "k", "ITEMS", *range(start, start + 100))
    assert client.execute_command("LATELY.INFO", "k", "overfull") == 1
    log = (server.folder / "log").read_text(errors="replace")
    assert log.count("has more items than its CAPACITY") == 1
    answers = client.execute_command(MADD, "strict", "ITEMS", *range(600))
    refused = [answer for answer in answers if isinstance(answer, redis.ResponseError)]
    assert refused and "overfull" in str(refused[0]) and answers.count(1) == 500
    with pytest.raises(redis.ResponseError, match="overfull"):
        client.execute_command(ADD, "strict", "another")
    assert client.execute_command("LATELY.INFO", "strict", "overfull") == 0


def test_seeds_are_random(client):
    for key in ["a", "b"]:
        client.execute_command("LATELY.RESERVE", key, "LAST", 100)
    seeds = [client.execute_command("LATELY.INFO", key, "seed") for key in ["a", "b"]]
    assert seeds[0] != seeds[1]
    before = digest(client, "a", "b")
    client.execute_command("DEBUG", "RELOAD")
    assert digest(client, "a", "b") == before


def test_a_shard_that_has_grown_takes_no_more_items(client):
    client.execute_command("LATELY.RESERVE", "k", "LAST", 100, "SHARD", 0, "OF", 2)
    client.execute_command(ADD, "k", "a", "OF", 2)
    client.execute_command("LATELY.GROW", "k", 4)
    assert client.copy("k", "copy")
    for key in ["k", "copy"]:
        for line in [f"LATELY.ADD {key} b", f"LATELY.ADD {key} a OF 2", f"LATELY.MADD {key} OF 2 ITEMS a b"]:
            with pytest.raises(redis.ResponseError, match="^GROWN 4 "):
                client.execute_command(*line.split())
    client.execute_command("DEBUG", "RELOAD")
    assert client.execute_command("LATELY.INFO", "copy", "grown") == 4
    assert client.execute_command(EXISTS, "k", "a", "OF", 2) == 1


def test_a_quiet_weekend_and_a_date_far_ahead(client):
    now = lambda: int(client.time()[0]) * 1000
    client.execute_command("LATELY.RESERVE", "k", "WINDOW", 60000)
    with pytest.raises(redis.ResponseError, match="MAXSTEP 86400000"):
        client.execute_command(ADD, "k", "a", "AT", now() + 2 * 86_400_000)
    assert client.execute_command(ADD, "k", "a", "AT", now() - 3 * 86_400_000) == 1
    assert client.execute_command(ADD, "k", "a", "AT", now()) == 1
    assert client.execute_command(ADD, "k", "a", "AT", now()) == 0


def test_items_out_of_order(client):
    call = client.execute_command
    call("LATELY.RESERVE", "k", "WINDOW", 60000, "LATENESS", 40000)
    now = int(client.time()[0]) * 1000 + 500
    assert [call(ADD, "k", "a", "AT", now - 95_000), call(ADD, "k", "b", "AT", now)] == [1, 1]
    assert call(EXISTS, "k", "a") == 0, "too old for the clock"
    assert call(ADD, "k", "a", "AT", now - 40_000) == 0, "and within the window of the late item"
    info = pairs(call("LATELY.INFO", "k"))
    assert (info["lateness-ms"], info["late"], info["max-lateness-ms"]) == (40000, 0, 40000)
    before = digest(client, "k")
    assert client.copy("k", "copy")
    client.execute_command("DEBUG", "RELOAD")
    assert digest(client, "k", "copy") == before * 2
    assert call(ADD, "copy", "a", "AT", now - 30_000) == 0
    with pytest.raises(redis.ResponseError, match="LATENESS 9: must be 0 to 3"):
        call("LATELY.RESERVE", "x", "WINDOW", 1, "LATENESS", 9)
    with pytest.raises(redis.ResponseError, match="MAXSTEP 86400000"):
        call(ADD, "k", "z", "AT", now + 2 * 86_400_000)
    info = pairs(call("LATELY.INFO", "k"))
    assert (info["refused"], info["last-refused-ms"]) == (1, now + 2 * 86_400_000)
    assert "LATENESS" in str(raw(client, "COMMAND", "DOCS", "lately.reserve"))


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


def test_events(server):
    client = server.client()
    client.config_set("notify-keyspace-events", "KEAd")
    listener = server.client().pubsub()
    listener.psubscribe("__keyevent@0__:lately.*")
    listener.get_message(timeout=5)
    client.execute_command("LATELY.RESERVE", "k", "LAST", 5)
    client.execute_command(ADD, "k", "a")
    client.execute_command(EXISTS, "k", "a")
    heard = [listener.get_message(timeout=5)["channel"] for _ in range(2)]
    assert heard == ["__keyevent@0__:lately.reserve", "__keyevent@0__:lately.add"]


def test_transactions_scripts_and_pipelines(client):
    client.execute_command("LATELY.RESERVE", "k", "WINDOW", 60000, "FIRST")
    with client.pipeline(transaction=True) as pipe:
        for item in ["a", "a", "b"]:
            pipe.execute_command(ADD, "k", item)
        assert pipe.execute() == [1, 0, 1]
    script = "return {redis.call('LATELY.ADD', KEYS[1], ARGV[1]), redis.call('LATELY.ADD', KEYS[1], ARGV[1])}"
    assert client.eval(script, 1, "k", "c") == [1, 0]
    with client.pipeline(transaction=False) as pipe:
        for i in range(10_000):
            pipe.execute_command(ADD, "k", i % 5000)
        replies = pipe.execute()
    assert sum(replies[5000:]) == 0 and sum(replies[:5000]) >= 4950


def test_ttl_and_expiry_drop_the_whole_filter(client):
    client.execute_command("LATELY.RESERVE", "k", "LAST", 5)
    client.pexpire("k", 1)
    until(lambda: not client.exists("k"), "the key expires")
    assert client.info("lately")["lately_filters"] == 0


@pytest.mark.parametrize("protocol, kind", [(2, int), (3, bool)])
def test_answers_are_booleans_in_resp3(server, protocol, kind):
    client = server.client(protocol=protocol)
    assert type(client.execute_command("LATELY.RESERVE", "k", "LAST", "1e3", "NX")) is kind
    assert type(client.execute_command(ADD, "k", "a")) is kind
    assert [type(answer) for answer in client.execute_command(MADD, "k", "ITEMS", "a", "b")] == [kind, kind]
    assert type(client.execute_command(EXISTS, "k", "a")) is kind


def test_numbers_have_units_and_options_are_shown(server, client):
    words = "WINDOW 10m LATENESS 30s MAXBYTES 1mb CAPACITY 1e4".split()
    client.execute_command("LATELY.RESERVE", "k", *words)
    options = pairs(client.execute_command("LATELY.OPTIONS", "k"))
    assert (options["WINDOW"], options["LATENESS"], options["MAXBYTES"], options["CAPACITY"]) == (600_000, 30_000, 1 << 20, 10_000)
    info = pairs(client.execute_command("LATELY.INFO", "k"))
    assert (info["window-ms"], info["lateness-ms"], info["maxbytes"]) == (600_000, 30_000, 1 << 20)
    with pytest.raises(redis.ResponseError, match="with WINDOW 600000, and not WINDOW 600;"):
        client.execute_command("LATELY.RESERVE", "k", "WINDOW", 600, *words[2:])
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
    assert count() == [2, 1]
    client.execute_command("LATELY.REM", "t", "more")
    assert client.execute_command("LATELY.REM", "w", "a") == 1
    assert count() == [1, 1]
    client.delete("s", "t", "w")
    assert count() == [0, 0]
