# Threads: a program of many under ThreadSanitizer, which must also find a race that is planted; and the tests that try
# the orders in which threads may run. The sanitizer is unstable in rustc, hence RUSTC_BOOTSTRAP, for tests alone.

# `cargo test` with compiler flags of its own, and so with a target folder of its own: as lately_<folder>_test.
function(lately_use_flags folder flags)
    set(lately_${folder}_test ${CMAKE_COMMAND} -E env ${LATELY_ALONE} RUSTC_BOOTSTRAP=1 "RUSTFLAGS=${flags}" ${CARGO} test
        --profile sanitized --locked --target ${LATELY_TARGET} --target-dir ${PROJECT_BINARY_DIR}/${folder} PARENT_SCOPE)
endfunction()

function(lately_add_threads_test name folder)
    add_test(NAME threads.${name} COMMAND ${lately_${folder}_test} ${ARGN} WORKING_DIRECTORY ${PROJECT_SOURCE_DIR})
    set_tests_properties(threads.${name} PROPERTIES RESOURCE_LOCK ${folder} LABELS threads)
endfunction()

# Compiles these tests, after those that need no flags, when the part `threads` is built.
function(lately_build_threads_tests folder)
    lately_add_target(lately_${folder} ALL COMMAND ${lately_${folder}_test} --no-run ${ARGN})
    add_dependencies(lately_${folder} lately_cargo_tests)
    lately_leave_to(threads lately_${folder})
endfunction()

# The standard library is not built with the sanitizer; the library's locks are parking_lot's, into which it sees.
set(LATELY_TSAN -Zsanitizer=thread -Cunsafe-allow-abi-mismatch=sanitizer)
lately_try_rustc(RUST_TSAN "rustc has no ThreadSanitizer that links" --crate-type bin ${LATELY_TSAN})
lately_can_test(can "threads under ThreadSanitizer" RUST_TSAN)
if(can)
    list(JOIN LATELY_TSAN " " LATELY_TSAN)
    lately_use_flags(cargo-tsan "${LATELY_TSAN}")
    lately_build_threads_tests(cargo-tsan -p race_tests)
    lately_add_threads_test(races cargo-tsan -p race_tests)
    foreach(language rust c)
        lately_add_threads_test(canary_${language} cargo-tsan -p race_tests -- planted-${language})
        set_tests_properties(threads.canary_${language} PROPERTIES
            PASS_REGULAR_EXPRESSION "ThreadSanitizer: data race")
    endforeach()
endif()

# Those of the library, and of the functions of the C ABI on one handle.
lately_use_flags(cargo-shuttle "--cfg shuttle")
lately_build_threads_tests(cargo-shuttle -p lately -p c_tests --features lately/shuttle --test orders)
lately_add_threads_test(orders cargo-shuttle -p lately --features shuttle --test orders)
lately_add_threads_test(c_orders cargo-shuttle -p c_tests --test orders)
set_tests_properties(threads.orders threads.c_orders PROPERTIES PASS_REGULAR_EXPRESSION "test result: ok. [1-9]")
