# The Rust suite of the library, built for the platform and run there: its unit tests, the programs of tests/ and the files of
# tests/suite that test what a platform can break.

# orders is for a checker, which another way of building makes; unobtainable limits a process to less than qemu needs; resident
# counts pages, those of qemu among them. One test of refused begins its own program again, which qemu does not run.
set(LATELY_TESTS_OF_THIS_MACHINE orders unobtainable resident)
set(LATELY_SKIPPED_refused -- --skip a_process_ends_when_more_threads_wait)
# What a platform can break is the order of bytes, vectors, threads and the last digits of a logarithm. All else is the same
# arithmetic everywhere, and these modules have hours of it where qemu computes.
set(LATELY_MODULES_OF_A_PLATFORM claims_saved claims_vectors contract divided file format golden in_place keyed keys plans shared
    snapshot snapshot_growth snapshot_machines snapshot_shared vectors verbs)

file(GLOB suites RELATIVE ${PROJECT_SOURCE_DIR}/tests CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/tests/*.rs)
list(TRANSFORM suites REPLACE "\\.rs$" "")
list(REMOVE_ITEM suites ${LATELY_TESTS_OF_THIS_MACHINE})
set(chosen --lib ${suites})
list(TRANSFORM chosen PREPEND "--test;" REGEX "^[a-z]")
list(JOIN chosen ";" chosen)
list(APPEND chosen --test suite)

lately_add_target(lately_rust_tests ALL
    COMMAND ${LATELY_CARGO} test --no-run ${LATELY_CARGO_FLAGS} -p lately --features serde,metrics ${chosen}
    COMMAND ${LATELY_CARGO} test --no-run ${LATELY_CARGO_FLAGS} -p c_tests --test adversarial)
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
foreach(module IN LISTS LATELY_MODULES_OF_A_PLATFORM)
    # `shared::` is also the end of the name of a law.
    lately_add_rust_test(${module} -p lately --features serde,metrics --test suite ${module}:: -- --skip elastic_)
endforeach()
lately_add_rust_test(adversarial -p c_tests --test adversarial)
