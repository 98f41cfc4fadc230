# Rust for another platform, for cmake/library.cmake. No Rust for it is installed: its standard library is built from
# source, which only Debian's cargo can do with Debian's sources, and which rustc allows a nightly only, hence
# RUSTC_BOOTSTRAP. What cargo builds for the platform it also runs there.
# A release for Linux is built by the installed Rust, with the library that rustup has for the target: that runs with glibc 2.17.

set(LATELY_BUILD_STD -Zbuild-std=std,panic_unwind)
if(LATELY_GLIBC)
    set(LATELY_BUILD_STD)
    lately_require_program(LATELY_PLATFORM_CARGO cargo "Rust 1.85 or later, from https://rustup.rs")
    lately_require_program(LATELY_PLATFORM_RUSTC rustc "Rust 1.85 or later, from https://rustup.rs")
    execute_process(COMMAND ${LATELY_PLATFORM_RUSTC} --print target-libdir --target ${LATELY_TARGET}
        OUTPUT_VARIABLE rust_library OUTPUT_STRIP_TRAILING_WHITESPACE)
    if(NOT EXISTS "${rust_library}")
        lately_missing("Rust's library for ${LATELY_TARGET}: rustup target add ${LATELY_TARGET}")
    endif()
else()
    set(LATELY_DEBIAN_CARGO /usr/bin/cargo CACHE FILEPATH "A cargo whose rustc has the sources of its library")
    set(LATELY_DEBIAN_RUSTC /usr/bin/rustc CACHE FILEPATH "The rustc of that cargo")
    foreach(program ${LATELY_DEBIAN_CARGO} ${LATELY_DEBIAN_RUSTC})
        if(NOT EXISTS ${program})
            lately_missing("${program}: apt-get install ${LATELY_RUST_PACKAGES}")
        endif()
    endforeach()
    set(LATELY_PLATFORM_CARGO ${LATELY_DEBIAN_CARGO})
    set(LATELY_PLATFORM_RUSTC ${LATELY_DEBIAN_RUSTC})
endif()

string(REPLACE "-" "_" underlined ${LATELY_TARGET})
string(TOUPPER ${underlined} target)
list(JOIN CMAKE_CROSSCOMPILING_EMULATOR " " runner)
include(cmake/shipped.cmake)
set(LATELY_CARGO_DIR ${PROJECT_BINARY_DIR}/cargo)
set(LATELY_BUILT ${LATELY_TARGET}/release)
set(LATELY_HOST_CARGO ${CMAKE_COMMAND} -E env ${LATELY_ALONE} RUSTC=${LATELY_PLATFORM_RUSTC} ${LATELY_PLATFORM_CARGO})
# What crates compile from C is for the same glibc as the rest. Others take the compiler that its package of cargo knows.
set(c_of_crates)
set(run_by)
if(runner)
    set(run_by "CARGO_TARGET_${target}_RUNNER=${runner}")
endif()
if(LATELY_GLIBC)
    set(c_of_crates CC_${underlined}=${CMAKE_C_COMPILER})
endif()
set(LATELY_CARGO ${CMAKE_COMMAND} -E env ${LATELY_SHIPPED}
    RUSTC=${LATELY_PLATFORM_RUSTC} RUSTC_BOOTSTRAP=1 CARGO_TARGET_DIR=${LATELY_CARGO_DIR}
    CARGO_TARGET_${target}_LINKER=${CMAKE_C_COMPILER} ${run_by} ${c_of_crates}
    ${LATELY_PLATFORM_CARGO})
set(LATELY_CARGO_FLAGS --locked --target ${LATELY_TARGET} ${LATELY_BUILD_STD})

set(LATELY_NATIVE_LIBS "-lutil -lrt -lpthread -lm -ldl -lc")
if(WIN32)
    set(LATELY_NATIVE_LIBS "-lws2_32 -luserenv -lntdll -lkernel32")
endif()
include(cmake/library.cmake)
