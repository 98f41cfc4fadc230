# Builds the package of a port without vcpkg, which no registry of packages has: this file is what vcpkg says to a port and the
# functions of vcpkg that ours calls, as its documentation has them, and nothing more: a port that calls another one fails.
#   cmake -D PORT_DIR=<the port> -D ARCHITECTURE=<x64> -D LINKAGE=<static or dynamic> -D ROOM=<folder> -D OUT=<the package>
#         -P build_port.cmake
cmake_policy(VERSION 3.25)

file(READ ${PORT_DIR}/vcpkg.json manifest)
string(JSON PORT GET "${manifest}" name)
string(JSON VERSION GET "${manifest}" version-semver)
set(CURRENT_PACKAGES_DIR ${OUT})
set(CURRENT_BUILDTREES_DIR ${ROOM}/buildtrees)
set(DOWNLOADS ${ROOM}/downloads)
set(VCPKG_TARGET_ARCHITECTURE ${ARCHITECTURE})
set(VCPKG_LIBRARY_LINKAGE ${LINKAGE})
set(VCPKG_CMAKE_SYSTEM_NAME Linux)
set(VCPKG_TARGET_IS_LINUX ON)

function(vcpkg_download_distfile output)
    cmake_parse_arguments(PARSE_ARGV 1 arg "" "FILENAME;SHA512" "URLS")
    file(DOWNLOAD ${arg_URLS} ${DOWNLOADS}/${arg_FILENAME} EXPECTED_HASH SHA512=${arg_SHA512})
    set(${output} ${DOWNLOADS}/${arg_FILENAME} PARENT_SCOPE)
endfunction()

# The one folder that is in the archive.
function(vcpkg_extract_source_archive output)
    cmake_parse_arguments(PARSE_ARGV 1 arg "" "ARCHIVE" "")
    file(ARCHIVE_EXTRACT INPUT ${arg_ARCHIVE} DESTINATION ${CURRENT_BUILDTREES_DIR}/src)
    file(GLOB inside ${CURRENT_BUILDTREES_DIR}/src/*)
    set(${output} ${inside} PARENT_SCOPE)
endfunction()

function(vcpkg_cmake_configure)
    cmake_parse_arguments(PARSE_ARGV 0 arg "" "SOURCE_PATH" "OPTIONS")
    set(shared OFF)
    if(VCPKG_LIBRARY_LINKAGE STREQUAL "dynamic")
        set(shared ON)
    endif()
    execute_process(COMMAND ${CMAKE_COMMAND} -S ${arg_SOURCE_PATH} -B ${CURRENT_BUILDTREES_DIR}/release
        -DCMAKE_BUILD_TYPE=Release -DCMAKE_INSTALL_PREFIX=${CURRENT_PACKAGES_DIR} -DCMAKE_INSTALL_LIBDIR:STRING=lib
        -DBUILD_SHARED_LIBS=${shared} ${arg_OPTIONS} COMMAND_ERROR_IS_FATAL ANY)
endfunction()

function(vcpkg_cmake_build)
    execute_process(COMMAND ${CMAKE_COMMAND} --build ${CURRENT_BUILDTREES_DIR}/release COMMAND_ERROR_IS_FATAL ANY)
endfunction()

function(vcpkg_cmake_install)
    execute_process(COMMAND ${CMAKE_COMMAND} --build ${CURRENT_BUILDTREES_DIR}/release --target install
        COMMAND_ERROR_IS_FATAL ANY)
endfunction()

# The files of CMake go to share/<port>, a folder less deep than before.
function(vcpkg_cmake_config_fixup)
    cmake_parse_arguments(PARSE_ARGV 0 arg "" "CONFIG_PATH" "")
    file(MAKE_DIRECTORY ${OUT}/share)
    file(RENAME ${OUT}/${arg_CONFIG_PATH} ${OUT}/share/${PORT})
    file(REMOVE_RECURSE ${OUT}/lib/cmake)
    file(GLOB files ${OUT}/share/${PORT}/*.cmake)
    foreach(file IN LISTS files)
        file(READ ${file} text)
        string(REGEX REPLACE "(PACKAGE_PREFIX_DIR \"\\\${CMAKE_CURRENT_LIST_DIR}/)(\\.\\./)+" "\\1../../" text "${text}")
        file(WRITE ${file} "${text}")
    endforeach()
endfunction()

function(vcpkg_fixup_pkgconfig)
    file(GLOB files ${OUT}/lib/pkgconfig/*.pc)
    foreach(file IN LISTS files)
        file(READ ${file} text)
        string(REGEX REPLACE "(^|\n)prefix[ \t]*=[^\n]*" "\\1prefix=\${pcfiledir}/../.." text "${text}")
        file(WRITE ${file} "${text}")
    endforeach()
endfunction()

function(vcpkg_replace_string file before after)
    file(READ ${file} text)
    string(REPLACE "${before}" "${after}" changed "${text}")
    if(changed STREQUAL text)
        message(FATAL_ERROR "${file} has no '${before}'")
    endif()
    file(WRITE ${file} "${changed}")
endfunction()

function(vcpkg_install_copyright)
    cmake_parse_arguments(PARSE_ARGV 0 arg "" "" "FILE_LIST")
    set(all "")
    foreach(file IN LISTS arg_FILE_LIST)
        file(READ ${file} text)
        string(APPEND all "${text}\n")
    endforeach()
    file(WRITE ${OUT}/share/${PORT}/copyright "${all}")
endfunction()

include(${PORT_DIR}/portfile.cmake)
