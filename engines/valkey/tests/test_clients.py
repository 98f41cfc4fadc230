"""The clients in Python and C++: the vectors of the shard function, a filter that grows from 2 shards to 3 under them, and claims.
And the recipes of clients/README.md: they add and claim on the shards of the client in Python.

The build has made those whose tools are there. With LATELY_REQUIRE_ALL a language that is missing is an error; without, its
tests are not collected.
"""

import functools
import os
import pathlib
import re
import subprocess
import sys

import pytest
import redis

from calls import PythonCalls
from conftest import offered as offered_servers
from servers import Server
from test_cluster import form

CLIENTS = pathlib.Path(__file__).resolve().parent.parent / "clients"
sys.path.insert(0, str(CLIENTS / "python"))
from lately_claims import Claim
from lately_shards import shard_of

ROOM = pathlib.Path(os.environ["LATELY_MODULE"]).resolve().parent / "clients"
JARS = ROOM / "java" / "target"
JAR = JARS / "recipe-0.1.0.jar"

# A program of a second needs no second compiler.
JAVA = ["java", "-XX:TieredStopAtLevel=1", "-cp", f"{JAR}:{JARS}/dependency/*"]
# What is there if the language is, and how to call it.
PROGRAMS = {
    "python": (CLIENTS / "python" / "__main__.py", [sys.executable, CLIENTS / "python"]),
    "cpp": (ROOM / "cpp", [ROOM / "cpp"]),
}
RECIPES = {
    "go": (ROOM / "go" / "recipe", [ROOM / "go" / "recipe"]),
    "rust": (ROOM / "rust" / "target" / "debug" / "recipe", [ROOM / "rust" / "target" / "debug" / "recipe"]),
    "java": (JAR, [*JAVA, "Main"]),
}
# The shards, and their claims.
LIBRARIES = {
    "python": ["lately_shards.py", "lately_claims.py"],
    "cpp": ["lately_shards.hpp", "lately_claims.hpp"],
}
MOST_LINES = 95


def offered(programs):
    there = [language for language, (file, _) in programs.items() if file.exists()]
    if os.environ.get("LATELY_REQUIRE_ALL") and there != list(programs):
        raise pytest.UsageError(f"clients: {there} of {list(programs)}")
    return there


@pytest.fixture(params=offered(PROGRAMS))
def language(request):
    return request.param


def start(language, *words, text=""):
    """The client as a command."""
    command = [str(word) for word in [*PROGRAMS[language][1], *words]]
    return subprocess.run(command, input=text, capture_output=True, text=True, timeout=300)


@functools.cache
def caller(language):
    """That in Python takes half a second to start, and does so once for all calls."""
    return PythonCalls(PROGRAMS["python"][0]) if language == "python" else functools.partial(start, language)


def call(language, *words, items=()):
    return caller(language)(*words, text="".join(f"{item}\n" for item in items))


def run(language, *words, items=()):
    done = call(language, *words, items=items)
    assert done.returncode == 0, done.stdout[-2000:] + done.stderr[-2000:]
    return done.stdout


def test_the_vectors(language):
    vectors = (CLIENTS / "shards.txt").read_text()
    assert len(vectors.splitlines()) > 40
    assert start(language, "check", text=vectors).returncode == 0
    assert start(language, "check", text=vectors.replace("16384 ", "16383 ")).returncode != 0


@pytest.mark.parametrize("file", [f"{language}/{name}" for language, names in LIBRARIES.items() for name in names])
def test_a_client_is_short(file):
    """Lines that say something: neither blank nor a comment, an import or a lone bracket."""
    text = (CLIENTS / file).read_text()
    text = re.sub(r'/\*.*?\*/|""".*?"""|^import \(.*?^\)', "", text, flags=re.S | re.M)
    nothing = re.compile(r"\s*(//|#|import |use |using |package |\W*$)")
    assert sum(not nothing.match(line) for line in text.splitlines()) <= MOST_LINES


def teller(language, address, name):
    """Calls of a client for one filter, answered in words; those that are numbers as such."""

    def tell(verb, *words, items=()):
        return [int(word) if word.isdigit() else word for word in run(language, address, verb, name, *words, items=items).split()]

    return tell


def grows(language, address, name):
    tell = teller(language, address, name)
    first, second = [f"a{i}" for i in range(300)], [f"b{i}" for i in range(300)]
    tell("reserve", 2, "WINDOW", 600000, "ERROR", "1e-6")
    assert tell("add", 2, items=first + first[:5]) == [1] * 300 + [0] * 5
    tell("grow", 2, 3)
    assert tell("add", 3, 2, items=first) == [0] * 300, "what the old shards know is not new"
    assert tell("add", 3, 2, items=second) == [1] * 300
    tell("drop", 2)
    assert tell("add", 3, items=second + ["c"]) == [0] * 300 + [1]


def follows(language, address, server, name):
    """Clients that still have the old number: where one gets 1, the others get 0."""
    tell = teller(language, address, name)
    items = [[f"{letter}{i}" for i in range(200)] for letter in "abcde"]
    tell("reserve", 2, "WINDOW", 600000, "ERROR", "1e-6")
    assert tell("add", 2, items=items[0]) == [1] * 200
    tell("grow", 2, 4)
    assert tell("add", 2, items=items[0]) == [0] * 200, "the old shards know it"
    assert tell("add", 2, items=items[1]) == [1] * 200
    assert tell("add", 4, 2, items=items[1]) == [0] * 200, "what one with the old number added, one with the new sees"
    assert tell("add", 4, 2, items=items[2]) == [1] * 200
    assert tell("add", 2, items=items[2]) == [0] * 200
    # One that ended in the middle of growing: a shard takes items, the other does not. Nothing is judged by halves.
    for i in range(8):
        server.execute_command("LATELY.RESERVE", f"{name}:8:{i}", "WINDOW", 600000, "ERROR", "1e-6", "SHARD", i, "OF", 8)
    server.execute_command("LATELY.GROW", f"{name}:4:1", 8)
    assert tell("add", 2, items=items[3]) == [1] * 200, "over two growths"
    assert tell("add", 8, 4, items=items[3]) == [0] * 200
    assert tell("add", 2, items=[*items[4], *items[3], *items[0]]) == [1] * 200 + [0] * 400
    assert all(server.execute_command("LATELY.INFO", f"{name}:4:{i}", "grown") == 8 for i in range(4))


def test_a_client_with_an_old_number_follows(language, server):
    follows(language, f"redis://127.0.0.1:{server.port}", server.client(), "seen")


LEASED = ["WINDOW", 600000, "ERROR", "1e-6", "LEASE", 600000, "MAXCLAIMS", 901]


def claims(language, address, server, name):
    """Each item is stored by its commit, and new again if it was given up; filters grow while claims are open."""

    tell = teller(language, address, name)

    def at(shards, item):
        return f"{name}:{shards}:{shard_of(item.encode(), shards)}"

    first, second = [f"a{i}" for i in range(20)], [f"b{i}" for i in range(20)]
    tell("reserve", 2, *LEASED)
    assert tell("abandon", 2, items=first * 2) == [1] * 40, "what was given up is new"
    assert tell("commit", 2, items=first) == [1, "IN-TIME"] * 20
    assert tell("commit", 2, items=first) == tell("abandon", 2, items=first) == [0] * 20
    assert tell("add", 2, items=first) == [0] * 20
    # Another is at work on these, and the filter grows.
    tokens = {item: server.execute_command("LATELY.CLAIM", at(2, item), item)[1] for item in second}
    assert tell("commit", 2, items=second) == [2] * 20
    tell("grow", 2, 3)
    for words in [[3, 2], [2]]:
        assert tell("commit", *words, items=second) == [2] * 20, "claimed in an old shard"
        assert tell("commit", *words, items=first) == [0] * 20, "stored in an old shard"
    for item in second[:10]:
        assert server.execute_command("LATELY.COMMIT", at(2, item), item, tokens[item]) == "IN-TIME"
    for item in second[10:]:
        server.execute_command("LATELY.ABANDON", at(2, item), item, tokens[item])
    assert tell("abandon", 2, items=second) == [0] * 10 + [1] * 10, "given up in the old, and new in the new"
    assert tell("commit", 3, 2, items=second) == [0] * 10 + [1, "IN-TIME"] * 10
    assert tell("commit", 2, items=second) == [0] * 20
    assert [server.execute_command("LATELY.INFO", f"{name}:3:{i}", "max-claims") for i in range(3)] == [601] * 3
    # Over two growths, of which the second is marked in one shard alone.
    for i in range(8):
        server.execute_command("LATELY.RESERVE", f"{name}:8:{i}", *LEASED, "SHARD", i, "OF", 8)
    server.execute_command("LATELY.GROW", at(3, "c"), 8)
    assert tell("commit", 2, items=["c"]) == [1, "IN-TIME"]
    assert server.execute_command("LATELY.EXISTS", at(8, "c"), "c") == 1
    assert all(server.execute_command("LATELY.INFO", f"{name}:3:{i}", "grown") == 8 for i in range(3))


def test_an_item_is_claimed_and_committed_or_given_up(language, server):
    claims(language, f"redis://127.0.0.1:{server.port}", server.client(), "seen")


def test_a_claim_that_is_refused_is_an_error(language, server):
    address = f"redis://127.0.0.1:{server.port}"
    run(language, address, "reserve", "plain", 2, "WINDOW", 600000)
    run(language, address, "reserve", "full", 1, "WINDOW", 600000, "LEASE", 60000, "MAXCLAIMS", 1)
    server.client().execute_command("LATELY.CLAIM", "full:1:0", "a")
    for name, shards, why in [("plain", 2, "WINDOW and LEASE"), ("full", 1, "as many claims are open as MAXCLAIMS allows"), ("none", 1, "no such key")]:
        done = call(language, address, "commit", name, shards, items=["b"])
        assert done.returncode != 0 and done.stdout == "" and why in done.stderr, done


@pytest.mark.parametrize(
    "request_, field, want",
    [("CAPACITY 3001", "capacity", 2001), ("MEMORY 393216", "memory", 262144), ("WINDOW 60000 CAPACITY 9000", "capacity", 6000)],
)
def test_growth_parts_what_is_counted(language, server, request_, field, want):
    address = f"redis://127.0.0.1:{server.port}"
    run(language, address, "reserve", "seen", 2, *request_.split())
    run(language, address, "grow", "seen", 2, 3)
    assert server.client().execute_command("LATELY.INFO", "seen:3:2", field) == want


def test_a_filter_grows(language, server):
    grows(language, f"redis://127.0.0.1:{server.port}", "seen")
    names = server.client().keys("seen:*")
    assert sorted(names) == ["seen:3:0", "seen:3:1", "seen:3:2"]
    assert float(server.client().execute_command("LATELY.INFO", "seen:3:1", "error")) == 1e-6


def test_refused_command_is_an_error_and_no_answer(language, server):
    done = start(language, f"redis://127.0.0.1:{server.port}", "add", "missing", 2, text="a\nb\n")
    assert done.returncode != 0 and done.stdout == "" and "no such key" in done.stderr, done


@pytest.fixture(scope="module", params=offered_servers())
def cluster(request, tmp_path_factory):
    """Three nodes, for all clients."""
    room, started = tmp_path_factory.mktemp("cluster"), []

    def start(*options):
        started.append(Server(request.param, room / str(len(started)), *options))
        return started[-1]

    yield form(start)
    for node in started:
        node.kill()


# hiredis knows no clusters.
@pytest.mark.parametrize("language", [language for language in offered(PROGRAMS) if language != "cpp"])
def test_a_filter_grows_in_a_cluster(language, cluster):
    address = f"cluster://127.0.0.1:{cluster[0].port}"
    grows(language, address, f"seen-{language}")
    client = redis.RedisCluster(host="127.0.0.1", port=cluster[0].port, legacy_responses=True, decode_responses=True)
    follows(language, address, client, f"followed-{language}")
    claims(language, address, client, f"claimed-{language}")


@pytest.mark.parametrize("language", offered(RECIPES))
def test_a_recipe_adds_and_claims_where_the_client_in_python_does(language, server):
    """Items are in the shards that every client asks; what is stored, claimed or given up is so for all of them."""
    redis_, client = f"redis://127.0.0.1:{server.port}", server.client()

    def done(verb, name, shards, items):
        command = [str(word) for word in [*RECIPES[language][1], f"127.0.0.1:{server.port}", verb, name, shards]]
        return subprocess.run(command, input="".join(f"{item}\n" for item in items), capture_output=True, text=True, timeout=300)

    def recipe(verb, shards, items):
        well = done(verb, "seen", shards, items)
        assert well.returncode == 0, well.stdout[-2000:] + well.stderr[-2000:]
        return [int(line) for line in well.stdout.split()]

    items = [f"item-{i}" for i in range(200)] + ["\u00e9t\u00e9"]
    run("python", redis_, "reserve", "seen", 7, *LEASED)
    assert recipe("add", 7, items + items[:5]) == [1] * 201 + [0] * 5
    assert run("python", redis_, "add", "seen", 7, items=items).split() == ["0"] * 201, "they are in the right shards"
    mine = ["a", "bad b", "c"]
    key = f"seen:7:{shard_of(b'c', 7)}"
    token = client.execute_command("LATELY.CLAIM", key, "c")[1]
    assert recipe("work", 7, mine) == [1, 1, 2], "another works on the last"
    client.execute_command("LATELY.ABANDON", key, "c", token)
    assert recipe("work", 7, mine) == [0, 1, 1], "one was stored, one given up, and one is free by now"
    assert recipe("work", 7, mine) == [0, 1, 0]
    refused = done("add", "none", 1, ["a"])
    assert refused.returncode != 0 and refused.stdout == "" and "no such key" in refused.stderr, refused


class Gone:
    """A server that has gone."""

    def execute_command(self, *words):
        raise redis.ConnectionError("gone")


def test_the_failure_of_the_work_is_what_a_block_in_python_raises():
    with pytest.raises(ZeroDivisionError):
        with Claim(Gone(), "seen:1:0", b"a", 1, b"token"):
            1 / 0
    with pytest.raises(redis.ConnectionError):
        with Claim(Gone(), "seen:1:0", b"a", 1, b"token"):
            pass
