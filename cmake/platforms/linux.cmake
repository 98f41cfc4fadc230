# Makes a toolchain for Linux on the machine CMAKE_SYSTEM_PROCESSOR: Debian's cross compiler, and qemu, which runs
# single programs of that machine as if they were ours. LATELY_LIBC is the machine as Debian names its C library.
include(${CMAKE_CURRENT_LIST_DIR}/debian.cmake)

set(CMAKE_SYSTEM_NAME Linux)
set(LATELY_GNU ${CMAKE_SYSTEM_PROCESSOR}-linux-gnu)
set(LATELY_TARGET ${CMAKE_SYSTEM_PROCESSOR}-unknown-linux-gnu)
lately_need_packages(${LATELY_RUST_PACKAGES} qemu-user gcc-${LATELY_GNU} g++-${LATELY_GNU}
    libc6-dev-${LATELY_LIBC}-cross)

set(CMAKE_C_COMPILER ${LATELY_GNU}-gcc)
set(CMAKE_CXX_COMPILER ${LATELY_GNU}-g++)
set(CMAKE_CROSSCOMPILING_EMULATOR qemu-${CMAKE_SYSTEM_PROCESSOR} -L /usr/${LATELY_GNU})
set(CMAKE_FIND_ROOT_PATH /usr/${LATELY_GNU})
set(CMAKE_FIND_ROOT_PATH_MODE_PROGRAM NEVER)
