# The library for a platform that is not this machine: built here, and its tests run there, by qemu or Wine.
#     cmake --workflow --preset aarch64     (or s390x, windows; CONTRIBUTING.md says what each one proves)
# The toolchain files beside this one install what they need and say who runs the programs.

enable_language(CXX)
enable_testing()
include(GNUInstallDirs)
include(cmake/platforms/rust.cmake)
add_subdirectory(c_tests)
add_subdirectory(bindings/cpp)
add_subdirectory(bindings/cpp/tests)
include(cmake/glue.cmake)
if(WIN32)
    include(cmake/platforms/windows_tests.cmake)
else()
    include(cmake/platforms/suite.cmake)
    include(cmake/artefacts.cmake)
endif()
include(cmake/platforms/dedup.cmake)
