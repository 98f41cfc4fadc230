# Makes a toolchain for Linux on the machine CMAKE_SYSTEM_PROCESSOR, as a release is built: its binaries run with glibc
# LATELY_GLIBC and later, whatever glibc this machine has. The compiler is zig's clang, which has the symbol versions of every
# glibc. It comes out of the Python package that zig.txt names by hash, and lies in build/ next to the build folders.
# The toolchain that includes it says who the machine is, and LATELY_GCC_S, gcc's shared library there.
set(LATELY_GLIBC 2.17)

include(${CMAKE_CURRENT_LIST_DIR}/wheel.cmake)
lately_fetch_wheel(room zig ${CMAKE_CURRENT_LIST_DIR}/../../build/zig)

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
