"""The clients in five languages: the vectors of the shard function, and a filter that grows from 2 shards to 3 under them.

With LATELY_REQUIRE_ALL a language whose tools are missing is an error; without, its tests are not collected.
"""

import os
import pathlib
import shutil
import subprocess
import sys

import pytest

from test_cluster import nodes  # noqa: F401 (a fixture)

CLIENTS = pathlib.Path(__file__).resolve().parent.parent / "clients"
ROOM = pathlib.Path(os.environ["LATELY_MODULE"]).resolve().parent / "clients"


def run(*command, **more):
    done = subprocess.run([str(word) for word in command], capture_output=True, text=True, timeout=900, **more)
    assert done.returncode == 0, done.stdout[-2000:] + done.stderr[-2000:]
    return done.stdout


def python():
    return [sys.executable, CLIENTS / "python" / "lately_shards.py"]


def go():
    run("go", "build", "-o", ROOM / "go", ".", cwd=CLIENTS / "go")
    return [ROOM / "go"]


def cpp():
    flags = run("pkg-config", "--cflags", "--libs", "hiredis").split()
    run("c++", "-std=c++17", "-O1", "-Wall", "-Wextra", "-Werror", CLIENTS / "cpp" / "lately_shards.cpp", *flags, "-o", ROOM / "cpp")
    return [ROOM / "cpp"]


def rust():
    run("cargo", "build", "--locked", "--target-dir", ROOM / "rust", cwd=CLIENTS / "rust")
    return [ROOM / "rust" / "debug" / "lately-shards"]


def java():
    shutil.copytree(CLIENTS / "java", ROOM / "java", dirs_exist_ok=True)
    run("mvn", "-q", "-B", "package", cwd=ROOM / "java")
    jars = ROOM / "java" / "target"
    return ["java", "-cp", f"{jars}/lately-shards-0.1.0.jar:{jars}/dependency/*", "LatelyShards"]


NEEDS = {python: [], go: ["go"], cpp: ["c++", "pkg-config"], rust: ["cargo"], java: ["mvn", "java"]}


def offered():
    there = [build for build, tools in NEEDS.items() if all(shutil.which(tool) for tool in tools)]
    if shutil.which("pkg-config") and subprocess.run(["pkg-config", "--exists", "hiredis"]).returncode != 0:
        there.remove(cpp)
    missing = [build.__name__ for build in NEEDS if build not in there]
    if os.environ.get("LATELY_REQUIRE_ALL") and missing:
        raise pytest.UsageError(f"clients without their tools: {missing}")
    return there


@pytest.fixture(scope="session", params=offered(), ids=lambda build: build.__name__)
def client_program(request):
    ROOM.mkdir(parents=True, exist_ok=True)
    return request.param()


def test_the_vectors(client_program):
    vectors = (CLIENTS / "shards.txt").read_text()
    assert len(vectors.splitlines()) > 50
    run(*client_program, "check", input=vectors)
    wrong = vectors.replace("16384 ", "16383 ")
    assert subprocess.run([str(w) for w in client_program] + ["check"], input=wrong, text=True, capture_output=True).returncode


def grows(program, address):
    def tell(verb, *words, items=()):
        text = "".join(f"{item}\n" for item in items)
        return [int(line) for line in run(*program, address, verb, "seen", *words, input=text).split()]

    first, second = [f"a{i}" for i in range(300)], [f"b{i}" for i in range(300)]
    tell("reserve", 2, "WINDOW", 600000, "ERROR", "1e-6")
    assert tell("add", 2, items=first + first[:5]) == [1] * 300 + [0] * 5
    tell("grow", 2, 3)
    assert tell("add", 3, 2, items=first) == [0] * 300, "what the old shards know is not new"
    assert tell("add", 3, 2, items=second) == [1] * 300
    tell("drop", 2)
    assert tell("add", 3, items=second + ["c"]) == [0] * 300 + [1]


def test_a_filter_grows(client_program, server):
    grows(client_program, f"redis://127.0.0.1:{server.port}")
    names = server.client().keys("seen:*")
    assert sorted(names) == ["seen:3:0", "seen:3:1", "seen:3:2"]
    assert float(server.client().execute_command("LATELY.INFO", "seen:3:1", "error")) == 1e-6


def test_a_filter_grows_in_a_cluster(client_program, nodes, request):
    if "cpp" in request.node.callspec.id:
        # hiredis knows no clusters; the other clients do.
        return
    grows(client_program, f"cluster://127.0.0.1:{nodes[0].port}")
