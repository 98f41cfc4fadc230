"""lately for Conan 2, built from source as ConanCenter asks: by CMake, with the Rust that is on the PATH.

conandata.yml has the address and the sum of the sources. packaging/recipe.py writes it; a release has the recipe with
it as dist/conan/.
"""
import os
import shutil

from conan import ConanFile
from conan.errors import ConanInvalidConfiguration
from conan.tools.cmake import CMake, CMakeToolchain, cmake_layout
from conan.tools.files import copy, get

required_conan_version = ">=2.0"


class LatelyConan(ConanFile):
    name = "lately"
    version = "@VERSION@"
    description = "Duplicate detection in unbounded streams, in bounded memory"
    license = ("MIT", "Apache-2.0")
    homepage = "https://github.com/lately/lately"
    url = homepage
    topics = ("bloom-filter", "deduplication", "stream", "window")
    package_type = "library"
    settings = "os", "arch", "compiler", "build_type"
    options = {"shared": [True, False]}
    default_options = {"shared": False}

    def layout(self):
        cmake_layout(self, src_folder="src")

    def validate(self):
        if self.settings.os != "Linux":
            raise ConanInvalidConfiguration(f"lately builds for Linux, and os is {self.settings.os}")

    def validate_build(self):
        if self.settings.arch != self.settings_build.arch:
            raise ConanInvalidConfiguration(
                f"lately is built on the architecture that it is for: arch is {self.settings.arch}, and that of the "
                f"build profile {self.settings_build.arch}"
            )
        if shutil.which("cargo") is None:
            raise ConanInvalidConfiguration("lately needs cargo on the PATH: Rust 1.85 or later, from https://rustup.rs")

    def package_id(self):
        # A C ABI: any compiler and any build type may use it.
        del self.info.settings.compiler
        del self.info.settings.build_type

    def source(self):
        get(self, **self.conan_data["sources"][self.version], strip_root=True)

    def generate(self):
        toolchain = CMakeToolchain(self)
        toolchain.cache_variables["LATELY_BUILD_CLI"] = False
        toolchain.generate()

    def build(self):
        cmake = CMake(self)
        cmake.configure()
        cmake.build()

    def package(self):
        installed = os.path.join(self.build_folder, "installed")
        # Of the licences: those of what is linked in, too.
        self.run(f'cmake --install "{self.build_folder}" --prefix "{installed}"')
        licences = os.path.join(installed, "share", "doc", "liblately-dev")
        copy(self, "*", licences, os.path.join(self.package_folder, "licenses"))
        copy(self, "*.h*", os.path.join(installed, "include"), os.path.join(self.package_folder, "include"))
        libraries = os.path.join(installed, "lib")
        for pattern in ["liblately.so*"] if self.options.shared else ["liblately.a"]:
            copy(self, pattern, libraries, os.path.join(self.package_folder, "lib"))

    def package_info(self):
        self.cpp_info.libs = ["lately"]
        self.cpp_info.set_property("cmake_file_name", "lately")
        self.cpp_info.set_property("cmake_target_name", "lately::lately")
        self.cpp_info.set_property("cmake_target_aliases", ["lately::cpp"])
        self.cpp_info.set_property("pkg_config_name", "lately")
        if not self.options.shared:
            self.cpp_info.system_libs = ["util", "rt", "pthread", "m", "dl"]
