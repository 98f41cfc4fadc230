"""The oldest Rust that Cargo.toml allows compiles what is published, and the C library. That compiler is Debian 13's: its packages
and what they need are unpacked in ROOM and not installed, and its dynamic linker runs it there, whatever glibc this machine has.
The rest is this machine's cargo."""
import os
import pathlib
import re
import shutil

from common import expect, expect_match, fact, run, source, write_program

wanted, = expect_match(r'(?m)^rust-version = "(\d+\.\d+)', (source / "Cargo.toml").read_text())
place = pathlib.Path(fact.ROOM)
tree = place / "tree"


def unpack_rust():
    """By lists of its own: those of this machine stay as they are."""
    apt = place / "apt"
    for folder in ["lists/partial", "cache/archives/partial"]:
        (apt / folder).mkdir(parents=True, exist_ok=True)
    (apt / "status").touch()
    (apt / "sources").write_text("deb [arch=amd64 signed-by=/usr/share/keyrings/debian-archive-keyring.gpg] "
                                 "http://deb.debian.org/debian trixie main\n")
    settings = [f"Dir::State={apt}", f"Dir::State::status={apt}/status", f"Dir::Cache={apt}/cache", f"Dir::Etc::sourcelist={apt}/sources",
                "Dir::Etc::sourceparts=/nowhere", "APT::Sandbox::User=root"]
    options = [word for setting in settings for word in ("-o", setting)]
    packages = f"""rustc libstd-rust-{wanted} libstd-rust-dev libllvm19 libc6 libgcc-s1 libstdc++6 zlib1g libzstd1 libtinfo6 libedit2
        libffi8 libxml2 liblzma5 libz3-4 libbsd0 libmd0 libgmp10""".split()
    run("apt-get", *options, "update")
    run("apt-get", *options, "download", *packages, cwd=apt)
    for deb in apt.glob("*.deb"):
        run("dpkg-deb", "-x", deb, apt / "tree")
    # Whole or not at all.
    (apt / "tree").rename(tree)
    shutil.rmtree(apt)


if not tree.exists():
    unpack_rust()
libraries = tree / "usr/lib/x86_64-linux-gnu"
rustc = place / "rustc"
write_program(rustc, f"""#!/bin/sh
exec '{libraries}/ld-linux-x86-64.so.2' --library-path '{libraries}' '{tree}/usr/bin/rustc' --sysroot '{tree}/usr' "$@"
""")
said = run(rustc, "--version")
expect(said.startswith(f"rustc {wanted}."), f"Cargo.toml says rust-version {wanted}, and Debian 13 has {said}")
for what in ["-p lately -p lately-cli", "-p lately --features serde,metrics", "-p lately-capi --lib"]:
    run(fact.CARGO, "check", *what.split(), "--locked", "--target-dir", place / "target", cwd=source,
        env={**os.environ, "RUSTC": str(rustc)})
