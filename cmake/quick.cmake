# `cmake --workflow --preset quick`: what a change of the library needs before anything else. Nothing but cargo runs.
#   quick.library    the unit tests, and tests/suite
#   quick.house      the rules of the sources, and the header

set(LATELY_QUICK -p lately --features serde,metrics --locked)
add_custom_target(lately_quick ALL
    COMMAND ${LATELY_HOST_CARGO} test --no-run ${LATELY_QUICK} --lib --test suite --test house
    WORKING_DIRECTORY ${PROJECT_SOURCE_DIR}
    USES_TERMINAL
    VERBATIM)
add_test(NAME quick.library COMMAND ${CARGO} test ${LATELY_QUICK} --no-fail-fast --lib --test suite)
add_test(NAME quick.house COMMAND ${CARGO} test ${LATELY_QUICK} --test house -- tidy:: header::)
set_tests_properties(quick.library quick.house PROPERTIES WORKING_DIRECTORY ${PROJECT_SOURCE_DIR})
