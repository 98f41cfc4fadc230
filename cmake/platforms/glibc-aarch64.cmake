# Toolchain: Linux on 64-bit ARM, as a release is built. qemu runs its programs. Debian's cross compiler brings gcc's shared
# library, the headers that the module's bindings are made from, and what joins and reads objects; it compiles nothing.
include(${CMAKE_CURRENT_LIST_DIR}/debian.cmake)

set(CMAKE_SYSTEM_NAME Linux)
set(CMAKE_SYSTEM_PROCESSOR aarch64)
set(LATELY_TARGET aarch64-unknown-linux-gnu)
set(LATELY_GNU aarch64-linux-gnu)
lately_need_packages(qemu-user gcc-aarch64-linux-gnu libc6-dev-arm64-cross)
foreach(tool ar objcopy objdump ranlib readelf strip)
    string(TOUPPER ${tool} name)
    set(CMAKE_${name} /usr/bin/${LATELY_GNU}-${tool})
endforeach()
set(LATELY_GCC_S /usr/aarch64-linux-gnu/lib/libgcc_s.so.1)
set(CMAKE_CROSSCOMPILING_EMULATOR qemu-aarch64 -L /usr/aarch64-linux-gnu)
include(${CMAKE_CURRENT_LIST_DIR}/glibc.cmake)
