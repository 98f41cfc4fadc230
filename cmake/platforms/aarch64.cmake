# Toolchain: Linux on 64-bit ARM.
set(CMAKE_SYSTEM_PROCESSOR aarch64)
set(LATELY_LIBC arm64)
include(${CMAKE_CURRENT_LIST_DIR}/linux.cmake)
