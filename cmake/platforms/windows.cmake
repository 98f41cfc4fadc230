# Toolchain: 64-bit Windows by mingw-w64, whose programs run under Wine. C++ with the threads of POSIX: those of
# Windows lack std::thread in this compiler. Programs carry their own runtime, so that only our DLL stands beside them.
include(${CMAKE_CURRENT_LIST_DIR}/debian.cmake)

set(CMAKE_SYSTEM_NAME Windows)
set(CMAKE_SYSTEM_PROCESSOR x86_64)
set(LATELY_GNU x86_64-w64-mingw32)
set(LATELY_TARGET x86_64-pc-windows-gnu)
lately_need_packages(${LATELY_RUST_PACKAGES} gcc-mingw-w64-x86-64 g++-mingw-w64-x86-64 wine64 wine)

set(CMAKE_C_COMPILER ${LATELY_GNU}-gcc-posix)
set(CMAKE_CXX_COMPILER ${LATELY_GNU}-g++-posix)
set(CMAKE_RC_COMPILER ${LATELY_GNU}-windres)
# printf as C has it, not as Microsoft's runtime of 1998 does.
set(CMAKE_C_FLAGS_INIT -D__USE_MINGW_ANSI_STDIO=1)
set(CMAKE_CXX_FLAGS_INIT -D__USE_MINGW_ANSI_STDIO=1)
set(CMAKE_EXE_LINKER_FLAGS_INIT -static)
set(CMAKE_SHARED_LINKER_FLAGS_INIT -static)
set(CMAKE_MODULE_LINKER_FLAGS_INIT -static)
set(CMAKE_CROSSCOMPILING_EMULATOR ${CMAKE_BINARY_DIR}/wine)
set(CMAKE_FIND_ROOT_PATH /usr/${LATELY_GNU})
set(CMAKE_FIND_ROOT_PATH_MODE_PROGRAM NEVER)
