# The Rust side: format, lints, the documentation without a warning, every test of the workspace, and the demo. They share target/ and so take turns.

# A test that runs cargo.
function(lately_add_cargo_test name)
    add_test(NAME rust.${name} COMMAND ${CARGO} ${ARGN} WORKING_DIRECTORY ${PROJECT_SOURCE_DIR})
    set_tests_properties(rust.${name} PROPERTIES RESOURCE_LOCK cargo LABELS rust)
endfunction()

# Notes a cargo command that is not there.
function(lately_require_component name)
    execute_process(COMMAND ${CARGO} ${name} --version RESULT_VARIABLE failed OUTPUT_QUIET ERROR_QUIET)
    if(failed)
        lately_missing("cargo ${name}: rustup component add ${ARGN}")
    endif()
endfunction()

lately_require_component(fmt rustfmt)
lately_require_component(clippy clippy)

lately_add_cargo_test(fmt fmt --all --check)
lately_add_cargo_test(fmt_fuzz fmt --manifest-path fuzz/Cargo.toml --check)
lately_add_cargo_test(clippy clippy --workspace --all-targets --locked -- -D warnings)
lately_add_cargo_test(doc doc --workspace --no-deps --locked --quiet)
set_tests_properties(rust.doc PROPERTIES ENVIRONMENT "RUSTDOCFLAGS=-D warnings")
lately_add_cargo_test(test test --workspace --locked --no-fail-fast)
set_tests_properties(rust.test PROPERTIES PROCESSORS 2)

if(EXISTS ${PROJECT_SOURCE_DIR}/cli)
    add_test(NAME demo COMMAND ${CMAKE_COMMAND} --build ${PROJECT_BINARY_DIR} --target demo)
    set_tests_properties(demo PROPERTIES RESOURCE_LOCK cargo)
endif()
