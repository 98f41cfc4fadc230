"""The recipe for Conan or the port for vcpkg, with the address and the sum of the packed sources.

python3 recipe.py conan|vcpkg <version> <folder with the sources> <where they will be> <folder to make>
"""
import hashlib
import pathlib
import shutil
import sys

tool, version, sources, url, out = sys.argv[1:]
name = f"lately-{version}-source.tar.gz"
packed = pathlib.Path(sources, name).read_bytes()
out = pathlib.Path(shutil.copytree(pathlib.Path(__file__).parent / tool, out, ignore=shutil.ignore_patterns("check*", "build_port*")))
if tool == "conan":
    facts = f'sources:\n  "{version}":\n    url: "{url}/{name}"\n    sha256: "{hashlib.sha256(packed).hexdigest()}"\n'
    (out / "conandata.yml").write_text(facts)
else:
    facts = f'set(LATELY_URL "{url}/{name}")\nset(LATELY_NAME "{name}")\nset(LATELY_SHA512 {hashlib.sha512(packed).hexdigest()})\n'
    (out / "sources.cmake").write_text(facts)
main = out / ("conanfile.py" if tool == "conan" else "vcpkg.json")
main.write_text(main.read_text().replace("@VERSION@", version))
