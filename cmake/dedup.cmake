# examples/dedup.{c,cpp,go,java,py,rs}: the same program in each language, compared byte for byte on one stream.
# Those of the languages of bindings/languages.tsv are made by their own tests (fixtures dedup_go, ..), as executables in
# ${PROJECT_BINARY_DIR}/examples.

set(LATELY_DEDUP_DIR ${PROJECT_BINARY_DIR}/examples)
# That of every cargo command but the one that builds what is installed. The build has made this example already, with the
# tests of the workspace and their features: without those all of it would be compiled once more.
set(LATELY_TARGET_DIR ${PROJECT_SOURCE_DIR}/target)

include(cmake/dedup_programs.cmake)

add_test(NAME examples.dedup.rust COMMAND ${CARGO} build --profile test ${LATELY_WORKSPACE} --example dedup
    --target-dir ${LATELY_TARGET_DIR} WORKING_DIRECTORY ${PROJECT_SOURCE_DIR})
set_tests_properties(examples.dedup.rust PROPERTIES FIXTURES_SETUP dedup_rust RESOURCE_LOCK cargo)

# Those that are there; each is held to the same hash.
set(languages C RUST)
set(fixtures prefix dedup_rust)
set(programs)
if(TARGET dedup_cpp)
    list(APPEND languages CPP)
    set(cpp -D CPP=$<TARGET_FILE:dedup_cpp>)
endif()
foreach(language IN LISTS LATELY_BINDINGS)
    if(TEST ${language}.dedup)
        string(TOUPPER ${language} upper)
        list(APPEND languages ${upper})
        list(APPEND programs -D ${upper}=${LATELY_DEDUP_DIR}/dedup-${language})
        list(APPEND fixtures dedup_${language})
    endif()
endforeach()

add_test(NAME examples.dedup COMMAND ${CMAKE_COMMAND} "-DLANGUAGES=${languages}"
    -D GOLDEN=${PROJECT_SOURCE_DIR}/tests/dedup/golden.txt -D C=$<TARGET_FILE:dedup_c> ${cpp} -D RUST=${LATELY_TARGET_DIR}/debug/examples/dedup
    ${programs}
    -D STREAM=$<TARGET_FILE:dedup_stream> -D ROOM=${LATELY_DEDUP_DIR}/compared
    -P ${PROJECT_SOURCE_DIR}/tests/dedup/compare.cmake)
set_tests_properties(examples.dedup PROPERTIES FIXTURES_REQUIRED "${fixtures}")
