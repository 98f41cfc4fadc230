"""What the checks of this folder share. Each is a test of CTest, which gives it facts of the build as NAME=value.

A fact that is not given is "". A check that fails ends with a message, and its folder `room` goes in any case.
"""
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile


class Facts:
    def __init__(self, words):
        vars(self).update(word.split("=", 1) for word in words)

    def __getattr__(self, name):
        return ""


fact = Facts(sys.argv[1:])
source = pathlib.Path(__file__).resolve().parents[2]
_folder = tempfile.TemporaryDirectory(prefix="lately-check-")
room = pathlib.Path(_folder.name).resolve()
golden = source / "examples/consumers/golden"


def run(*command, fails=None, **options):
    """What a command prints. With `fails` it must fail, and say so in words that match."""
    done = subprocess.run([str(word) for word in command], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
                          errors="surrogateescape", **{"cwd": room, **options})
    said = done.stdout + done.stderr
    if fails is None:
        expect(done.returncode == 0, f"{command} ended with {done.returncode} and said\n{said}")
    else:
        expect(done.returncode != 0, f"{command} did not fail, and said\n{said}")
        expect_match(fails, said)
    return done.stdout if fails is None else said


def expect(holds, message):
    if not holds:
        sys.exit(str(message).encode(errors="replace").decode())


def expect_match(pattern, text):
    """The groups of a pattern that the text must have."""
    found = re.search(pattern, text)
    expect(found, f"not found: {pattern}\nin\n{text}")
    return found.groups()


def expect_same(found, wanted, what):
    found, wanted = sorted(found), sorted(wanted)
    absent, unknown = sorted(set(wanted) - set(found))[:20], sorted(set(found) - set(wanted))[:20]
    expect(found == wanted, f"{what}: not there: {absent}, unknown: {unknown}; {len(found)} names, not {len(wanted)}")


def script(file, **facts):
    """Runs a program of packaging/, which takes its facts as this one does."""
    return run(sys.executable, "-B", source / "packaging" / file, *(f"{name}={value}" for name, value in facts.items()))


def needs(program, objdump=None):
    """The libraries that a program loads."""
    return re.findall(r"(?:NEEDED|DLL Name:) +(\S+)", run(objdump or fact.OBJDUMP, "-p", program))


def musl(arch):
    """The compiler for Linux with musl that cmake/musl_compiler.cmake has made in MUSL, and who runs its programs."""
    made = f"{fact.MUSL}/room-{arch}"
    return ("musl-gcc", []) if arch == os.uname().machine else (f"{made}/cc", [f"qemu-{arch}", "-L", f"{made}/tree"])


def check_verdicts(*command, **options):
    """The command gives the golden verdicts."""
    with open(golden / "records.txt") as records:
        printed = run(*command, stdin=records, **options)
    expect(printed == (golden / "verdicts.txt").read_text(), f"{command}: other verdicts than {golden}/verdicts.txt")


def publish_jar(folder, artifact, jar, pom):
    """Puts a jar and its pom where Maven looks for them, by the version of the pom. The jar's new place."""
    version = re.search("(?m)^  <version>(.*)</version>", pathlib.Path(pom).read_text())[1]
    place = folder / "dev/lately" / artifact / version
    place.mkdir(parents=True)
    shutil.copy(pom, place / f"{artifact}-{version}.pom")
    return shutil.copy(jar, place / f"{artifact}-{version}.jar")


def java_flags(jdk, module="ALL-UNNAMED"):
    """The JDK's number, and what it is told so that it warns of no native code."""
    done = subprocess.run([f"{jdk}/bin/java", "-version"], stderr=subprocess.PIPE, text=True, check=True)
    number = int(re.search(r'version "(\d+)', done.stderr)[1])
    return number, [f"--enable-native-access={module}"] if number >= 24 else []


def write_program(file, text):
    file.parent.mkdir(parents=True, exist_ok=True)
    file.unlink() if file.exists() or file.is_symlink() else None
    file.write_text(text)
    file.chmod(0o755)
