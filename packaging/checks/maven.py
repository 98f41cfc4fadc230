"""Publishing to Maven Central without Central: the profile `publish` signs with a key that is thrown away, and packs what it would
upload: the jar, its sources, its documentation and the pom, each with a good signature and its sums; the pom has what Central
asks for. Nothing is uploaded. With JAR, the jar that would be published must be that one, byte for byte."""
import filecmp
import hashlib
import os
import shutil

from common import expect, fact, room, run, source

gpg = shutil.which("gpg")
expect(gpg, "gpg is not installed: apt-get install gpg gpg-agent")
os.environ.update(GNUPGHOME=str(room / "keys"), JAVA_HOME=fact.JDK)
(room / "keys").mkdir(mode=0o700)
try:
    run(gpg, "--batch", "--quiet", "--pinentry-mode", "loopback", "--passphrase", "", "--quick-generate-key",
        "nobody <none@lately.invalid>", "ed25519", "sign", "never")
    # A token that is none: an upload would be refused.
    (room / "settings.xml").write_text("<settings><servers><server><id>central</id><username>none</username>"
                                       "<password>none</password></server></servers></settings>\n")
    run(fact.MVN, "--batch-mode", "--no-transfer-progress", "--settings", room / "settings.xml", "--file",
        source / "bindings/java/pom.xml", "-P", "publish", "-DskipPublishing=true", "-Dmaven.install.skip=true",
        "-Dmaven.test.skip=true", f"-Dlately.build={room}/build", f"-Dlately.natives={fact.NATIVES}", "deploy")
    bundle, = (room / "build/central-publishing").glob("*.zip")
    shutil.unpack_archive(bundle, room / "bundle")
    folder = room / "bundle/dev/lately/lately" / fact.VERSION
    for ending in [".jar", "-sources.jar", "-javadoc.jar", ".pom"]:
        file = folder / f"lately-{fact.VERSION}{ending}"
        run(gpg, "--batch", "--verify", f"{file}.asc", file)
        for kind in ["md5", "sha1"]:
            wanted = open(f"{file}.{kind}").read().split()[0]
            expect(hashlib.new(kind, file.read_bytes()).hexdigest() == wanted, f"{file}.{kind} is {wanted}, which is wrong")
    pom = (folder / f"lately-{fact.VERSION}.pom").read_text()
    for element in ["name", "description", "url", "licenses", "developers", "scm"]:
        expect(f"\n  <{element}>" in pom, f"the pom has no <{element}>, which Maven Central asks for")
    jar = folder / f"lately-{fact.VERSION}.jar"
    expect(not fact.JAR or filecmp.cmp(fact.JAR, jar, shallow=False), f"{jar} is not {fact.JAR}")
    # A signature is of one file: this check can fail.
    jar.write_bytes(jar.read_bytes() + b"x")
    run(gpg, "--batch", "--verify", f"{jar}.asc", jar, fails="BAD signature")
finally:
    run("gpgconf", "--kill", "all")
