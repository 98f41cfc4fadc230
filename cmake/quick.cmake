# `cmake --workflow --preset quick`: what a change of the library needs before anything else. Nothing but cargo runs, and it compiles
# what `cargo test -p lately` compiles.

# What `check` alone runs of tests/suite: rates that are counted over long streams, and windows at their limit of memory. These take most
# of its time. Each is a part of a test's path.
set(LATELY_LEFT_TO_CHECK bursts:: churn:: elastic:: elastic_limit:: elastic_shared:: rates::
    ::a_key_that_never_rests ::counts_of_many_threads ::replica_of_traces_alone
    ::sorted_rows_keep_the_law ::memory_rate_and_window_miss_as_few)
list(TRANSFORM LATELY_LEFT_TO_CHECK PREPEND --skip= OUTPUT_VARIABLE skips)

set(LATELY_QUICK -p lately --locked)
lately_add_target(lately_quick ALL
    COMMAND ${LATELY_HOST_CARGO} test --no-run ${LATELY_QUICK} --lib --test suite --test house)
# No test here sees the C library, which is a minute of a release build.
set_target_properties(lately_rust PROPERTIES EXCLUDE_FROM_ALL TRUE)
add_test(NAME quick.unit COMMAND ${CARGO} test ${LATELY_QUICK} --lib)
add_test(NAME quick.suite COMMAND ${CARGO} test ${LATELY_QUICK} --test suite -- ${skips})
add_test(NAME quick.house COMMAND ${CARGO} test ${LATELY_QUICK} --test house -- tidy:: header::)
set_tests_properties(quick.unit quick.suite quick.house PROPERTIES WORKING_DIRECTORY ${PROJECT_SOURCE_DIR})
