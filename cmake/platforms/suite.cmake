# The Rust suite of the library, built for the platform and run there: its unit tests, the files of tests/suite and the
# programs of tests/, except those that test this machine or a law. A new file is taken along by itself, and so is what it reads.

# orders is for a checker, which another way of building makes; unobtainable limits a process to less than qemu needs; resident
# counts pages, those of qemu among them. One test of refused begins its own program again, which qemu does not run.
set(LATELY_TESTS_OF_THIS_MACHINE orders unobtainable resident)
set(LATELY_SKIPPED_refused -- --skip a_process_ends_when_more_threads_wait)
# What a platform can break is the order of bytes, vectors and threads. Rates of errors and bytes a key are the same arithmetic
# everywhere, and these modules have hours of it where qemu computes.
set(LATELY_MODULES_OF_LAWS bits_per_key bursts churn elastic elastic_limit elastic_shared quotient rates)

file(GLOB suites RELATIVE ${PROJECT_SOURCE_DIR}/tests CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/tests/*.rs)
list(TRANSFORM suites REPLACE "\\.rs$" "")
list(REMOVE_ITEM suites ${LATELY_TESTS_OF_THIS_MACHINE})
set(chosen --lib ${suites})
list(TRANSFORM chosen PREPEND "--test;" REGEX "^[a-z]")
list(JOIN chosen ";" chosen)
list(APPEND chosen --test suite)
file(STRINGS ${PROJECT_SOURCE_DIR}/tests/suite/main.rs modules REGEX "^mod [a-z_]+;$")
list(TRANSFORM modules REPLACE "^mod ([a-z_]+);$" "\\1")
list(REMOVE_ITEM modules common ${LATELY_MODULES_OF_LAWS})

add_custom_target(lately_rust_tests ALL
    COMMAND ${LATELY_CARGO} test --no-run ${LATELY_CARGO_FLAGS} -p lately --features serde,metrics ${chosen}
    COMMAND ${LATELY_CARGO} test --no-run ${LATELY_CARGO_FLAGS} -p c_tests --test adversarial
    WORKING_DIRECTORY ${PROJECT_SOURCE_DIR}
    USES_TERMINAL
    VERBATIM)
# One after the other: both want every core.
add_dependencies(lately_rust_tests lately_rust)

# A test of cargo, which is given whole minutes: qemu is slower than a processor by ten times and more.
function(lately_add_rust_test name)
    add_test(NAME rust.${name} COMMAND ${LATELY_CARGO} test ${LATELY_CARGO_FLAGS} ${ARGN}
        WORKING_DIRECTORY ${PROJECT_SOURCE_DIR})
    set_tests_properties(rust.${name} PROPERTIES LABELS rust)
endfunction()

lately_add_rust_test(unit -p lately --features serde,metrics --lib)
foreach(suite IN LISTS suites)
    lately_add_rust_test(${suite} -p lately --features serde,metrics --test ${suite} ${LATELY_SKIPPED_${suite}})
endforeach()
foreach(module IN LISTS modules)
    # `shared::` is also the end of the name of a law.
    lately_add_rust_test(${module} -p lately --features serde,metrics --test suite ${module}:: -- --skip elastic_)
endforeach()
lately_add_rust_test(adversarial -p c_tests --test adversarial)
