# Rust on this machine, for cmake/library.cmake: the cargo that builds what is installed.

lately_require_program(CARGO cargo "Rust 1.85 or later, from https://rustup.rs")
lately_require_program(RUSTC rustc "Rust 1.85 or later, from https://rustup.rs")

execute_process(COMMAND ${RUSTC} -vV OUTPUT_VARIABLE rustc_facts)
string(REGEX MATCH "host: ([^\n]+)" rustc_host "${rustc_facts}")
set(LATELY_TARGET ${CMAKE_MATCH_1})

include(cmake/shipped.cmake)
set(LATELY_CARGO ${CMAKE_COMMAND} -E env ${LATELY_SHIPPED} ${CARGO})
set(LATELY_HOST_CARGO ${CMAKE_COMMAND} -E env ${LATELY_ALONE} ${CARGO})
set(LATELY_CARGO_FLAGS --locked)
# Apart from target/, so that no other cargo command can replace what is tested and installed.
if(NOT LATELY_CARGO_DIR)
    set(LATELY_CARGO_DIR ${PROJECT_BINARY_DIR}/cargo)
endif()
set(LATELY_BUILT release)

# What the archive needs of the system, as rustc tells it (the crate itself adds nothing).
file(WRITE ${PROJECT_BINARY_DIR}/empty.rs "")
execute_process(
    COMMAND ${RUSTC} --crate-type staticlib --print native-static-libs ${PROJECT_BINARY_DIR}/empty.rs
            -o ${PROJECT_BINARY_DIR}/libempty.a
    ERROR_VARIABLE native)
if(NOT native MATCHES "native-static-libs: ([^\n]*)")
    lately_missing("rustc: it does not tell what a static library needs")
endif()
# But for gcc's own shared library: every compiler names that itself where it is wanted, and -static has none.
string(REPLACE "-lgcc_s" "" LATELY_NATIVE_LIBS "${CMAKE_MATCH_1}")
string(STRIP "${LATELY_NATIVE_LIBS}" LATELY_NATIVE_LIBS)
include(cmake/library.cmake)

# Whether rustc compiles a program with these flags, those that are unstable too: if not, the tool `variable` is missing.
function(lately_try_rustc variable reason)
    file(WRITE ${PROJECT_BINARY_DIR}/main.rs "fn main() {}\n")
    execute_process(COMMAND ${CMAKE_COMMAND} -E env RUSTC_BOOTSTRAP=1 ${RUSTC} ${ARGN} main.rs -o tried
        WORKING_DIRECTORY ${PROJECT_BINARY_DIR} RESULT_VARIABLE failed OUTPUT_QUIET ERROR_QUIET)
    if(failed)
        lately_lacks(${variable} "${reason}")
    endif()
endfunction()

# A command of cargo, as the tool CARGO_<NAME>, for what it tests.
function(lately_find_component output name what)
    string(TOUPPER CARGO_${name} variable)
    execute_process(COMMAND ${CARGO} ${name} --version RESULT_VARIABLE failed OUTPUT_QUIET ERROR_QUIET)
    if(failed)
        lately_lacks(${variable} "cargo ${name} is not installed")
    endif()
    lately_can_test(can "${what}" ${variable})
    set(${output} ${can} PARENT_SCOPE)
endfunction()
