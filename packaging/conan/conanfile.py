"""lately for Conan 2, out of the archives of a release: nothing is compiled, and no Rust is needed.

conandata.yml has the address and the sum of each archive. cmake/conan_recipe.cmake writes it; a release has the recipe with
it as dist/conan/.
"""
import os

from conan import ConanFile
from conan.errors import ConanInvalidConfiguration
from conan.tools.files import copy, get

required_conan_version = ">=2.0"


class LatelyConan(ConanFile):
    name = "lately"
    description = "Duplicate detection in unbounded streams, in bounded memory"
    license = ("MIT", "Apache-2.0")
    homepage = "https://github.com/lately/lately"
    url = homepage
    topics = ("bloom-filter", "deduplication", "stream", "window")
    package_type = "library"
    settings = "os", "arch", "compiler", "build_type"
    options = {"shared": [True, False]}
    default_options = {"shared": False}

    def _archive(self):
        """The archive for this platform, or None."""
        platform = f"{self.settings.os}-{self.settings.arch}"
        return self.conan_data["archives"].get(platform)

    def validate(self):
        if self._archive() is None:
            there = ", ".join(sorted(self.conan_data["archives"]))
            raise ConanInvalidConfiguration(
                f"lately {self.version} has no archive for {self.settings.os}-{self.settings.arch}, only for {there}: "
                "build it from source with CMake"
            )
        if self.settings.get_safe("compiler.libc") == "musl":
            raise ConanInvalidConfiguration("the archives are for glibc: build lately from source with CMake")

    def package_id(self):
        # A C ABI: any compiler and any build type may use it.
        del self.info.settings.compiler
        del self.info.settings.build_type

    def build(self):
        get(self, **self._archive(), strip_root=True)

    def package(self):
        licences = os.path.join(self.build_folder, "share", "doc", "liblately-dev")
        copy(self, "*", licences, os.path.join(self.package_folder, "licenses"))
        copy(self, "*.h*", os.path.join(self.build_folder, "include"), os.path.join(self.package_folder, "include"))
        libraries = os.path.join(self.build_folder, "lib")
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
