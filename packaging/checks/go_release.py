"""The Go module of a release, as a stranger gets it who has Go and a C compiler, and neither lately nor pkg-config's files of it: a
program with it is built for each platform that the module has the library for, and run, here, by qemu and by Wine. With the tag
lately_system it is linked to the installed library. A tag of git gives the same module."""
import os
import re
import shutil
from unittest import mock

import common
from common import check_verdicts, expect, fact, musl, needs, room, script, source

project, prefix = room / "project", room / "prefix"
module = "github.com/lately/lately/bindings/go"
glibc = r"libc\.so\.6|libgcc_s\.so\.1|libm\.so\.6|libpthread\.so\.0|libdl\.so\.2|ld-linux\S*"


def run(*command, **options):
    return common.run(*command, cwd=project, **options)


def check(name, allowed, *options, runner=()):
    """The program that is built so needs no other libraries when it starts, and gives the golden verdicts."""
    run(fact.GO, "build", *options, "-o", name)
    needed = needs(project / name)
    expect(all(re.fullmatch(allowed, one) for one in needed), f"{name} needs {needed}: it may need {allowed} only")
    check_verdicts(*runner, project / name)
    return needed


def prepare():
    """The project, with nothing of this machine but the module, Go and the compilers."""
    shutil.copytree(source / "examples/consumers/go", project)
    os.environ.update(GOPATH=f"{room}/path", GOCACHE=f"{room}/cache", GOENV="off", GOPROXY=f"file://{room}/proxy", GOSUMDB="off",
                      GOWORK="off", GOFLAGS="-modcacherw", CGO_ENABLED="1", PKG_CONFIG_PATH="", PKG_CONFIG_LIBDIR=f"{room}/nowhere")
    for name in ["LD_LIBRARY_PATH", "CGO_CFLAGS"]:
        os.environ.pop(name, None)
    run(fact.GO, "get", f"{module}@latest")
    run(fact.GO, "mod", "tidy")


def check_here():
    run(fact.GO, "vet", "./...", module)
    check("glibc", glibc)
    run(fact.GO, "test", "./...")
    run(fact.GO, "mod", "vendor")
    check("vendored", glibc, "-mod=vendor")
    shutil.rmtree(project / "vendor")


def check_musl(arch):
    """With a compiler for musl the same command takes the other archive, also for a program that needs no file at all."""
    compiler, runner = musl(arch)
    with mock.patch.dict(os.environ, CC=compiler):
        check(f"musl_{arch}", r"libc\.so", runner=runner)
        check(f"static_{arch}", "nothing", "-ldflags", "-linkmode external -extldflags -static", runner=runner)


def check_others():
    with mock.patch.dict(os.environ, GOARCH="arm64", CC="aarch64-linux-gnu-gcc"):
        check("arm64", glibc, runner=["qemu-aarch64", "-L", "/usr/aarch64-linux-gnu"])
        check_musl("aarch64")
    with mock.patch.dict(os.environ, GOARCH="amd64", GOOS="windows", CC="x86_64-w64-mingw32-gcc-posix"):
        needed = check("windows.exe", r"\S*\.(dll|DLL)", runner=[source / "build/windows/wine"])
        expect("lately.dll" not in needed, "windows.exe needs lately.dll")


def check_system():
    """The library of the system, and what is said where there is none."""
    run(fact.GO, "build", "-tags", "lately_system", fails=r"(?s)install_liblately_dev\n.*Package lately was not found")
    os.environ["PKG_CONFIG_PATH"] = f"{prefix}/{fact.LIBDIR}/pkgconfig"
    needed = check("system", rf"libc\.so\.6|liblately\.so\.{fact.ABI}", "-tags", "lately_system", f"-ldflags=-r={prefix}/{fact.LIBDIR}")
    expect(f"liblately.so.{fact.ABI}" in needed, "lately_system is not linked to the library of the system")
    check("system_static", glibc, "-tags", "lately_system,lately_static")


def sums():
    return re.findall(rf"(?m)^{module} v{fact.VERSION} .*", (project / "go.sum").read_text())


def check_tag():
    """The sums that go.sum has of what the proxy serves, and of what a tag serves."""
    served, repository = sums(), room / "git"
    shutil.unpack_archive(room / f"proxy/{module}/@v/v{fact.VERSION}.zip", room / "unpacked")
    (repository / "bindings").mkdir(parents=True)
    (room / f"unpacked/{module}@v{fact.VERSION}").rename(repository / "bindings/go")
    git = ["git", "-C", repository, "-c", "user.name=none", "-c", "user.email=none@lately.invalid"]
    for words in ["init --quiet", "add --all --force", "commit --quiet --message release", f"tag bindings/go/v{fact.VERSION}"]:
        run(*git, *words.split())
    (project / "go.sum").unlink()
    os.environ.update(GOPROXY="direct", GOPATH=f"{room}/path-of-tag", GIT_CONFIG_COUNT="1",
                      GIT_CONFIG_KEY_0=f"url.file://{repository}.insteadOf", GIT_CONFIG_VALUE_0="https://github.com/lately/lately")
    run(fact.GO, "mod", "download", module)
    run(fact.GO, "get", f"{module}@v{fact.VERSION}")
    expect(served and served == sums(), f"the proxy serves {served}, and the tag {sums()}")


script("release.py", WHAT="archives", BUILD=fact.BUILD, OUT=room / "archives")
script("release.py", WHAT="go", OUT=room / "proxy", ARCHIVES=room / "archives")
# Wine, for the program for Windows.
common.run("cmake", "--build", source / "build/windows", "--target", "lately_wine")
common.run("cmake", "--install", fact.BUILD, "--prefix", prefix)
prepare()
check_here()
check_musl("x86_64")
check_others()
check_system()
check_tag()
