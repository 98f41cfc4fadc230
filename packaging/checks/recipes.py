"""The recipes that build from the packed sources of this tree: each builds a package of each sort, programs are built with it and
run, and sources that are other ones are refused. WHAT is
  conan   with its own home and no remotes: nothing comes from the network that cargo does not have
  vcpkg   vcpkg itself is not there: packaging/vcpkg/build_port.cmake replaces it
"""
import os
import shutil
import sys

from common import expect, expect_match, fact, room, run, script, source

sources = room / f"lately-{fact.VERSION}-source.tar.gz"
recipe = room / "recipe"


def conan():
    program = shutil.which("conan")
    expect(program, "conan is not installed: pip install conan")
    os.environ["CONAN_HOME"] = str(room / "home")
    run(program, "profile", "detect")
    run(program, "remote", "disable", "*")
    for shared in [True, False]:
        run(program, "create", recipe, "-o", f"lately/*:shared={shared}", "--build=missing")
    run(program, "create", recipe, "-s:h", "os=Macos", "-s:h", "os.version=14.0", fails="lately builds for Linux, and os is Macos")
    run(program, "create", recipe, "-s:h", "arch=riscv64", fails="arch is riscv64, and that of the build profile")
    run(program, "remove", "--confirm", "lately")
    change_sources()
    run(program, "create", recipe, "--build=*", fails="sha256 (hash|signature) failed")


def vcpkg():
    def build(linkage, out, **expected):
        facts = dict(PORT_DIR=recipe, ARCHITECTURE={"x86_64": "x64", "aarch64": "arm64"}[os.uname().machine], LINKAGE=linkage,
                     ROOM=room / f"room-{out}", OUT=room / out)
        return run("cmake", *(f"-D{name}={value}" for name, value in facts.items()), "-P",
                   source / "packaging/vcpkg/build_port.cmake", **expected)

    for linkage, wanted, unwanted in [("static", "liblately.a", "liblately.so"), ("dynamic", fact.SONAME, "liblately.a")]:
        build(linkage, linkage)
        for file in ["include/lately.h", "include/lately.hpp", "include/lately_file.h", "share/lately/copyright", "share/lately/usage",
                     f"lib/{wanted}"]:
            expect((room / linkage / file).exists(), f"the package ({linkage}) has no {file}")
        for file in ["lib/cmake", "share/doc", f"lib/{unwanted}"]:
            expect(not (room / linkage / file).exists(), f"the package ({linkage}) has {file}")
        # The projects take the library that is there, by the names that do not say which.
        facts = {**vars(fact), "LINKAGE": "shared", "LINKED": "static" if linkage == "static" else "shared", "BRIEF": "ON",
                 "PREFIX": room / linkage, "LIBDIR": "lib"}
        for road in ["cmake", "make"]:
            script("checks/consumer.py", **facts, ROAD=road)
    change_sources()
    expect_match(r"HASH\s+mismatch", build("static", "nothing", fails=""))


def change_sources():
    sources.write_bytes(sources.read_bytes() + b"x")


script("release.py", WHAT="source", OUT=sources)
run(sys.executable, source / "packaging/recipe.py", fact.WHAT, fact.VERSION, room, f"file://{room}", recipe)
globals()[fact.WHAT]()
