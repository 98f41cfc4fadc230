# `cmake --workflow --preset release`: the folder dist/ with everything that a release consists of, a bill of materials and
# the sums. docs/how-to/release.md says what a maintainer does with it.
lately_lacking(lacking JAVAC MVN DPKG FILE_PROGRAM SHLIBDEPS LIBCLANG GPG REDIS_SERVER VALKEY_SERVER PYTHON3 PYTHON3_VENV)
if(lacking)
    add_custom_target(dist
        COMMAND ${CMAKE_COMMAND} -E echo "A release cannot be made: ${lacking}"
        COMMAND ${CMAKE_COMMAND} -E false
        VERBATIM)
    return()
endif()

# Each with the compiler that builds it, whose standard library is linked in. For other platforms that is Debian's
# (cmake/platforms/rust.cmake).
set(LATELY_SHIPPED_TARGETS ${LATELY_TARGET}=${RUSTC}
    x86_64-unknown-linux-musl=${RUSTC} aarch64-unknown-linux-musl=${RUSTC} aarch64-unknown-linux-gnu=${RUSTC} x86_64-pc-windows-gnu=/usr/bin/rustc)
list(JOIN LATELY_SHIPPED_TARGETS "," LATELY_SHIPPED_TARGETS)
lately_add_target(dist
    COMMAND ${LATELY_RELEASE} WHAT=dist BUILD=${PROJECT_BINARY_DIR} CARGO=${CARGO} MVN=${MVN} JDK=${LATELY_JAVA_PACKER}
            OBJDUMP=${CMAKE_OBJDUMP} TARGETS=${LATELY_SHIPPED_TARGETS} SBOM=${LATELY_PACKAGING_DIR}/sbom)
add_dependencies(dist lately_rust lately_tool)
