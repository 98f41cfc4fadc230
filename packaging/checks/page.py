"""What pages ask of a stranger. WHAT is
  shell    saves the first block in LANGUAGE of PAGE as FILE in an empty folder, then runs every block of sh that follows (a block
           of cmake becomes CMakeLists.txt), until a block in another language. With PROGRAM that block is the first of that page,
           and the commands are those below "Build a program". A block of console is for reading. /opt/lately is an installation
           that was moved, /path/to/lately the sources. Each block of sh prints the two first sightings
  java     every block of java of PAGES that is a whole program, outside the tree, with nothing but JAR: run as one source file,
           compiled, and with the jar as a module. Then STRANGER, in an image of the JVM that jlink makes
  recipe   writes the block in LANGUAGE of PAGE to FILE: what the build of a recipe takes
"""
import json
import os
import pathlib
import re
import shutil
import zipfile

from common import expect, expect_match, fact, java_flags, room, run, source


def blocks(text):
    """The blocks of a page in their order: language and text."""
    return re.findall(r"(?ms)^```(\w*)[^\n]*\n(.*?)^```$", text)


def block(page):
    found = [text for language, text in blocks(pathlib.Path(page).read_text()) if language == fact.LANGUAGE]
    expect(found, f"{page} has no block in {fact.LANGUAGE}")
    return found[0]


def recipe():
    file = pathlib.Path(fact.FILE)
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(block(fact.PAGE))


def shell():
    moved = shutil.copytree(fact.PREFIX, room / "moved", symlinks=True)
    desk = room / "desk"
    desk.mkdir()
    (desk / fact.FILE).write_text(block(fact.PROGRAM or fact.PAGE))
    # Go's build cache does not know where a library lies, and this folder is another one each time.
    os.environ["CGO_CFLAGS"] = f'-O2 -g -DLATELY_ROOM="{room}"'
    begin = "\n## Build a program\n" if fact.PROGRAM else f"```{fact.LANGUAGE}\n"
    text = pathlib.Path(fact.PAGE).read_text()
    expect(begin in text, f"{fact.PAGE} has no {begin}")
    text = text.split(begin, 1)[1]
    done = 0
    for language, typed in blocks(text if fact.PROGRAM else text.split("\n```\n", 1)[1]):
        if language == "cmake":
            (desk / "CMakeLists.txt").write_text(typed)
        elif language == "sh":
            typed = typed.replace("/opt/lately", str(moved)).replace("/path/to/lately", str(source))
            expect_match(r"(^|\n)one\ntwo\n$", run("sh", "-e", "-c", typed, cwd=desk))
            done += 1
        elif language != "console":
            break
    expect(done, f"{fact.PAGE} has no commands")


def java():
    jar = shutil.copy(fact.JAR, room / "lately.jar")
    major, flags = java_flags(fact.JDK)
    _, module_flags = java_flags(fact.JDK, "dev.lately")
    quick = "-XX:TieredStopAtLevel=1"

    def call(tool, *arguments):
        return run("sh", "-c", '"$@" 2>warnings && ! grep WARNING warnings || { cat warnings; exit 1; }', "sh",
                   room / tool if tool.startswith("image/") else f"{fact.JDK}/bin/{tool}", *arguments, input="one\ntwo\none\n")

    def check(name, program):
        release, = re.findall(r"// needs Java (\d+)", program) or ["11"]
        if major < int(release):
            return
        wanted = expect_match(r"// prints: ([^\n]*)", program)[0].replace(", ", "\n") + "\n"
        (room / f"{name}.java").write_text(program)
        printed = [call("java", quick, *flags, "-cp", jar, f"{name}.java")]
        call("javac", f"-J{quick}", "-Xlint:all", "-Werror", "--release", release, "-cp", jar, "-d", "classes", f"{name}.java")
        printed += [call("java", *flags, "-cp", f"{jar}:classes", name),
                    call("java", *module_flags, "-p", jar, "--add-modules", "dev.lately", "-cp", "classes", name)]
        expect(printed == 3 * [wanted], f"{name} printed from its source, compiled, with the jar as a module:\n{printed}")

    programs = [text for page in fact.PAGES.split(",") for language, text in blocks(pathlib.Path(page).read_text())
                if language == "java" and re.search(r"class \w+ ", text)]
    expect(len(programs) >= 5, f"{len(programs)} programs in {fact.PAGES}")
    for program in programs:
        check(re.search(r"class (\w+) ", program)[1], program)

    # What jlink leaves out is what no module asks for: the flight recorder too.
    stranger = room / "program/stranger/Stranger.java"
    stranger.parent.mkdir(parents=True)
    shutil.copy(fact.STRANGER, stranger)
    (room / "program/module-info.java").write_text("module program { requires dev.lately; }\n")
    call("javac", f"-J{quick}", "-Xlint:all", "-Werror", "-p", jar, "-d", "modules", "program/module-info.java", stranger)
    call("jlink", f"-J{quick}", "--module-path", f"{jar}:modules", "--add-modules", "program", "--output", "image")
    modules = call("image/bin/java", "--list-modules")
    expect("dev.lately" in modules and "jdk.jfr" not in modules, f"the image has the modules\n{modules}")
    expect_match(r"^NEW DUPLICATE\nmodule dev\.lately[^\n]*\n$", call("image/bin/java", *module_flags, "-m", "program/stranger.Stranger"))
    # GraalVM reads the metadata of the jar as JSON.
    metadata = json.loads(zipfile.ZipFile(jar).read("META-INF/native-image/dev.lately/lately/reachability-metadata.json"))
    for member in ["reflection", "jni", "foreign", "resources"]:
        expect(metadata.get(member), f"the metadata of the jar has no {member}")


globals()[fact.WHAT]()
