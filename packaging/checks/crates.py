"""The crates as a registry would serve them. WHAT is
  crate    CRATE packed alone, away from the tree, has its licences, builds and passes its tests; one that uses the library gets
           the packed library
  publish  cargo would publish lately and lately-cli, and no other: it packs and builds them, and nothing is uploaded
"""
import re
import shutil

from common import expect, fact, room, run, source


def crate():
    # Both at once: cargo then knows where the one that the registry does not have comes from.
    run(fact.CARGO, "package", "-p", "lately", "-p", "lately-cli", "--locked", "--no-verify", "--allow-dirty", "--quiet",
        "--target-dir", room / "packed", cwd=source)
    for name in ["lately", "lately-cli"]:
        shutil.unpack_archive(room / f"packed/package/{name}-{fact.VERSION}.crate", room, "gztar")
    folder = room / f"{fact.CRATE}-{fact.VERSION}"
    for file in ["LICENSE-MIT", "LICENSE-APACHE", "README.md"]:
        expect((folder / file).exists(), f"{fact.CRATE} is packed without {file}")
    library = room / f"lately-{fact.VERSION}"
    patch = ["--config", f"patch.crates-io.lately.path='{library}'"] if fact.CRATE != "lately" else []
    run(fact.CARGO, "test", "--offline", "--quiet", "--no-fail-fast", *patch, "--target-dir", fact.CARGO_DIR, cwd=folder)
    if fact.CRATE == "lately":
        # A program that uses the library gets what it links, and none of the crates of this repository's tests.
        user = room / "user"
        (user / "src").mkdir(parents=True)
        (user / "src/main.rs").write_text("fn main() {}\n")
        (user / "Cargo.toml").write_text('[package]\nname = "user"\nversion = "0.1.0"\nedition = "2024"\n\n[workspace]\n\n'
                                         f'[dependencies]\nlately = {{ path = "{library}" }}\n')
        run(fact.CARGO, "generate-lockfile", "--offline", "--quiet", cwd=user)
        names = re.findall('(?m)^name = "(.*)"', (user / "Cargo.lock").read_text())
        unasked = {"cbindgen", "fastbloom", "hashbrown", "metrics", "postcard", "serde", "serde_json", "shuttle"} & set(names)
        expect("lately" in names and not unasked, f"the lock file of a program that uses lately has {names}")


def publish():
    said = run("sh", "-c", '"$@" 2>&1', "sh", fact.CARGO, "publish", "--dry-run", "--workspace", "--locked", "--allow-dirty",
               "--target-dir", room / "target", cwd=source)
    uploaded = sorted(re.findall(r"Uploading (\S+) v(\S+) \(", said))
    wanted = [("lately", fact.VERSION), ("lately-cli", fact.VERSION)]
    expect(uploaded == wanted, f"cargo would publish {uploaded}, and not {wanted}:\n{said}")


globals()[fact.WHAT]()
