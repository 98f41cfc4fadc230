# examples/dedup.{c,cpp,go,java,py,rs}: the same program in each language, compared byte for byte on one stream.
# Those of the languages of bindings/languages.tsv are LATELY_DEDUP_<LANGUAGE>, if the language is here.

# That of every cargo command but the one that builds what is installed. The build has made this example already, with the
# tests of the workspace and their features: without those all of it would be compiled once more.
set(LATELY_TARGET_DIR ${PROJECT_SOURCE_DIR}/target)

include(cmake/dedup_programs.cmake)

add_test(NAME examples.dedup.rust COMMAND ${CARGO} build --profile test ${LATELY_WORKSPACE} --example dedup
    --target-dir ${LATELY_TARGET_DIR} WORKING_DIRECTORY ${PROJECT_SOURCE_DIR})
set_tests_properties(examples.dedup.rust PROPERTIES FIXTURES_SETUP dedup_rust RESOURCE_LOCK cargo)

# Those that are there.
set(programs)
set(fixtures prefix dedup_rust)
if(TARGET dedup_cpp)
    set(programs cpp=$<TARGET_FILE:dedup_cpp>)
endif()
foreach(language IN LISTS LATELY_BINDINGS)
    string(TOUPPER ${language} upper)
    list(APPEND programs ${language}=${LATELY_DEDUP_${upper}})
endforeach()
if(TEST go.dedup)
    list(APPEND fixtures dedup_go)
endif()
lately_can_test(can "the dedup programs of every language" PYTHON3)
if(can)
    add_test(NAME examples.dedup COMMAND ${PYTHON3} -B ${PROJECT_SOURCE_DIR}/tests/dedup/compare.py
        ${PROJECT_BINARY_DIR}/examples/compared stream=$<TARGET_FILE:dedup_stream> c=$<TARGET_FILE:dedup_c>
        rust=${LATELY_TARGET_DIR}/debug/examples/dedup ${programs})
    set_tests_properties(examples.dedup PROPERTIES FIXTURES_REQUIRED "${fixtures}")
endif()
