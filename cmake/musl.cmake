# The library for Linux with musl, for each machine of LATELY_MUSL_ARCHS in ${LATELY_MUSL}/<machine>: built by the target
# lately_musl for the jar and the Go module of a release. It needs musl-tools, and Rust for musl.
set(LATELY_MUSL ${PROJECT_BINARY_DIR}/musl)
set(LATELY_MUSL_ARCHS x86_64 aarch64)
set(making)
foreach(arch IN LISTS LATELY_MUSL_ARCHS)
    list(APPEND making COMMAND ${CMAKE_COMMAND} -D SOURCE=${PROJECT_SOURCE_DIR} -D ARCH=${arch} -D OUT=${LATELY_MUSL}/${arch}
        -D ROOM=${LATELY_MUSL}/room-${arch} -D CARGO=${CARGO} -D RUSTC=${RUSTC} -D CARGO_DIR=${PROJECT_BINARY_DIR}/cargo-musl
        -D "FLAGS=${LATELY_REMAPS}" -D LICENCES=${LATELY_PACKAGING_DIR}/licences
        -P ${PROJECT_SOURCE_DIR}/cmake/make_musl.cmake)
endforeach()
lately_add_target(lately_musl ${making})
add_dependencies(lately_musl lately_tool)
