"""cpack's packages: the archive has every file; the three Debian packages have Debian's form, go into a root of their own, the
outside projects are built against them, and their removal leaves nothing."""
import os
import pathlib
import re
import shutil
import subprocess

from common import expect, expect_match, fact, room, run, script
from installed import check_files, files_below

packages = [f"liblately{fact.ABI}", "liblately-dev", "lately"]
root = room / "root"
# Only root may enter another root; anybody else is root in a namespace of his own.
as_root = [] if os.getuid() == 0 else ["unshare", "--map-root-user"]
dpkg = [*as_root, fact.DPKG, f"--root={root}"]
components = ["runtime", "development", "tools"]


def copy_program(program):
    """A program of this machine and the libraries that it loads, at the same places in the root."""
    loaded = subprocess.run(["ldd", program], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True).stdout
    for file in [program, *re.findall(r"/\S+", loaded)]:
        place = root / file[1:]
        place.parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(file, place)


def make_root():
    """Nothing is installed there but what the packages say they need, in this machine's versions, and what of libc-bin hears the
    trigger of libraries: the loader's ldconfig, and the shell for the script that calls it."""
    database = root / "var/lib/dpkg"
    for folder in [database / "updates", database / "info", database / "triggers", root / "etc", root / "tmp"]:
        folder.mkdir(parents=True)
    needed = ["libc6", "libgcc-s1", "libc-bin"]
    form = ("Package: ${Package}\\nStatus: install ok installed\\nMaintainer: none\\nArchitecture: ${Architecture}\\n"
            "Multi-Arch: same\\nVersion: ${Version}\\nDescription: none\\n\\n")
    (database / "status").write_text(run("dpkg-query", "--show", "--showformat", form, *needed))
    for name in needed:
        (database / f"info/{name}.list").touch()
    (database / "info/libc-bin.triggers").write_text("interest-await ldconfig\n")
    (database / "triggers/ldconfig").write_text("libc-bin\n")
    (database / "info/libc-bin.postinst").write_text("#!/bin/sh\n/sbin/ldconfig\n")
    (database / "info/libc-bin.postinst").chmod(0o755)
    shutil.copy("/etc/ld.so.conf", root / "etc")
    shutil.copytree("/etc/ld.so.conf.d", root / "etc/ld.so.conf.d")
    copy_program("/bin/sh")
    copy_program("/sbin/ldconfig")


def check_form(debs):
    """Two architectures may be installed side by side, dpkg-shlibdeps did look, and Debian's own checker finds no fault."""
    for name, deb in zip(packages, debs):
        fields = run("dpkg-deb", "--field", deb, "Multi-Arch", "Depends")
        expect_match(f"Multi-Arch: {'foreign' if name == 'lately' else 'same'}\n", fields)
        expect(name == "liblately-dev" or "libc6 (>= " in fields, f"{name} depends on {fields}")
    run(fact.LINTIAN, "--allow-root", "--fail-on", "error,warning", *debs)


def check_loader(knows):
    said = run(*as_root, "chroot", root, "/sbin/ldconfig", "-p")
    expect((f"{fact.SONAME} " in said) == knows, f"the loader must know {fact.SONAME}: {knows}. It knows\n{said}")


listed = pathlib.Path(fact.LIST).read_text()
run("cmake", "-E", "chdir", fact.BUILD, "cpack", "-B", room / "packed")
archive, = (room / "packed").glob(f"lately-{fact.VERSION}-*.tar.gz")
shutil.unpack_archive(archive, room / "archive")
check_files(room / "archive" / archive.name[:-len(".tar.gz")], components, listed)

debs = [next((room / "packed").glob(f"{package}_{fact.VERSION}_*.deb")) for package in packages]
check_form(debs)
make_root()
before = files_below(root)
# Without the library the headers are unpacked, but not configured: dpkg names what is missing.
run(*dpkg, "--install", debs[1], fails=rf"liblately-dev(:[a-z0-9]+)? depends on liblately{fact.ABI} \(= {re.escape(fact.VERSION)}\)")
run(*dpkg, "--install", *debs)
# Debian's form: libraries in the folder of their architecture, a changelog, pages that are compressed.
libdir = f"{fact.LIBDIR}/{run('dpkg-architecture', '-qDEB_HOST_MULTIARCH').strip()}"
listed = re.sub(r"(man1/[a-z-]+\.1)\n", r"\1.gz\n", listed)
listed = re.sub(r"([a-z]+ share/doc/[^/]+)/copyright\n", r"\g<0>\1/changelog.gz\n", listed)
check_files(root / "usr", components, listed, LIBDIR=libdir)
said = run(root / "usr/bin/lately", "--version")
expect(said == f"lately {fact.VERSION}\n", f"the installed command says {said}")
check_loader(True)
# What the projects refuse does not depend on where the library came from: the tests consumer.* have it.
facts = {**vars(fact), "MOVE": "OFF", "BRIEF": "ON", "PREFIX": f"{root}/usr", "LIBDIR": libdir}
for road in fact.ROADS.split(","):
    for linkage in ["shared", "static"]:
        script("checks/consumer.py", **{**facts, "ROAD": road, "LINKAGE": linkage})
run(*dpkg, "--purge", *packages)
check_loader(False)
left = [file for file in set(files_below(root)) - set(before)
        if not re.match(r"var/lib/dpkg/|etc/ld\.so\.cache$|var/cache/ldconfig/", file)]
expect(not left, f"after the removal there are still {left}")
