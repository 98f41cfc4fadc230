"""Builds the wheels of a release, for every platform, and the sources. `cmake --build --preset check --target lately_python_wheels`.

Zig links for all platforms, against the oldest glibc that a wheel may ask for. Rust needs its library for each target:

    rustup target add x86_64-unknown-linux-musl aarch64-unknown-linux-gnu aarch64-unknown-linux-musl x86_64-pc-windows-gnu
"""

import argparse
import subprocess
import sys
from pathlib import Path

HERE = Path(__file__).resolve().parent

# Target of Rust, and the tag of a wheel.
PLATFORMS = {
    "x86_64-unknown-linux-gnu": "manylinux2014",
    "aarch64-unknown-linux-gnu": "manylinux2014",
    "x86_64-unknown-linux-musl": "musllinux_1_2",
    "aarch64-unknown-linux-musl": "musllinux_1_2",
    "x86_64-pc-windows-gnu": "pypi",
}

# The versions of CPython without a GIL: they do not take the one wheel of all others.
FREE_THREADED = ["3.14t"]


def maturin(*arguments: str) -> None:
    command = [sys.executable, "-m", "maturin", *arguments, "--manifest-path", str(HERE / "Cargo.toml")]
    print("+", *command, flush=True)
    subprocess.run(command, check=True)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--out", required=True)
    parser.add_argument("--only", choices=PLATFORMS, action="append", help="build for this target alone")
    given = parser.parse_args()
    for target in given.only or PLATFORMS:
        build = ["build", "--release", "--locked", "--zig", "--target", target]
        build += ["--compatibility", PLATFORMS[target], "--out", given.out]
        maturin(*build, "--interpreter", "python3.11")
        for version in FREE_THREADED:
            maturin(*build, "--no-default-features", "--interpreter", f"python{version}")
    if not given.only:
        maturin("sdist", "--out", given.out)


if __name__ == "__main__":
    main()
