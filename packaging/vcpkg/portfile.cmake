# lately for vcpkg, built from source as its registry asks: by CMake, with the Rust that is on the PATH. sources.cmake has the
# address and the sum of the sources; packaging/recipe.py writes it, and a release has the port with it as dist/vcpkg/.
include("${CMAKE_CURRENT_LIST_DIR}/sources.cmake")

find_program(CARGO cargo)
if(NOT CARGO)
    message(FATAL_ERROR "lately needs cargo on the PATH: Rust 1.85 or later, from https://rustup.rs")
endif()

vcpkg_download_distfile(ARCHIVE
    URLS "${LATELY_URL}"
    FILENAME "${LATELY_NAME}"
    SHA512 "${LATELY_SHA512}")
vcpkg_extract_source_archive(SOURCE_PATH ARCHIVE "${ARCHIVE}")

# A C ABI: one build is for debugging and for release.
set(VCPKG_BUILD_TYPE release)
vcpkg_cmake_configure(SOURCE_PATH "${SOURCE_PATH}" OPTIONS -DLATELY_BUILD_CLI=OFF "-DCARGO=${CARGO}")
# The target `install` builds nothing.
vcpkg_cmake_build()
vcpkg_cmake_install()

# The triplet says which of the two libraries: the description for CMake goes by what is there, that for pkg-config by name.
set(libraries "${CURRENT_PACKAGES_DIR}/lib")
if(VCPKG_LIBRARY_LINKAGE STREQUAL "static")
    file(GLOB unwanted "${libraries}/liblately.so*")
    file(RENAME "${libraries}/pkgconfig/lately-static.pc" "${libraries}/pkgconfig/lately.pc")
    vcpkg_replace_string("${libraries}/pkgconfig/lately.pc" "Name: lately-static" "Name: lately")
else()
    set(unwanted "${libraries}/liblately.a" "${libraries}/pkgconfig/lately-static.pc")
endif()
file(REMOVE ${unwanted})

vcpkg_cmake_config_fixup(CONFIG_PATH lib/cmake/lately)
vcpkg_fixup_pkgconfig()
set(licences "${CURRENT_PACKAGES_DIR}/share/doc/liblately-dev")
vcpkg_install_copyright(FILE_LIST
    "${licences}/copyright" "${licences}/LICENSE-MIT" "${licences}/LICENSE-APACHE" "${licences}/THIRD-PARTY.txt")
file(REMOVE_RECURSE "${CURRENT_PACKAGES_DIR}/share/doc")
file(INSTALL "${CMAKE_CURRENT_LIST_DIR}/usage" DESTINATION "${CURRENT_PACKAGES_DIR}/share/${PORT}")
