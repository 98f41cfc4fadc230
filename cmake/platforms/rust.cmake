# The library for another platform, laid out and named as cmake/rust.cmake does it for ours: lately_rust, lately::shared,
# lately::static. No Rust for the platform is installed: its standard library is built from source, which only
# Debian's cargo can do with Debian's sources, and which rustc allows a nightly only, hence RUSTC_BOOTSTRAP.

set(LATELY_CARGO /usr/bin/cargo CACHE FILEPATH "A cargo whose rustc has the sources of its library")
set(LATELY_RUSTC /usr/bin/rustc CACHE FILEPATH "The rustc of that cargo")
foreach(program ${LATELY_CARGO} ${LATELY_RUSTC})
    if(NOT EXISTS ${program})
        lately_missing("${program}: apt-get install ${LATELY_RUST_PACKAGES}")
    endif()
endforeach()

set(LATELY_CARGO_DIR ${PROJECT_BINARY_DIR}/cargo)
string(TOUPPER ${LATELY_TARGET} target)
string(REPLACE "-" "_" target ${target})
list(JOIN CMAKE_CROSSCOMPILING_EMULATOR " " runner)
# cargo for the platform: what it builds it runs there too. To be followed by a verb and LATELY_CARGO_FLAGS.
set(LATELY_CROSS_CARGO ${CMAKE_COMMAND} -E env
    RUSTC=${LATELY_RUSTC} RUSTC_BOOTSTRAP=1 CARGO_TARGET_DIR=${LATELY_CARGO_DIR}
    CARGO_TARGET_${target}_LINKER=${CMAKE_C_COMPILER} "CARGO_TARGET_${target}_RUNNER=${runner}"
    ${LATELY_CARGO})
set(LATELY_CARGO_FLAGS --locked --target ${LATELY_TARGET} -Zbuild-std=std,panic_unwind)

set(LATELY_LIB_DIR ${PROJECT_BINARY_DIR}/lib)
set(LATELY_INCLUDE_DIR ${PROJECT_SOURCE_DIR}/include)
set(LATELY_BUILT ${LATELY_CARGO_DIR}/${LATELY_TARGET}/release)
set(LATELY_STATIC ${LATELY_LIB_DIR}/liblately.a)
set(LATELY_SONAME liblately.so.${LATELY_ABI})
set(LATELY_SHARED ${LATELY_LIB_DIR}/${LATELY_SONAME})
set(LATELY_NATIVE_LIST -lgcc_s -lutil -lrt -lpthread -lm -ldl -lc)

file(MAKE_DIRECTORY ${LATELY_LIB_DIR})
add_custom_target(lately_rust ALL
    COMMAND ${LATELY_CROSS_CARGO} build --release ${LATELY_CARGO_FLAGS} -p lately --lib
    COMMAND ${CMAKE_COMMAND} -E copy_if_different ${LATELY_BUILT}/liblately.so ${LATELY_SHARED}
    COMMAND ${CMAKE_COMMAND} -E copy_if_different ${LATELY_BUILT}/liblately.a ${LATELY_STATIC}
    BYPRODUCTS ${LATELY_SHARED} ${LATELY_STATIC}
    WORKING_DIRECTORY ${PROJECT_SOURCE_DIR}
    USES_TERMINAL
    COMMENT "cargo build --release -p lately --target ${LATELY_TARGET}"
    VERBATIM)

add_library(lately::shared SHARED IMPORTED GLOBAL)
set_target_properties(lately::shared PROPERTIES
    IMPORTED_LOCATION ${LATELY_SHARED}
    IMPORTED_SONAME ${LATELY_SONAME}
    INTERFACE_INCLUDE_DIRECTORIES ${LATELY_INCLUDE_DIR})
add_library(lately::static STATIC IMPORTED GLOBAL)
set_target_properties(lately::static PROPERTIES
    IMPORTED_LOCATION ${LATELY_STATIC}
    INTERFACE_LINK_LIBRARIES "${LATELY_NATIVE_LIST}"
    INTERFACE_INCLUDE_DIRECTORIES ${LATELY_INCLUDE_DIR})
add_dependencies(lately::shared lately_rust)
add_dependencies(lately::static lately_rust)
