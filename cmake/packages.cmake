# `cpack`: one Debian package for each component, and one archive with all of them.
#   liblately<abi>_<version>_<arch>.deb   liblately-dev_...deb   lately_...deb   lately-<version>-<system>-<arch>.tar.gz
# For another machine, and where there are no tools of Debian, the archive only; for Windows it is a .zip.

# What is packed was built before: cpack itself builds nothing.
set(CMAKE_SKIP_INSTALL_ALL_DEPENDENCY ON)
set(CPACK_GENERATOR DEB TGZ)
find_program(LATELY_DPKG_ARCHITECTURE dpkg-architecture)
if(WIN32)
    set(CPACK_GENERATOR ZIP)
elseif(NOT CMAKE_SYSTEM_PROCESSOR STREQUAL CMAKE_HOST_SYSTEM_PROCESSOR OR NOT LATELY_DPKG_ARCHITECTURE)
    set(CPACK_GENERATOR TGZ)
else()
    # What cmake/debian.cmake needs: the folder of libraries as Debian has it, and the files that name it.
    execute_process(COMMAND ${LATELY_DPKG_ARCHITECTURE} -qDEB_HOST_MULTIARCH OUTPUT_VARIABLE multiarch
        OUTPUT_STRIP_TRAILING_WHITESPACE COMMAND_ERROR_IS_FATAL ANY)
    set(CPACK_LATELY_LIBDIR lib/${multiarch})
    set(CPACK_LATELY_DESCRIPTIONS ${PROJECT_BINARY_DIR}/debian)
    block()
        set(CMAKE_INSTALL_LIBDIR ${CPACK_LATELY_LIBDIR})
        lately_write_descriptions(${CPACK_LATELY_DESCRIPTIONS})
    endblock()
    set(CPACK_POST_BUILD_SCRIPTS ${PROJECT_SOURCE_DIR}/cmake/debian.cmake)
endif()
set(CPACK_PACKAGE_NAME lately)
set(CPACK_PACKAGE_VENDOR "the lately developers")
set(CPACK_PACKAGE_CONTACT "the lately developers <packages@lately.invalid>")
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "Duplicate detection in unbounded streams, in bounded memory")
set(CPACK_PACKAGE_VERSION ${PROJECT_VERSION})
string(TOLOWER ${CMAKE_SYSTEM_NAME} lately_system)
set(CPACK_PACKAGE_FILE_NAME lately-${PROJECT_VERSION}-${lately_system}-${CMAKE_SYSTEM_PROCESSOR})
set(CPACK_PACKAGE_DIRECTORY ${PROJECT_BINARY_DIR}/packages)
set(CPACK_THREADS 0)
set(CPACK_COMPONENTS_ALL runtime development)
if(LATELY_BUILD_CLI)
    list(APPEND CPACK_COMPONENTS_ALL tools)
endif()
set(CPACK_ARCHIVE_COMPONENT_INSTALL OFF)

set(CPACK_DEB_COMPONENT_INSTALL ON)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
# In haste: cmake/debian.cmake packs them once more, by xz.
set(CPACK_DEBIAN_COMPRESSION_TYPE gzip)
set(CPACK_DEBIAN_PACKAGE_CONTROL_STRICT_PERMISSION ON)
# What a package needs is read off its programs.
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)

set(CPACK_DEBIAN_RUNTIME_PACKAGE_NAME ${LATELY_RUNTIME_PACKAGE})
set(CPACK_DEBIAN_RUNTIME_PACKAGE_SECTION libs)
# What a package needs that is linked to ours. cpack also makes the scripts that renew the loader's cache.
set(CPACK_DEBIAN_PACKAGE_GENERATE_SHLIBS ON)
set(CPACK_DEBIAN_PACKAGE_GENERATE_SHLIBS_POLICY ">=")
set(CPACK_COMPONENT_RUNTIME_DESCRIPTION "Have I seen this lately? The shared library.")

set(CPACK_DEBIAN_DEVELOPMENT_PACKAGE_NAME ${LATELY_DEVELOPMENT_PACKAGE})
set(CPACK_DEBIAN_DEVELOPMENT_PACKAGE_SECTION libdevel)
# The link liblately.so leads to a file of the runtime package, of just this version.
set(CPACK_DEBIAN_DEVELOPMENT_PACKAGE_DEPENDS "${LATELY_RUNTIME_PACKAGE} (= ${PROJECT_VERSION})")
set(CPACK_DEBIAN_DEVELOPMENT_PACKAGE_SHLIBDEPS OFF)
set(CPACK_COMPONENT_DEVELOPMENT_DESCRIPTION "Have I seen this lately? Headers for C and C++, and the archive.")

set(CPACK_DEBIAN_TOOLS_PACKAGE_NAME ${LATELY_TOOLS_PACKAGE})
set(CPACK_DEBIAN_TOOLS_PACKAGE_SECTION utils)
set(CPACK_COMPONENT_TOOLS_DESCRIPTION "Have I seen this lately? First sightings of a stream, on the shell.")

include(CPack)
