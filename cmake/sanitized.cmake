# The library once more with AddressSanitizer inside, for C programs that are built with it too.
# Target: lately::asan (static). The switch is unstable in rustc, hence RUSTC_BOOTSTRAP, for tests alone.

include(CheckCSourceCompiles)
lately_find_tool(NM nm)
set(LATELY_SANITIZERS -fsanitize=address,undefined -fno-sanitize-recover=all -fno-omit-frame-pointer)
# Tried again as long as it fails: what is missing is installed between two runs.
if(NOT LATELY_CC_SANITIZES)
    unset(LATELY_CC_SANITIZES CACHE)
    set(CMAKE_REQUIRED_FLAGS "-fsanitize=address,undefined")
    check_c_source_compiles("int main(void) { return 0; }" LATELY_CC_SANITIZES)
    unset(CMAKE_REQUIRED_FLAGS)
endif()
if(NOT LATELY_CC_SANITIZES)
    lately_lacks(CC_ASAN "the C compiler has no AddressSanitizer")
endif()
lately_try_rustc(RUST_ASAN "rustc has no AddressSanitizer" --crate-type staticlib -Zsanitizer=address)
lately_need_tools("C and C++ under AddressSanitizer" PYTHON3 CC_ASAN RUST_ASAN NM)

set(LATELY_ASAN_DIR ${PROJECT_BINARY_DIR}/cargo-asan)
set(LATELY_ASAN ${LATELY_ASAN_DIR}/${LATELY_TARGET}/sanitized/liblately.a)

lately_add_target(lately_rust_asan ALL
    COMMAND ${CMAKE_COMMAND} -E env RUSTC_BOOTSTRAP=1 RUSTFLAGS=-Zsanitizer=address
            ${CARGO} rustc --profile sanitized --locked -p lately-capi --lib --crate-type staticlib
            --target ${LATELY_TARGET} --target-dir ${LATELY_ASAN_DIR}
    BYPRODUCTS ${LATELY_ASAN})
# One after the other: both want every core.
add_dependencies(lately_rust_asan lately_rust)

add_library(lately::asan STATIC IMPORTED GLOBAL)
set_target_properties(lately::asan PROPERTIES
    IMPORTED_LOCATION ${LATELY_ASAN}
    INTERFACE_LINK_LIBRARIES "${LATELY_NATIVE_LIST}"
    # With more than that a file of the C++ tests takes four times as long to compile, and the reports say the same.
    INTERFACE_COMPILE_OPTIONS "${LATELY_SANITIZERS};-O1;-g1"
    INTERFACE_LINK_OPTIONS "${LATELY_SANITIZERS}"
    INTERFACE_INCLUDE_DIRECTORIES ${LATELY_INCLUDE_DIR})
add_dependencies(lately::asan lately_rust_asan)

# A test that the program was really built with AddressSanitizer.
function(lately_add_asan_proof target)
    lately_add_check(asan.is_in.${target} artefacts WHAT=asan NM=${NM} PROGRAM=$<TARGET_FILE:${target}>)
endfunction()
