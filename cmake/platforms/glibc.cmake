# Makes a toolchain for Linux on the machine CMAKE_SYSTEM_PROCESSOR, as a release is built: its binaries run with glibc
# LATELY_GLIBC and later, whatever glibc this machine has. The compiler is zig's clang, which has the symbol versions of every
# glibc. It comes out of the Python package that zig.txt names by hash, and lies in build/ next to the build folders.
# The toolchain that includes it says who the machine is, and LATELY_GCC_S, gcc's shared library there.
set(LATELY_GLIBC 2.17)

file(SHA256 ${CMAKE_CURRENT_LIST_DIR}/zig.txt key)
string(SUBSTRING ${key} 0 8 key)
cmake_path(SET room NORMALIZE ${CMAKE_CURRENT_LIST_DIR}/../../build/zig-${key})

function(lately_fetch_zig room)
    find_program(LATELY_PIP_PYTHON python3)
    message(STATUS "Fetching zig")
    execute_process(COMMAND ${LATELY_PIP_PYTHON} -m pip download --quiet --disable-pip-version-check --no-deps
        --only-binary=:all: --require-hashes -d ${room} -r ${CMAKE_CURRENT_FUNCTION_LIST_DIR}/zig.txt RESULT_VARIABLE failed)
    file(GLOB wheel ${room}/*.whl)
    if(failed OR NOT wheel)
        message(FATAL_ERROR "zig cannot be fetched: it takes python3 with pip (apt-get install python3-pip)")
    endif()
    file(ARCHIVE_EXTRACT INPUT ${wheel} DESTINATION ${room}/unpacked)
    # Whole or not at all.
    file(RENAME ${room}/unpacked/ziglang ${room}/ziglang)
endfunction()

if(NOT EXISTS ${room}/ziglang)
    lately_fetch_zig(${room})
endif()

# The compiler. gcc's library that unwinds the stack is that of the system, as in every other build: zig would link its own
# into each file. What rustc says for its own linker means nothing to zig.
set(CMAKE_C_COMPILER ${room}/${CMAKE_SYSTEM_PROCESSOR}/cc)
if(NOT EXISTS ${CMAKE_C_COMPILER})
    file(CONFIGURE OUTPUT ${CMAKE_C_COMPILER} @ONLY CONTENT
"#!/bin/sh
export ZIG_GLOBAL_CACHE_DIR='@room@/cache' ZIG_LOCAL_CACHE_DIR='@room@/cache'
for argument in \"$@\"; do
    shift
    case $argument in
        -lgcc_s) set -- \"$@\" '@LATELY_GCC_S@' ;;
        -fuse-ld=* | -B* | --target=*) ;;
        *) set -- \"$@\" \"$argument\" ;;
    esac
done
exec '@room@/ziglang/zig' cc -target @CMAKE_SYSTEM_PROCESSOR@-linux-gnu.@LATELY_GLIBC@ \"$@\"
")
    file(CHMOD ${CMAKE_C_COMPILER} PERMISSIONS
        OWNER_READ OWNER_WRITE OWNER_EXECUTE GROUP_READ GROUP_EXECUTE WORLD_READ WORLD_EXECUTE)
endif()
