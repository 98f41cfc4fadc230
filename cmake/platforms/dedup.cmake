# examples/dedup.* on the platform: the same verdicts as on this machine, by tests/dedup/golden.txt. Where Go
# and Java run too, LATELY_DEDUP_GO and LATELY_DEDUP_JAVA are their commands.

include(cmake/dedup_programs.cmake)

# Built as the tests are, which share its parts.
set(dedup_rust ${LATELY_CARGO_DIR}/${LATELY_TARGET}/debug/examples/dedup${CMAKE_EXECUTABLE_SUFFIX})
lately_add_target(lately_dedup_rust ALL
    COMMAND ${LATELY_CARGO} build --profile test ${LATELY_CARGO_FLAGS} -p lately --example dedup
    BYPRODUCTS ${dedup_rust})
add_dependencies(lately_dedup_rust lately_rust)

set(on ${CMAKE_CROSSCOMPILING_EMULATOR})
add_test(NAME examples.dedup COMMAND ${PYTHON3} -B ${PROJECT_SOURCE_DIR}/tests/dedup/compare.py ${PROJECT_BINARY_DIR}/compared
    "stream=${on};$<TARGET_FILE:dedup_stream>" "c=${on};$<TARGET_FILE:dedup_c>" "cpp=${on};$<TARGET_FILE:dedup_cpp>"
    "rust=${on};${dedup_rust}" "go=${LATELY_DEDUP_GO}" "java=${LATELY_DEDUP_JAVA}")
