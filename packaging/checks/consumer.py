"""A stranger's project, examples/consumers/ROAD: copied outside the tree and given only what is published, it is built, run, and
gives the golden verdicts.
  ROAD LINKAGE              the project, and shared or static
  PREFIX LIBDIR             an installation: it is moved first, for nothing may hold on to where it was. With MOVE=OFF it stays
  LINKED                    what LINKAGE=shared comes to where only the archive is installed: static
  BRIEF                     it is built and run, and what is refused is left to others
  TOLD EMULATOR SUFFIX      for another platform: what CMake is told of it, who runs its programs, how they end
and the tools that the road needs.
"""
import os
import pathlib
import re
import shlex
import shutil
import zipfile

import common
from common import check_verdicts, expect, expect_match, fact, java_flags, publish_jar, room, script, source

project = room / "project"
static = fact.LINKAGE == "static"
prefix = pathlib.Path(fact.PREFIX)


def run(*command, **options):
    return common.run(*command, **{"cwd": project, **options})


def check_program(program, linkage=fact.LINKED or fact.LINKAGE):
    """The program needs the shared library by its SONAME or not at all, and gives the verdicts."""
    program = project / (program + fact.SUFFIX)
    expect((fact.SONAME in common.needs(program)) == (linkage == "shared"), f"{program} is not linked as {linkage}")
    dll = prefix / "bin" / fact.SONAME
    if linkage == "shared" and dll.exists():
        shutil.copy(dll, program.parent)
    check_verdicts(*shlex.split(fact.EMULATOR), program)


def remove_shared(*patterns):
    for file in [file for pattern in patterns for file in prefix.glob(pattern)]:
        file.unlink()


def cmake():
    """C and C++ by find_package. A version or a component that is not there is refused."""
    tools = [f"-DCMAKE_PREFIX_PATH={prefix}", f"-DCMAKE_C_COMPILER={fact.CC}", f"-DCMAKE_CXX_COMPILER={fact.CXX}"]
    tools += shlex.split(fact.TOLD)

    def build(folder):
        run("cmake", "-B", folder, f"-DLINKAGE={fact.LINKAGE}", *tools)
        run("cmake", "--build", folder)
        check_program(f"{folder}/verdicts_c")
        check_program(f"{folder}/verdicts_cpp")

    def configure(before, after, folder, **options):
        expect(before in given, f"CMakeLists.txt has no {before}")
        lists.write_text(given.replace(before, after))
        run("cmake", "-B", folder, *tools, **options)

    build("build")
    if fact.BRIEF:
        return
    lists = project / "CMakeLists.txt"
    given = lists.read_text()
    configure("REQUIRED", f"REQUIRED COMPONENTS {fact.LINKAGE} cpp OPTIONAL_COMPONENTS python", "build")
    configure("REQUIRED", "REQUIRED COMPONENTS python", "build", fails="lately has no component python")
    configure("lately 0.1", "lately 9.1", "newer", fails=r"lately[\s\S]*9\.1")
    # Where only the archive is installed, the names that do not say which mean that.
    if static:
        lists.write_text(given)
        remove_shared(f"{fact.LIBDIR}/liblately.so*", "bin/lately.dll")
        build("alone")


def make():
    """C by pkg-config. Linked statically in both ways: by its own package, and by --static where there is no shared library."""
    def build(linkage, pkg_config=fact.PKG_CONFIG, cc=fact.CC):
        run(fact.MAKE, "--always-make", f"CC={cc}", f"LINKAGE={linkage}", f"PKG_CONFIG={pkg_config}")
        check_program("verdicts")

    build(fact.LINKAGE)
    if static:
        build("shared", f"{fact.PKG_CONFIG} --static", f"{fact.CC} -static")
        build("static", cc=f"{fact.CC} -static")
        if not fact.MOVE:
            remove_shared(f"{fact.LIBDIR}/liblately.so*", f"{fact.LIBDIR}/liblately.dll.a")
            build("shared", f"{fact.PKG_CONFIG} --static")


def meson():
    os.environ["CXX"] = fact.CXX
    run(fact.MESON, "setup", "-D", f"linkage={fact.LINKAGE}", "build")
    run(fact.MESON, "compile", "-C", "build")
    check_program("build/verdicts")


def fetch():
    """C++ with the tree as a part of the project. It brings its targets, and no rule of installation, no package, no command."""
    def targets(*options):
        run("cmake", "-B", "build", f"-DLATELY_TREE={source}", f"-DLATELY_CARGO_DIR={fact.CARGO_DIR}",
            f"-DCMAKE_C_COMPILER={fact.CC}", f"-DCMAKE_CXX_COMPILER={fact.CXX}", *options)
        return run("cmake", "--build", "build", "--target", "help")

    said = targets()
    run("cmake", "--build", "build")
    check_program("build/verdicts")
    run("cmake", "--install", "build", "--prefix", room / "installed")
    own = (room / "installed").exists() or (project / "build/CPackConfig.cmake").exists()
    expect(not own and not re.search("lately_tool|demo|package", said), f"a project that takes lately in gets rules of its own:\n{said}")
    said = targets("-DLATELY_INSTALL=ON")
    expect("lately_tool" in said and "demo" not in said, f"LATELY_INSTALL=ON offers:\n{said}")


def cargo():
    """A crate, with nothing but the packed file of the library: what a registry would serve."""
    target = ["--target-dir", room / "target"]
    run(fact.CARGO, "package", "--manifest-path", source / "Cargo.toml", "-p", "lately", "--locked", "--no-verify", "--allow-dirty",
        "--quiet", *target)
    packed, = (room / "target/package").glob("lately-*.crate")
    shutil.unpack_archive(packed, room, "gztar")
    # The versions of the library's own dependencies that this machine has.
    shutil.copy(source / "Cargo.lock", project)
    run(fact.CARGO, "build", "--offline", "--quiet", "--config", f"patch.crates-io.lately.path='{room / packed.stem}'", *target)
    check_verdicts(room / "target/debug/verdicts")


def maven():
    """The jar and its pom, in a repository as Maven lays it out; plugins come from what this machine has already."""
    jar = publish_jar(room / "published", "lately", fact.JAR, fact.POM)
    here = re.search(r"-Dmaven\.repo\.local=(\S+)", os.environ.get("MAVEN_OPTS", ""))
    here = here[1] if here else pathlib.Path.home() / ".m2/repository"
    (room / "settings.xml").write_text(f"""<settings>
  <profiles><profile>
    <id>published</id>
    <repositories><repository><id>published</id><url>file://{room}/published</url></repository></repositories>
    <pluginRepositories><pluginRepository><id>here</id><url>file://{here}</url></pluginRepository></pluginRepositories>
  </profile></profiles>
  <activeProfiles><activeProfile>published</activeProfile></activeProfiles>
</settings>""")
    # A store of its own, so that no jar of an earlier build is taken.
    run(fact.MVN, "--batch-mode", "--no-transfer-progress", "--quiet", "--settings", room / "settings.xml",
        f"-Dmaven.repo.local={room}/store", "package", env={**os.environ, "JAVA_HOME": fact.JDK})
    path = f"{project}/target/verdicts-1.jar:{room}/store/{jar.relative_to(room / 'published')}"
    check_verdicts(f"{fact.JDK}/bin/java", *java_flags(fact.JDK)[1], "-cp", path, "verdicts.Verdicts")


def gradle():
    """The jar and its pom, in Maven's local repository. The program is that of Maven's project."""
    shutil.copytree(source / "examples/consumers/maven/src", project / "src")
    publish_jar(room / "published", "lately", fact.JAR, fact.POM)
    run(fact.GRADLE, "--no-daemon", "--offline", "--quiet", "--gradle-user-home", room / "home",
        f"-Dmaven.repo.local={room}/published", "installDist", env={**os.environ, "JAVA_HOME": fact.JDK})
    check_verdicts(project / "build/install/verdicts/bin/verdicts")


def go():
    """A Go module, with nothing but what a module proxy serves. The program of the page comes along as a second one."""
    shutil.copytree(source / "examples/go", project / "first")
    tags = ["-tags", "lately_static"] if static else []
    linked = f"-ldflags=-r={prefix}/{fact.LIBDIR}"
    module = "github.com/lately/lately/bindings/go"
    script("release.py", WHAT="go", OUT=room / "proxy")
    # Nothing may come from the network, from a workspace around or from what was fetched before.
    os.environ.update(GOPROXY=f"file://{room}/proxy", GOSUMDB="off", GOWORK="off", GOFLAGS="-modcacherw")

    def use(store, **environment):
        # The build cache does not know PKG_CONFIG_PATH, but where a package lies: from another store it is built again.
        os.environ.update(environment, GOMODCACHE=str(room / store))

    def build(name, *options, **expected):
        run(fact.GO, "build", *options, "-o", name, *(["./first"] if name == "first_sightings" else []), **expected)

    use("modules")
    run(fact.GO, "get", f"{module}@latest")
    run(fact.GO, "mod", "tidy")
    build("verdicts", *tags, linked)
    check_program("verdicts")
    if fact.BRIEF:
        return

    # The sum of a module counts every entry of its archive: files only, as of a tag.
    served, = (room / "proxy" / module / "@v").glob("*.zip")
    entries = zipfile.ZipFile(served).namelist()
    expect(not [name for name in entries if name.endswith("/")], f"the module has folders: {entries}")
    expect([name for name in entries if name.endswith("/LICENSE-MIT")], f"the module has no licence: {entries}")
    required = [re.findall("(?m)^require .*", (folder / "go.mod").read_text()) for folder in (project, source / "examples/consumers/go")]
    expect(required[0] == required[1], f"the newest version is not the one of the examples: {required}")
    expect((source / "examples/go/main.go").read_text() in (source / "bindings/go/README.md").read_text(),
           "bindings/go/README.md does not show examples/go/main.go as it is")
    run(fact.GO, "vet", *tags, "./...")
    build("first_sightings", *tags, linked)
    printed = run(project / "first_sightings", input="one\ntwo\none\n")
    expect(printed == "one\ntwo\n", f"the program printed\n{printed}")
    run(fact.GO, "test", *tags, linked, "./...")
    # Both forms, one after the other with one cache, are what they are called.
    build("both", linked)
    check_program("both", "shared")
    build("both", "-tags", "lately_static")
    check_program("both", "static")
    run(fact.GO, "mod", "vendor")
    build("verdicts", "-mod=vendor", *tags, linked)
    check_program("verdicts")
    shutil.rmtree(project / "vendor")

    # A program that was built with a newer header says so, and does nothing else.
    shutil.copytree(prefix, room / "newer", symlinks=True)
    header = room / "newer/include/lately.h"
    header.write_text(re.sub(r"(LATELY_VERSION_NUMBER) \d+", r"\1 7008009", header.read_text()))
    use("modules-newer", PKG_CONFIG_PATH=f"{room}/newer/{fact.LIBDIR}/pkgconfig")
    build("verdicts", *tags, linked)
    run(project / "verdicts", fails=r"built for liblately 7\.8\.9 \(ABI \d+\), but the library")
    # Where the library is missing, whole or in part, or cgo is off, the build says what to install.
    use("modules-absent", PKG_CONFIG_PATH="", PKG_CONFIG_LIBDIR=str(room / "nowhere"))
    build("verdicts", *tags, fails=r"(?s)install_liblately_dev\n.*Package lately(-static)? was not found")
    del os.environ["PKG_CONFIG_LIBDIR"]
    shutil.copytree(prefix / fact.LIBDIR, room / "headless" / fact.LIBDIR, symlinks=True)
    use("modules-headless", PKG_CONFIG_PATH=f"{room}/headless/{fact.LIBDIR}/pkgconfig")
    build("verdicts", *tags, fails="lately.h is missing: install liblately-dev")
    use("modules-headless", CGO_ENABLED="0")
    build("verdicts", *tags, fails="internal/needs_cgo_and_a_c_compiler: ")


if __name__ == "__main__":
    shutil.copytree(source / "examples/consumers" / fact.ROAD, project)
    # The program of C or C++, which several projects build.
    for program in (source / "examples/consumers").glob("verdicts.*"):
        shutil.copy(program, room)
    if fact.PREFIX and not fact.MOVE:
        prefix = pathlib.Path(shutil.copytree(prefix, room / "moved", symlinks=True))
    # Whatever the ecosystem's own way is, it needs no variable for the loader.
    os.environ.pop("LD_LIBRARY_PATH", None)
    os.environ["PKG_CONFIG_PATH"] = f"{prefix}/{fact.LIBDIR}/pkgconfig"
    globals()[fact.ROAD]()
