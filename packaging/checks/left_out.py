"""The configuration on a machine that lacks some programs and has others that are too old. Nothing is built. WHAT is
  tests    their tests are left out and no others; each program is named once, at the end and after a run of ctest; with
           LATELY_REQUIRE_ALL it fails. BUILD is a configured folder, with every test that can run here
  valkey   the module of Valkey and Redis is a target although nothing that tests it is there, and nothing is installed
"""
import os
import pathlib
import re
import subprocess

from common import expect, expect_match, fact, room, run, source, write_program

programs = room / "bin"


def make_path(*hidden, **replaced):
    """Links to every program of the PATH except the hidden ones, and programs in the place of others."""
    programs.mkdir()
    for place in os.environ["PATH"].split(":"):
        for program in pathlib.Path(place).glob("*"):
            if program.name not in hidden and not (programs / program.name).is_symlink():
                (programs / program.name).symlink_to(program)
    for name, text in replaced.items():
        write_program(programs / name.replace("_", "-"), f"#!/bin/sh\n{text}\n")
    os.environ["PATH"] = str(programs)


def configure(*options, fails=None):
    done = subprocess.run(["cmake", "-S", source, "-B", room / "build", *options], stdout=subprocess.PIPE,
                          stderr=subprocess.STDOUT, text=True)
    expect(bool(done.returncode) == bool(fails), f"the configuration ended with {done.returncode}:\n{done.stdout}")
    return done.stdout


# What is left out, and why; and the tests that it means.
missing = [("completions of fish", "fish is not installed"),
           ("completions of zsh", "zsh is not installed"),
           ("the consumer project with meson", "meson is not installed"),
           ("the C header with clang", "clang is not installed"),
           ("the C++ header with clang++", "clang++ is not installed"),
           ("Go, the consumer project with go", "go 1.19.8 is older than 1.24")]
left_out = r"install\.completions\.(fish|zsh)$|consumer\.(meson|go)\.|headers\.clang|go\.|heavy\.go_release$"


def expect_list(text, missing):
    """Each is said, and each reason once: other things may be left out for the same."""
    for what, reason in missing:
        expect(re.search(rf"not tested: ([^\n]*, )?{re.escape(what)}[^\n]* \({re.escape(reason)}\)\n", text), f"not said: {what}\n{text}")
        expect(text.count(f"({reason})") == 1, f"not said once: {reason}\n{text}")


def names_of_tests(folder):
    return re.findall(r"(?m)^ *Test +#\d+: (\S+)", run("ctest", "--test-dir", folder, "-N"))


def tests():
    make_path("clang", "clang++", "fish", "meson", "zsh", go="echo go version go1.19.8 linux/amd64")
    expect_list(configure("-DLATELY_TESTS=ON"), missing)
    wanted = [name for name in names_of_tests(fact.BUILD) if not re.match(left_out, name)]
    found = names_of_tests(room / "build")
    expect(sorted(found) == sorted(wanted), f"the tests that are left differ in {set(found) ^ set(wanted)}")
    # After a run of ctest the list is the last that it says, though tests failed: nothing is built here.
    said = run("ctest", "--test-dir", room / "build", "-R", "^install.tree$", fails="")
    expect_list(said, missing)
    expect_match(r"The following tests FAILED:[\s\S]*\nnot tested: ", said)
    os.environ["LATELY_REQUIRE_ALL"] = "1"
    expect_list(configure("-DLATELY_TESTS=ON", fails=True), missing)
    # Without Python there are no checks of what is installed, and the rest is there.
    del os.environ["LATELY_REQUIRE_ALL"]
    write_program(programs / "python3", "#!/bin/sh\nexit 1\n")
    expect_match(r"not tested: [^\n]*the installation[^\n]*\(python3 is not Python 3\.8 or later\)", configure("-DLATELY_TESTS=ON"))
    found = names_of_tests(room / "build")
    expect("rust.test" in found and "artefacts.exports" not in found, f"without Python the tests are {found}")


def valkey():
    installs = f"echo $0 $* >>{room}/installed; exit 1"
    make_path("redis-server", "valkey-server", "python3", "go", "mvn", "java", "pkg-config", apt_get=installs, sudo=installs)
    said = configure("-DLATELY_ONLY=valkey")
    expect(not (room / "installed").exists(), "the configuration installs")
    servers = [(f"the module on {name}-server", f"{name}-server is not installed") for name in ("redis", "valkey")]
    expect_list(said, [*servers, ("the module of Valkey and Redis on servers", "python3 is not installed")])
    expect("lately_valkey_module" in run("cmake", "--build", room / "build", "--target", "help"), "the module is no target")


os.environ.pop("LATELY_REQUIRE_ALL", None)
globals()[fact.WHAT]()
