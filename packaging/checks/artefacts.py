"""What a built library or program is, apart from what it does. WHAT names one of the functions below."""
import os
import re

from common import expect, expect_match, expect_same, fact, needs, run


def listed():
    with open(fact.SYMBOLS) as lines:
        return lines.read().split()


def symbols(table, library, begins=""):
    """Functions and data that a library defines for others. By readelf: nm with a plugin of LLVM hides objects that have bitcode."""
    text = run(fact.READELF, "-W", table, library)
    return re.findall(rf"(?:FUNC|OBJECT|TLS) +(?:GLOBAL|WEAK|UNIQUE) +DEFAULT +\d+ ({begins}[^\n@ ]*)", text)


def exports():
    """A shared object exports exactly what SYMBOLS lists, if that is given, and ALSO."""
    wanted = (listed() if fact.SYMBOLS else []) + fact.ALSO.split()
    expect_same(symbols("--dyn-syms", fact.SHARED), wanted, fact.SHARED)


def archive():
    """The archive defines every name of the list and nothing else, of any visibility: a hidden name clashes like another."""
    expect_same(symbols("-s", fact.STATIC, "lately_"), listed(), fact.STATIC)
    text = run(fact.READELF, "-W", "-s", fact.STATIC)
    names = re.findall(r"(?:GLOBAL|WEAK|UNIQUE) +[A-Z]+ [^\n]*(?:\d|ABS|COM) ([^\n ]+)\n", text)
    expect_same(names, listed(), fact.STATIC)


def soname():
    """The loader gets the ABI's number of the header, and each function the version of the release that brought it."""
    said, = expect_match(r"\(SONAME\)[^\n]*\[([^]]*)\]", run(fact.READELF, "-d", fact.SHARED))
    expect(said == fact.SONAME, f"the SONAME is {said}, and LATELY_ABI_VERSION says {fact.SONAME}")
    functions = re.findall(r" lately_[^\n]*", run(fact.READELF, "-W", "--dyn-syms", fact.SHARED))
    bare = [name for name in functions if not re.fullmatch(r" lately_[a-z0-9_]+@@LATELY_0\.1", name)]
    expect(functions and not bare, f"{fact.SHARED} has functions without a version: {bare}")


def size():
    """The stripped library is at most a tenth larger than REACHED says; BLESS=1 writes that file."""
    now = os.path.getsize(fact.SHARED)
    if "BLESS" in os.environ:
        open(fact.REACHED, "w").write(f"{now}\n")
    reached = int(open(fact.REACHED).read())
    expect(now <= reached + reached // 10, f"{fact.SHARED} has {now} bytes, and {reached} were reached")
    sections = run(fact.READELF, "-S", "-W", fact.SHARED)
    expect(not re.search(r"\.(symtab|debug_info)", sections), f"{fact.SHARED} is not stripped")


def dll():
    """The DLL exports the list, its import library offers the same, and it needs nothing that is not part of Windows."""
    text = run(fact.OBJDUMP, "-p", fact.DLL)
    table, = expect_match(r"Ordinal/Name Pointer\] Table[^\n]*\n((?:\t[^\n]*\n)+)", text)
    expect_same(re.findall(r"(?m)\] (\w+)$", table), listed(), fact.DLL)
    expect_same(re.findall(r"I __imp_(\w+)", run(fact.NM, fact.IMPORT)), listed(), fact.IMPORT)
    own = r"(kernel32|ntdll|msvcrt|userenv|ws2_32|bcryptprimitives|api-ms-win-[a-z0-9-]+)\.dll"
    names = [name.lower() for name in needs(fact.DLL)]
    expect(names and all(re.fullmatch(own, name) for name in names), f"{fact.DLL} needs {names}")


def floor():
    """No symbol of FILES asks for a glibc after FLOOR. A file that asks for none is no program of glibc, which is a mistake."""
    def number(version):
        return [int(part) for part in version.split(".")]
    for file in fact.FILES.split(","):
        versions = set(re.findall(r"GLIBC_([0-9.]+)", run(fact.OBJDUMP, "-T", file)))
        late = [version for version in versions if number(version) > number(fact.FLOOR)]
        expect(versions and not late, f"{file} asks for glibc {late or 'of no version'}, and {fact.FLOOR} is the floor")


def asan():
    """A program has the sanitizers in it, and the library's own code asks them."""
    names = run(fact.NM, fact.PROGRAM)
    for name in ["__asan_init", "__asan_report_load", "__ubsan_handle"]:
        expect(name in names, f"{fact.PROGRAM} has no {name}: it was built without the sanitizers")


globals()[fact.WHAT]()
