"""Two builds of copies of this tree, in two folders whose names differ in length too, give the same bytes: the shared library, the
archive, the jar with its natives, the command with its pages."""
import filecmp
import shutil

from common import expect, fact, room, run, source

made = [f"lib/liblately.so.{fact.VERSION}", "lib/liblately.a", "java/lately.jar", "cargo-tool/release/lately", "pages/lately.1",
        "pages/_lately", "licences/THIRD-PARTY-library.txt", "licences/THIRD-PARTY-tool.txt"]
folders = [room / "a", room / "another/longer-folder"]
for folder in folders:
    shutil.copytree(source, folder, symlinks=True, ignore=lambda place, names: {"target", "build", ".git"} & set(names)
                    if place == str(source) else set())
    run("cmake", "-S", folder, "-B", folder / "build", "-DLATELY_TESTS=ON", "-DCMAKE_BUILD_TYPE=RelWithDebInfo")
    run("cmake", "--build", folder / "build", "--target", "lately_rust", "lately_tool", "lately_java_jar")
_, different, absent = filecmp.cmpfiles(*[folder / "build" for folder in folders], made, shallow=False)
expect(not different and not absent, f"two builds differ in {different}, and have no {absent}")
