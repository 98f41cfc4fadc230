"""What the tests share: a server of each sort, and the choice between the short form and the long one."""

import os

import pytest

from servers import NAMES, Server, program


def pytest_addoption(parser):
    parser.addoption("--long", action="store_true", help="the long form: minutes to hours")


@pytest.fixture
def long(request):
    """Whether the long form runs."""
    return request.config.getoption("--long")


def offered():
    """The servers of this machine; with LATELY_REQUIRE_ALL one that is missing is an error."""
    there = [name for name in NAMES if program(name)]
    if not there or (os.environ.get("LATELY_REQUIRE_ALL") and there != NAMES):
        raise pytest.UsageError(f"servers: {there} of {NAMES}")
    return there


@pytest.fixture(params=offered())
def name(request):
    """The program of a server."""
    return request.param


@pytest.fixture
def serve(name, tmp_path):
    """Starts servers; all of them end with the test."""
    started = []

    def start(*options, **more):
        started.append(Server(name, tmp_path / f"server{len(started)}", *options, **more))
        return started[-1]

    yield start
    for server in started:
        server.kill()


@pytest.fixture
def server(serve):
    return serve()


@pytest.fixture
def client(server):
    return server.client()
