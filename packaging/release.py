"""What a release consists of, each part made by WHAT=.. with its facts as NAME=value. The same tree gives the same bytes.
  source    packs as OUT what git knows of this tree, as it is there now. Recipes that build from source take this archive, since that
            of a tag is another one each time it is made
  valkey    packs MODULE as OUT: the folder NAME with it, its page, and the licences of what is in it for TARGET, by the program LICENCES
  archives  the library for the Go module of a release (packaging/go) in the folder OUT: an archive for each platform, each with the
            licences of what is in it. They are built as far as they are not. BUILD is the build folder of this machine
  go        the Go modules as a module proxy serves them, in the folder OUT: what `go get` asks for by GOPROXY=file://OUT. With
            ARCHIVES, which `archives` made, that of the filter is that of a release: the library lies in it, and need not be installed
  natives   the libraries of the jar for PLATFORMS in the folder OUT: those that the build folders OTHERS make, brought up to date, of
            HERE and MUSL. One of OTHERS may make for this platform what a release has for it: it comes before HERE
  dist      all of it in dist/, which is emptied first: packages for Debian, an archive for each platform, the jars with their pom, the
            Go module, the crates, the wheels, the pictures for print, the bill of materials, the sums
"""
import hashlib
import pathlib
import re
import shutil
import subprocess
import sys
import zipfile

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent / "checks"))
from common import expect, fact, room, run, script, source

version = re.search(r'(?m)^version = "([\d.]+)"', (source / "Cargo.toml").read_text())[1]
presets = ["glibc-x86_64", "glibc-aarch64", "windows"]
module = "github.com/lately/lately/bindings/go"


def pack(out, folder, *files):
    run("tar", "--sort=name", "--mtime=@0", "--owner=0", "--group=0", "--numeric-owner", "--mode=u=rwX,go=rX", "-cf", room / "archive.tar",
        *files, cwd=folder)
    with open(out, "wb") as packed:
        subprocess.run(["gzip", "-9", "-n", "-c", room / "archive.tar"], stdout=packed, check=True)


def make(preset, *targets):
    run("cmake", "--preset", preset, cwd=source)
    run("cmake", "--build", "--preset", preset, "--target", *targets, cwd=source)


def packed_source():
    (room / "files").write_text(run("git", "ls-files", "--cached", cwd=source))
    pack(fact.OUT, source, f"--transform=flags=rh;s,^,lately-{version}/,", f"--files-from={room}/files")


def valkey():
    folder = room / fact.NAME
    folder.mkdir()
    for file in [source / "engines/valkey/README.md", source / "LICENSE-MIT", source / "LICENSE-APACHE", fact.MODULE]:
        shutil.copy(file, folder)
    (folder / "THIRD-PARTY.txt").write_text(run(fact.LICENCES, source, "lately-module", fact.TARGET))
    pack(fact.OUT, room, fact.NAME)


def archives():
    run("cmake", "--build", fact.BUILD, "--target", "lately_musl")
    for preset in presets:
        make(preset, "lately_rust", "lately_tool")
    shutil.rmtree(fact.OUT, ignore_errors=True)
    out, build, licences = pathlib.Path(fact.OUT), source / "build", "licences/THIRD-PARTY-library.txt"
    out.mkdir(parents=True)
    for platform, folder, archive, terms in [
            ("linux_amd64_glibc", build / "glibc-x86_64", "lib/liblately.a", licences),
            ("linux_amd64_musl", f"{fact.BUILD}/musl/x86_64", "liblately_musl.a", "THIRD-PARTY.txt"),
            ("linux_arm64_glibc", build / "glibc-aarch64", "lib/liblately.a", licences),
            ("linux_arm64_musl", f"{fact.BUILD}/musl/aarch64", "liblately_musl.a", "THIRD-PARTY.txt"),
            ("windows_amd64", build / "windows", "lib/static/liblately.a", licences)]:
        shutil.copy(pathlib.Path(folder, archive), out / f"{platform}.a")
        shutil.copy(pathlib.Path(folder, terms), out / f"THIRD-PARTY-{platform}.txt")


def go():
    # The collector for Prometheus is a module of its own.
    serve(module, "bindings/go", "prometheus")
    serve(f"{module}/prometheus", "bindings/go/prometheus")


def serve(name, place, *others):
    """The files of a folder, without others, as a module."""
    served, folder = pathlib.Path(fact.OUT, name, "@v"), room / f"go/{name}@v{version}"
    served.mkdir(parents=True)
    shutil.copytree(source / place, folder, ignore=shutil.ignore_patterns(*others))
    # The tag of a release serves the files of that folder and no others, so the licences are put there.
    for licence in ["LICENSE-MIT", "LICENSE-APACHE"]:
        shutil.copy(source / licence, folder)
    if fact.ARCHIVES and name == module:
        add_library(folder)
    # Files only: a folder would be an entry of its own, and the sum of the module another one than the tag's. One date for all.
    with zipfile.ZipFile(served / f"v{version}.zip", "w") as packed:
        for file in sorted(path for path in folder.rglob("*") if path.is_file()):
            entry = zipfile.ZipInfo(str(file.relative_to(room / "go")), (2026, 1, 1, 0, 0, 0))
            packed.writestr(entry, file.read_bytes(), zipfile.ZIP_DEFLATED)
    shutil.copy(source / place / "go.mod", served / f"v{version}.mod")
    (served / f"v{version}.info").write_text(f'{{"Version":"v{version}","Time":"2026-01-01T00:00:00Z"}}\n')
    (served / "list").write_text(f"v{version}\n")


def add_library(folder):
    """The library of the system, which is asked for by link.go, is for who says so, and for other platforms. What the file that links
    archives names is there, and nothing else."""
    linking = (source / "packaging/go/link_liblately.go").read_text()
    link, library = folder / "link.go", folder / "internal/liblately"
    link.write_text(f"//go:build !({re.search('(?m)^//go:build (.*)', linking)[1]})\n\n{link.read_text()}")
    shutil.copytree(source / "packaging/go", folder, dirs_exist_ok=True)
    # The header, with other names for the functions where the C library is not glibc: those of the archive for musl.
    functions = (source / "tests/symbols.txt").read_text().split()
    names = "\n".join(f"#define {name} {name.replace('lately_', 'lately_musl_', 1)}" for name in functions)
    (library / "lately.h").write_text(f"""#ifndef LATELY_GO_NAMES_H
#define LATELY_GO_NAMES_H
#include <stdint.h>
#if defined(__linux__) && !defined(__GLIBC__)
{names}
#endif
#endif
{(source / "include/lately.h").read_text()}""")
    shutil.copy(source / "include/lately_file.h", library)
    for file in pathlib.Path(fact.ARCHIVES).iterdir():
        shutil.copy(file, library)
    linked, there = set(re.findall(r"/([a-z0-9_]+\.a)", linking)), {file.name for file in library.glob("*.a")}
    expect(linked == there, f"link_liblately.go links {linked}, and {fact.ARCHIVES} has {there}")


def natives():
    out, others = pathlib.Path(fact.OUT), [folder for folder in fact.OTHERS.split(",") if pathlib.Path(folder, "CMakeCache.txt").exists()]
    for build in others:
        run("cmake", "--build", build, "--target", "lately_jni")
    shutil.rmtree(out, ignore_errors=True)
    for platform in fact.PLATFORMS.split(","):
        folders = [*(f"{build}/java/natives" for build in others), fact.HERE, fact.MUSL]
        found = [place for folder in folders if (place := pathlib.Path(folder, "native", platform)).exists()]
        preset = "windows" if platform.startswith("windows") else platform.replace("linux-", "glibc-")
        expect(found, f"no libraries for {platform}: cmake --workflow --preset {preset}")
        shutil.copytree(found[0], out / "native" / platform)


def take(dist, count, *patterns):
    """Copies what the patterns find, which must be `count` files."""
    files = [file for folder, pattern in patterns for file in pathlib.Path(folder).glob(pattern)]
    expect(len(files) == count, f"{patterns}: {len(files)} files, and {count} belong to a release: {files}")
    for file in files:
        shutil.copy(file, dist)


def add_platforms(dist):
    """For each platform; for this machine's by a preset, too, since what is built for the check needs the glibc that is here."""
    for preset in presets:
        make(preset, "lately_rust", "lately_tool")
        run("cpack", "-B", room / "packages", cwd=source / "build" / preset)
    for preset in presets[:2]:
        make(preset, "lately_valkey_archive")
        take(dist, 1, (source / "build" / preset / "valkey", f"lately-valkey-{version}-linux-*.tar.gz"))
    take(dist, 6, *((room / "packages", f"*{ending}") for ending in [".deb", ".tar.gz", ".zip"]))


def add_jars(dist):
    """One jar for all platforms, which passes its tests on the way."""
    run("cmake", "--build", fact.BUILD, "--target", "lately_java_full_jar")
    jars, jar = f"{fact.BUILD}/java/full", f"lately-{version}"
    take(dist, 3, *((jars, f"{jar}{ending}.jar") for ending in ["", "-sources", "-javadoc"]))
    shutil.copy(source / "bindings/java/pom.xml", dist / f"{jar}.pom")
    script("checks/maven.py", VERSION=version, MVN=fact.MVN, JDK=fact.JDK, NATIVES=f"{jars}/natives", JAR=dist / f"{jar}.jar")


def check_floor(dist):
    """Whatever has been packed for glibc runs with an old one: of each of two machines the library, the command, the module and the
    glue; and what the packages for Debian have."""
    unpacked = room / "unpacked"
    shutil.unpack_archive(dist / f"lately-{version}.jar", unpacked / "jar", "zip")
    for archive in dist.glob(f"lately-*{version}-linux-*.tar.gz"):
        shutil.unpack_archive(archive, unpacked)
    for deb in dist.glob("*.deb"):
        run("dpkg-deb", "-x", deb, unpacked / "debs")
    places = [f"lately-{version}-linux-*/lib/*.so.{version}", f"lately-{version}-linux-*/bin/lately", "lately-valkey-*/lately.so",
              "jar/native/linux-x86_64/*.so*", "jar/native/linux-aarch64/*.so*", f"debs/usr/lib/*/*.so.{version}", "debs/usr/bin/lately"]
    binaries = [str(file) for place in places for file in unpacked.glob(place)]
    expect(len(binaries) == 10, f"dist has other binaries than it should: {binaries}")
    floor = re.search(r"(?m)^set\(LATELY_GLIBC (.*)\)", (source / "cmake/platforms/glibc.cmake").read_text())[1]
    script("checks/artefacts.py", WHAT="floor", OBJDUMP=fact.OBJDUMP, FLOOR=floor, FILES=",".join(binaries))


def add_evaluation(dist):
    """Its results, tables and pictures, which are in no tree: of a full run, which the pages are written from."""
    expect((source / "target/evaluation/tables.md").exists(), "no results in target/evaluation: cargo evaluation run all --full --keep")
    run(fact.CARGO, "test", "--quiet", "--locked", "--manifest-path", "evaluation/Cargo.toml", "--features", "results", cwd=source)
    run("tar", "czf", dist / f"lately-{version}-evaluation.tar.gz", "evaluation", cwd=source / "target")
    run(fact.CARGO, "evaluation", "print", dist / "pictures", cwd=source)


def dist():
    shutil.rmtree(source / "dist", ignore_errors=True)
    # It is filled elsewhere, so that there is no half of one.
    dist = room / "dist"
    dist.mkdir()
    script("release.py", WHAT="source", OUT=dist / f"lately-{version}-source.tar.gz")
    add_platforms(dist)
    add_jars(dist)
    check_floor(dist)
    for tool in ["conan", "vcpkg"]:
        run(sys.executable, source / "packaging/recipe.py", tool, version, dist,
            f"https://github.com/lately/lately/releases/download/v{version}", dist / tool)
    run(fact.CARGO, "package", "-p", "lately", "-p", "lately-cli", "--locked", "--no-verify", "--allow-dirty", "--quiet", "--target-dir",
        room / "crates", cwd=source)
    take(dist, 2, (room / "crates/package", "*.crate"))
    add_evaluation(dist)
    # The wheels of four Linux platforms, each for CPython with and without a GIL, that of Windows, and the sources.
    run("cmake", "--build", fact.BUILD, "--target", "lately_python_wheels")
    take(dist, 10, *((f"{fact.BUILD}/python/dist", ending) for ending in ["*.whl", "*.tar.gz"]))
    script("release.py", WHAT="archives", BUILD=fact.BUILD, OUT=room / "archives")
    script("release.py", WHAT="go", ARCHIVES=room / "archives", OUT=dist / "go-proxy")
    (dist / f"lately-{version}.cdx.json").write_text(run(fact.SBOM, source, *fact.TARGETS.split(",")))
    # Last, over all of it, in the form that sha256sum -c reads.
    files = sorted(file for file in dist.rglob("*") if file.is_file())
    sums = [f"{hashlib.sha256(file.read_bytes()).hexdigest()}  {file.relative_to(dist)}\n" for file in files]
    (dist / "SHA256SUMS").write_text("".join(sums))
    shutil.copytree(dist, source / "dist")
    print(f"dist: {len(files)} files and their sums")


{**globals(), "source": packed_source}[fact.WHAT]()
