"""Builds the wheels of a release, for every platform, and the sources. `cmake --build --preset check --target lately_python_wheels`.

Zig links for all platforms, against the oldest glibc that a wheel may ask for. Rust needs its library for each target:

    rustup target add x86_64-unknown-linux-musl aarch64-unknown-linux-gnu aarch64-unknown-linux-musl x86_64-pc-windows-gnu
"""

import argparse
import shutil
import subprocess
import sys
from pathlib import Path

HERE = Path(__file__).resolve().parent
ROOT = HERE.parents[1]

# Target of Rust, and the tag of a wheel.
PLATFORMS = {
    "x86_64-unknown-linux-gnu": "manylinux2014",
    "aarch64-unknown-linux-gnu": "manylinux2014",
    "x86_64-unknown-linux-musl": "musllinux_1_2",
    "aarch64-unknown-linux-musl": "musllinux_1_2",
    "x86_64-pc-windows-gnu": "pypi",
}

# The versions of CPython without a GIL: they do not take the one wheel of all others. On Linux only.
FREE_THREADED = ["3.14t"]


def write_licences() -> None:
    """The terms that every wheel has, next to Cargo.toml: ours, and of what is linked in on any platform."""
    for name in ("LICENSE-MIT", "LICENSE-APACHE"):
        shutil.copyfile(ROOT / name, HERE / name)
    command = ["cargo", "run", "--quiet", "--locked", "--manifest-path", str(ROOT / "Cargo.toml"), "-p", "packaging"]
    command += ["--bin", "licences", "--", str(HERE), "lately-python", *PLATFORMS]
    terms = subprocess.run(command, check=True, stdout=subprocess.PIPE).stdout
    (HERE / "LICENSE-THIRD-PARTY.txt").write_bytes(terms)


def maturin(*arguments: str) -> None:
    command = [sys.executable, "-m", "maturin", *arguments, "--manifest-path", str(HERE / "Cargo.toml")]
    print("+", *command, flush=True)
    subprocess.run(command, check=True)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--out", help="the folder of the wheels; without it the licences alone are written")
    parser.add_argument("--only", choices=PLATFORMS, action="append", help="build for this target alone")
    given = parser.parse_args()
    write_licences()
    if not given.out:
        return
    for target in given.only or PLATFORMS:
        build = ["build", "--release", "--locked", "--zig", "--target", target]
        build += ["--compatibility", PLATFORMS[target], "--out", given.out]
        maturin(*build, "--interpreter", "python3.11")
        for version in FREE_THREADED if "linux" in target else []:
            maturin(*build, "--no-default-features", "--interpreter", f"python{version}")
    if not given.only:
        maturin("sdist", "--out", given.out)


if __name__ == "__main__":
    main()
