# Rust for another platform, for cmake/library.cmake. No Rust for it is installed: its standard library is built from
# source, which only Debian's cargo can do with Debian's sources, and which rustc allows a nightly only, hence
# RUSTC_BOOTSTRAP. What cargo builds for the platform it also runs there.

set(LATELY_DEBIAN_CARGO /usr/bin/cargo CACHE FILEPATH "A cargo whose rustc has the sources of its library")
set(LATELY_DEBIAN_RUSTC /usr/bin/rustc CACHE FILEPATH "The rustc of that cargo")
foreach(program ${LATELY_DEBIAN_CARGO} ${LATELY_DEBIAN_RUSTC})
    if(NOT EXISTS ${program})
        lately_missing("${program}: apt-get install ${LATELY_RUST_PACKAGES}")
    endif()
endforeach()

string(TOUPPER ${LATELY_TARGET} target)
string(REPLACE "-" "_" target ${target})
list(JOIN CMAKE_CROSSCOMPILING_EMULATOR " " runner)
include(cmake/shipped.cmake)
set(LATELY_CARGO_DIR ${PROJECT_BINARY_DIR}/cargo)
set(LATELY_BUILT ${LATELY_TARGET}/release)
set(LATELY_HOST_CARGO ${CMAKE_COMMAND} -E env ${LATELY_ALONE} RUSTC=${LATELY_DEBIAN_RUSTC} ${LATELY_DEBIAN_CARGO})
set(LATELY_CARGO ${CMAKE_COMMAND} -E env ${LATELY_SHIPPED}
    RUSTC=${LATELY_DEBIAN_RUSTC} RUSTC_BOOTSTRAP=1 CARGO_TARGET_DIR=${LATELY_CARGO_DIR}
    CARGO_TARGET_${target}_LINKER=${CMAKE_C_COMPILER} "CARGO_TARGET_${target}_RUNNER=${runner}"
    ${LATELY_DEBIAN_CARGO})
set(LATELY_CARGO_FLAGS --locked --target ${LATELY_TARGET} -Zbuild-std=std,panic_unwind)

set(LATELY_NATIVE_LIBS "-lutil -lrt -lpthread -lm -ldl -lc")
if(WIN32)
    set(LATELY_NATIVE_LIBS "-lws2_32 -luserenv -lntdll -lkernel32")
endif()
include(cmake/library.cmake)
