"""The archives of the module of Valkey and Redis: each has what it should; both servers load that for this machine and call its
commands; a program of arm64, run by qemu, opens the other and finds what a server would call, and does not open ours: it can fail."""
import shutil
import subprocess
import time

from common import expect, fact, room, run, source

modules = {}
for machine in ["x86_64", "aarch64"]:
    preset, name = f"glibc-{machine}", f"lately-valkey-{fact.VERSION}-linux-{machine}"
    run("cmake", "--preset", preset, cwd=source)
    run("cmake", "--build", source / "build" / preset, "--target", "lately_valkey_archive")
    shutil.unpack_archive(source / f"build/{preset}/valkey/{name}.tar.gz", room)
    files = sorted(file.name for file in (room / name).iterdir())
    expect(files == ["LICENSE-APACHE", "LICENSE-MIT", "README.md", "THIRD-PARTY.txt", "lately.so"], f"{name} has {files}")
    expect("redis-module 2" in (room / name / "THIRD-PARTY.txt").read_text(), f"{name}: THIRD-PARTY.txt does not name redis-module")
    modules[machine] = room / name / "lately.so"


def ask(program):
    """At a socket in the folder: port 0 is none."""
    socket, log = room / "socket", room / "log"
    socket.unlink(missing_ok=True)
    server = subprocess.Popen([program, "--port", "0", "--unixsocket", socket, "--save", "", "--dir", room, "--logfile", log,
                               "--loadmodule", modules["x86_64"]])
    try:
        for _ in range(600):
            expect(server.poll() is None, f"{program} ended: {log.exists() and log.read_text()}")
            if socket.exists():
                break
            time.sleep(0.1)
        client = [program[:-len("-server")] + "-cli", "-s", socket]
        said = run(*client, "LATELY.RESERVE", "seen", "WINDOW", 600000) + run(*client, "LATELY.MADD", "seen", "ITEMS", "a", "a", "b")
        expect(said == "OK\n1\n0\n1\n", f"{program}: {said}")
    finally:
        server.kill()
        server.wait()


for program in fact.SERVERS.split(","):
    ask(program)
(room / "opens.c").write_text("""#include <dlfcn.h>
#include <stdio.h>
int main(int argc, char **argv) {
    void *module = argc == 2 ? dlopen(argv[1], RTLD_NOW) : 0;
    puts(module && dlsym(module, "RedisModule_OnLoad") ? "opened" : dlerror());
    return 0;
}
""")
run("aarch64-linux-gnu-gcc", "-Wall", "-Wextra", "-Werror", "opens.c", "-o", "opens")
for machine, opened in [("aarch64", True), ("x86_64", False)]:
    said = run("qemu-aarch64", "-L", "/usr/aarch64-linux-gnu", "./opens", modules[machine])
    expect((said == "opened\n") == opened, f"a program of arm64, of {modules[machine]}: {said}")
