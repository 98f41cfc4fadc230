"""The libraries for musl are opened and asked by a program of musl, on this machine and by qemu on ARM, and ask for no library but
musl's own. Those for glibc are not opened by it: the test can fail."""
import re

from common import expect, fact, musl, room, run, source

run("cmake", "--build", fact.BUILD, "--target", "lately_java_musl")
includes = [f"-I{folder}" for folder in [source / "include", *fact.JNI_INCLUDES.split(",")]]
for arch, machine in [("x86_64", "Advanced Micro Devices X86-64"), ("aarch64", "AArch64")]:
    compiler, runner = musl(arch)
    opens = room / f"opens-{arch}"
    run(compiler, "-std=c11", "-Wall", "-Wextra", "-Werror", *includes, source / "tests/musl/opens.c", "-o", opens)
    library = f"{fact.JAVA_MUSL}/native/linux-{arch}-musl/liblately_jni.so"
    said = run(*runner, opens, library)
    expect(said == "opened\n", f"a program of musl opens {library}: {said}")
    said = run(*runner, opens, f"{fact.GLIBC}/liblately_jni.so", fails="")
    expect("opened" not in said, f"a program of musl opens what is for glibc: {fact.GLIBC}")
    text = run(fact.READELF, "-h", "-d", library)
    needed = set(re.findall(r"NEEDED.*\[(.*)\]", text))
    expect(needed <= {"libc.so"} and re.search(f"Machine: +{machine}\n", text),
           f"{library} is for another machine than {machine}, or needs {needed}:\n{text}")
