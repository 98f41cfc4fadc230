# The Rust side: format, lints, the documentation without a warning, every test of the workspace, and the demo. They share
# target/ and so take turns. What takes long to compile is compiled by the build, which has no time limit.

# A test that runs cargo.
function(lately_add_cargo_test name)
    add_test(NAME rust.${name} COMMAND ${CARGO} ${ARGN} WORKING_DIRECTORY ${PROJECT_SOURCE_DIR})
    set_tests_properties(rust.${name} PROPERTIES RESOURCE_LOCK cargo LABELS rust)
endfunction()

# ---- compiled by the build ----

# With the options by serde and the metrics, which no other test asks for; without the module, which needs libclang.
set(LATELY_WORKSPACE --workspace --exclude lately-module --features lately/serde,lately/metrics --locked)
# In the profile of the tests: build scripts, what they make (zstd in C among it) and macros are those of the tests then.
set(LATELY_LINT clippy --profile test --all-targets ${LATELY_WORKSPACE} -- -D warnings)
lately_find_component(can_lint clippy "Rust lints")
set(lint)
if(can_lint)
    # What clippy finds is not the build's to judge: the test finds it again.
    set(lint COMMAND sh -c "\"$@\" || true" sh ${LATELY_HOST_CARGO} ${LATELY_LINT})
endif()
lately_add_target(lately_cargo_tests ALL
    COMMAND ${LATELY_HOST_CARGO} test --no-run ${LATELY_WORKSPACE}
    ${lint})

# ---- tests ----

lately_find_component(can_format fmt "Rust formatting")
if(can_format)
    lately_add_cargo_test(fmt fmt --all --check)
    lately_add_cargo_test(fmt_axum fmt --manifest-path examples/axum/Cargo.toml --check)
endif()
if(can_lint)
    lately_add_cargo_test(clippy ${LATELY_LINT})
endif()
lately_add_cargo_test(doc doc --profile test ${LATELY_WORKSPACE} --no-deps --quiet)
set_tests_properties(rust.doc PROPERTIES ENVIRONMENT "RUSTDOCFLAGS=-D warnings")
lately_add_cargo_test(test test ${LATELY_WORKSPACE} --no-fail-fast)
# What the check tries a fifth of, whole: hostile snapshots, traffics of a window table, and windows at their limit of memory.
lately_add_cargo_test(whole.hostile test ${LATELY_WORKSPACE} --no-fail-fast --test snapshot_hostile)
lately_add_cargo_test(whole.traffic test ${LATELY_WORKSPACE} --no-fail-fast --test suite elastic)
set_tests_properties(rust.whole.hostile rust.whole.traffic PROPERTIES ENVIRONMENT LATELY_WHOLE=1)
# The longest of all tests: it starts first and has more time than others, which run at the same time.
# It is compiled, so it holds up no other command of cargo; if it is not, cargo itself makes them wait.
set_property(TEST rust.test PROPERTY RESOURCE_LOCK)
set_tests_properties(rust.test PROPERTIES COST 1000 TIMEOUT 3000)

# The middleware of docs/how-to/answer-each-request-once.md, whose crates nothing else here has.
lately_add_cargo_test(axum test --manifest-path examples/axum/Cargo.toml --target-dir ${PROJECT_BINARY_DIR}/axum --locked)

add_test(NAME demo COMMAND ${CMAKE_COMMAND} --build ${PROJECT_BINARY_DIR} --target demo)
set_tests_properties(demo PROPERTIES RESOURCE_LOCK cargo)
