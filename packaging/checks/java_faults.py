"""Java where something is wrong. WHAT is
  noexec         a folder of temporary files that is mounted noexec is named; run in a namespace where mounts can be made
  planted_fault  the search for complaints of -Xcheck:jni: with one planted fault Maven's run must fail for it
  asan           the tests of the verbs with the sanitized glue. The JVM itself leaks some, so the reports are searched for ours
"""
import os
import pathlib
import re
import subprocess

from common import expect, expect_match, fact, room, run


def noexec():
    refused, allowed = room / "no exec", room / "exec"
    refused.mkdir()
    allowed.mkdir()
    run("mount", "-t", "tmpfs", "-o", "noexec", "none", refused)

    def stranger(temporary):
        return subprocess.run([f"{fact.JDK}/bin/java", f"-Djava.io.tmpdir={temporary}", "-cp", fact.JAR, fact.STRANGER],
                              stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True).stdout
    try:
        expect_match(r"UnsatisfiedLinkError: [^\n]*failed to map segment[^\n]*if [^\n]*/no exec/lately-\d+ is mounted noexec, "
                     "name another", stranger(refused))
        expect_match(r"^NEW DUPLICATE\n", stranger(allowed))
    finally:
        run("umount", refused)


def maven(*arguments, **expected):
    return run(fact.MVN, "--batch-mode", "--no-transfer-progress", "--file", fact.POM, f"-Dlately.build={fact.BUILD}",
               f"-Dlately.natives={fact.NATIVES}", *arguments, env={**os.environ, "JAVA_HOME": fact.JDK}, **expected)


def planted_fault():
    said = maven(f"-Dlately.stand-ins={fact.STAND_INS}", "-Dmaven.javadoc.skip=true", "-Dtest=PlantedFault",
                 "-Dit.test=JniReportsIT", "clean", "verify", fails="theTestsLeftNoComplaintOfTheJvm[^\n]*WARNING in native method")
    expect_match("Tests run: 1, Failures: 0, Errors: 0, Skipped: 0", said)


def asan():
    symbols = run(fact.NM, f"{fact.GLUE}/liblately_jni.so")
    expect("__asan_init" in symbols and "__ubsan_handle" in symbols, f"{fact.GLUE}/liblately_jni.so is not sanitized")
    preload = run(fact.CC, "-print-file-name=libasan.so").strip()
    # The JVM handles its own faults and has thread-local storage that the leak checker trips over. Three frames are enough to
    # tell who asked for memory; more would take minutes to print.
    options = ":".join(["handle_segv=0", "use_sigaltstack=0", "intercept_tls_get_addr=0", "detect_leaks=1", "symbolize=0",
                        "malloc_context_size=3", "exitcode=0", "print_suppressions=0", f"log_path={fact.BUILD}/asan"])
    tests = ("KeyVerbsTest,BatchTest,FilterTest,OptionsTest,StatusTest,TimeTest,VectorsTest,ClaimTest,SnapshotTest,"
             "LifetimeTest#closing*+the*")
    said = maven(f"-Dlately.native.dir={fact.GLUE}", f"-Dlately.preload={preload}", f"-Dlately.sanitizer={options}",
                 f"-Dtest={tests}", "clean", "test")
    expect_match(r"Tests run: [1-9]\d*, Failures: 0", said)
    reports = [report.read_text(errors="replace") for report in pathlib.Path(fact.BUILD).glob("asan.*")]
    for report in reports:
        # Ours is what the core or the glue asked for itself: the frame above malloc.
        fault = re.search(r"(runtime error|fatal error|ERROR: AddressSanitizer)[^\n]*|#1 [^\n]*lately[^\n]*", report)
        expect(not fault, f"{fault and fault[0]} in\n{report}")
    # A JVM always leaves something behind: a report without it would be one of a checker that did not look.
    expect(any("LeakSanitizer: detected memory leaks" in report for report in reports), f"no report of leaks in {fact.BUILD}")


globals()[fact.WHAT]()
