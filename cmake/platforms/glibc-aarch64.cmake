# Toolchain: Linux on 64-bit ARM, as a release is built. Debian's cross compiler lends it what gcc's library is there.
set(CMAKE_SYSTEM_PROCESSOR aarch64)
set(LATELY_LIBC arm64)
include(${CMAKE_CURRENT_LIST_DIR}/linux.cmake)
set(LATELY_GCC_S /usr/aarch64-linux-gnu/lib/libgcc_s.so.1)
include(${CMAKE_CURRENT_LIST_DIR}/glibc.cmake)
