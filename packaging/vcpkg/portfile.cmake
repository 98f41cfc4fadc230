# lately for vcpkg, out of the archives of a release: nothing is compiled, and no Rust is needed. archives.cmake has the address
# and the sum of each; cmake/vcpkg_recipe.cmake writes it, and a release has the port with it as dist/vcpkg/.
include("${CMAKE_CURRENT_LIST_DIR}/archives.cmake")

set(platform linux-${VCPKG_TARGET_ARCHITECTURE})
if(VCPKG_TARGET_IS_MINGW)
    set(platform mingw-${VCPKG_TARGET_ARCHITECTURE})
elseif(NOT VCPKG_TARGET_IS_LINUX)
    set(platform "${VCPKG_CMAKE_SYSTEM_NAME}-${VCPKG_TARGET_ARCHITECTURE}")
endif()
if(NOT LATELY_URL_${platform})
    message(FATAL_ERROR "lately ${VERSION} has no archive for ${platform}, only for ${LATELY_PLATFORMS}: build it from source "
        "with CMake")
endif()

vcpkg_download_distfile(ARCHIVE
    URLS "${LATELY_URL_${platform}}"
    FILENAME "${LATELY_NAME_${platform}}"
    SHA512 "${LATELY_SHA512_${platform}}")
vcpkg_extract_source_archive(SOURCE_PATH ARCHIVE "${ARCHIVE}")

file(INSTALL "${SOURCE_PATH}/include/" DESTINATION "${CURRENT_PACKAGES_DIR}/include")
file(INSTALL "${SOURCE_PATH}/lib/cmake" "${SOURCE_PATH}/lib/pkgconfig" DESTINATION "${CURRENT_PACKAGES_DIR}/lib")
# The triplet says which of the two libraries: the description for CMake goes by what is there, that for pkg-config by name.
if(VCPKG_LIBRARY_LINKAGE STREQUAL "static")
    file(GLOB libraries "${SOURCE_PATH}/lib/liblately.a" "${SOURCE_PATH}/lib/static")
    file(RENAME "${CURRENT_PACKAGES_DIR}/lib/pkgconfig/lately-static.pc" "${CURRENT_PACKAGES_DIR}/lib/pkgconfig/lately.pc")
    vcpkg_replace_string("${CURRENT_PACKAGES_DIR}/lib/pkgconfig/lately.pc" "Name: lately-static" "Name: lately")
else()
    file(GLOB libraries "${SOURCE_PATH}/lib/liblately.so*" "${SOURCE_PATH}/lib/liblately.dll.a")
    file(REMOVE "${CURRENT_PACKAGES_DIR}/lib/pkgconfig/lately-static.pc")
    if(VCPKG_TARGET_IS_MINGW)
        file(INSTALL "${SOURCE_PATH}/bin/lately.dll" DESTINATION "${CURRENT_PACKAGES_DIR}/bin")
    endif()
endif()
file(INSTALL ${libraries} DESTINATION "${CURRENT_PACKAGES_DIR}/lib")

# A C ABI: one build is for debugging and for release.
set(VCPKG_POLICY_MISMATCHED_NUMBER_OF_BINARIES enabled)
vcpkg_cmake_config_fixup(CONFIG_PATH lib/cmake/lately)
vcpkg_fixup_pkgconfig()
set(licences "${SOURCE_PATH}/share/doc/liblately-dev")
vcpkg_install_copyright(FILE_LIST
    "${licences}/copyright" "${licences}/LICENSE-MIT" "${licences}/LICENSE-APACHE" "${licences}/THIRD-PARTY.txt")
file(INSTALL "${CMAKE_CURRENT_LIST_DIR}/usage" DESTINATION "${CURRENT_PACKAGES_DIR}/share/${PORT}")
