# What cmake/debian.cmake needs of this build: the folder of libraries as Debian has it, with the files that name it, and
# the changelog.

execute_process(COMMAND ${LATELY_DPKG_ARCHITECTURE} -qDEB_HOST_MULTIARCH OUTPUT_VARIABLE LATELY_MULTIARCH
    OUTPUT_STRIP_TRAILING_WHITESPACE COMMAND_ERROR_IS_FATAL ANY)
set(LATELY_DEBIAN_DIR ${PROJECT_BINARY_DIR}/debian)
set(LATELY_DEBIAN_LIBDIR lib/${LATELY_MULTIARCH})
block()
    set(CMAKE_INSTALL_LIBDIR ${LATELY_DEBIAN_LIBDIR})
    lately_write_descriptions(${LATELY_DEBIAN_DIR})
endblock()

# The changes of a version stand in CHANGELOG.md; Debian wants to know when and by whom.
file(CONFIGURE OUTPUT ${LATELY_DEBIAN_DIR}/changelog @ONLY NEWLINE_STYLE UNIX CONTENT
"lately (@PROJECT_VERSION@) unstable; urgency=medium

  * What changed stands in CHANGELOG.md of the sources.

 -- the lately developers <packages@lately.invalid>  Thu, 01 Jan 2026 00:00:00 +0000
")
set(facts)
foreach(fact LATELY_DEBIAN_DIR LATELY_DEBIAN_LIBDIR LATELY_RUNTIME_PACKAGE LATELY_TOOLS_PACKAGE)
    string(APPEND facts "set(${fact} \"${${fact}}\")\n")
endforeach()
file(WRITE ${LATELY_DEBIAN_DIR}/facts.cmake "${facts}")
set(CPACK_LATELY_DEBIAN_FACTS ${LATELY_DEBIAN_DIR}/facts.cmake)
set(CPACK_POST_BUILD_SCRIPTS ${PROJECT_SOURCE_DIR}/cmake/debian.cmake)
