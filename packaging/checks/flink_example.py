"""The example job of engines/flink over the stream of the dedup programs: every duplicate within the window is found, and no more
records are held back than the error rate allows.
  ROAD     maven: in the project itself, by the command MAVEN. gradle: in engines/flink/examples/gradle, outside the tree, with
           nothing but what is published: what Maven packed in BUILT, and the jar BINDING
  STREAM   the program that writes the stream, and to its argument "read new duplicate"
"""
import os
import pathlib
import re
import shutil

from common import expect, expect_match, fact, publish_jar, room, run, source


def run_in_gradle():
    flink = source / "engines/flink"
    packed, = pathlib.Path(fact.BUILT).glob("lately-flink-*.jar")
    publish_jar(room / "published", "lately-flink", packed, f"{fact.BUILT}/flattened-pom.xml")
    publish_jar(room / "published", "lately", fact.BINDING, source / "bindings/java/pom.xml")
    project = pathlib.Path(shutil.copytree(flink / "examples/gradle", room / "project"))
    example = project / "src/main/java/example"
    example.mkdir(parents=True)
    shutil.copy(flink / "src/test/java/example/FirstSightings.java", example)
    (room / "init.gradle").write_text(f"allprojects {{ repositories {{ maven {{ url 'file://{room}/published' }} }} }}\n")
    # Flink comes out of the repository of this machine, as far as it is there.
    here = re.findall(r"-Dmaven\.repo\.local=\S+", os.environ.get("MAVEN_OPTS", ""))
    run(fact.GRADLE, "--no-daemon", "--quiet", "--gradle-user-home", room / "home", "--init-script", room / "init.gradle", *here,
        "installDist", cwd=project, env={**os.environ, "JAVA_HOME": fact.JDK})
    return run(project / "build/install/first-sightings/bin/first-sightings", room / "stream")


(room / "stream").write_bytes(run(fact.STREAM, room / "truth").encode(errors="surrogateescape"))
read, new, duplicates = [int(number) for number in (room / "truth").read_text().split(";")]
if fact.ROAD == "gradle":
    said = run_in_gradle()
else:
    said = run(*fact.MAVEN.split(","), "test-compile", "org.codehaus.mojo:exec-maven-plugin:3.5.0:exec", "-Dexec.executable=java",
               "-Dexec.classpathScope=test", f"-Dexec.args=-Xmx768m -cp %classpath example.FirstSightings {room}/stream")
found = [int(number) for number in expect_match(r"read (\d+), new (\d+), duplicates (\d+)", said)]
# One in a million of the new ones, and 5 that chance may add to so few in less than one case of two hundred.
wrong = found[2] - duplicates
expect(found[0] == found[1] + found[2] == read and 0 <= wrong <= new // 1000000 + 5,
       f"the example says {found}, and exactly it is {[read, new, duplicates]}")
print(f"{wrong} of {new} new records were held back")
