# Toolchain: Linux on x86-64, as a release is built. Its programs run on this machine.
set(CMAKE_SYSTEM_NAME Linux)
set(CMAKE_SYSTEM_PROCESSOR x86_64)
set(LATELY_TARGET x86_64-unknown-linux-gnu)
set(LATELY_GNU x86_64-linux-gnu)
file(GLOB LATELY_GCC_S /lib/x86_64-linux-gnu/libgcc_s.so.1 /lib64/libgcc_s.so.1)
list(GET LATELY_GCC_S 0 LATELY_GCC_S)
include(${CMAKE_CURRENT_LIST_DIR}/glibc.cmake)
