# The public interface of each language as a list in tests/interfaces/, and a test that fails when the two differ.
#   BLESS=1 ctest --preset check -R '^interface'     regenerates the lists
# tests/interfaces/breaks/ has a deliberate break of each, which its test must notice.

lately_find_tool(ABIDW abidw)
lately_find_tool(CLANG clang)
lately_find_companion(CLANGXX clang++ OF CLANG)
lately_find_tool(DIFF diff)
lately_find_tool(PATCH patch)
lately_find_tool(TAR tar)
# What each list is made with, and what its language is called.
set(needs_c ABIDW)
set(needs_cpp CLANG CLANGXX)
set(needs_rust)
set(needs_go GO)
set(needs_java JAVAC)
set(name_c C)
set(name_cpp C++)
set(name_rust Rust)
set(name_go Go)
set(name_java Java)

# Where rustdoc works for the list of Rust: apart from target/, so that it waits for no other cargo command.
set(LATELY_INTERFACE_DIR ${PROJECT_BINARY_DIR}/cargo-interface)
set(LATELY_INTERFACE_FACTS
    -D LISTS=${PROJECT_SOURCE_DIR}/tests/interfaces -D CARGO=${CARGO} -D CARGO_DIR=${PROJECT_SOURCE_DIR}/target
    -D CC=${CMAKE_C_COMPILER} -D ABIDW=${ABIDW} -D CLANGXX=${CLANGXX} -D GO=${GO} -D JDK=${LATELY_JDK}
    -D PATCH=${PATCH} -D TAR=${TAR})

# The two programs that read what rustdoc and clang write: the build has made them, with the tests of the workspace.
add_test(NAME interface.tools COMMAND ${CARGO} build --profile test ${LATELY_WORKSPACE} --example interface --example interface_cpp
    WORKING_DIRECTORY ${PROJECT_SOURCE_DIR})
set_tests_properties(interface.tools PROPERTIES FIXTURES_SETUP interface_tools RESOURCE_LOCK cargo)

foreach(language c cpp rust go java)
    lately_can_test(can "the public interface of ${name_${language}}" ${needs_${language}} DIFF)
    if(NOT can)
        continue()
    endif()
    add_test(NAME interface.${language} COMMAND ${CMAKE_COMMAND} -D LANGUAGE=${language}
        -D SOURCE=${PROJECT_SOURCE_DIR} -D DOC_DIR=${LATELY_INTERFACE_DIR} ${LATELY_INTERFACE_FACTS}
        -P ${PROJECT_SOURCE_DIR}/cmake/interfaces/check.cmake)
    set_tests_properties(interface.${language} PROPERTIES
        FIXTURES_REQUIRED interface_tools RESOURCE_LOCK interface)
endforeach()

file(GLOB breaks CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/tests/interfaces/breaks/*.patch)
foreach(break IN LISTS breaks)
    get_filename_component(name ${break} NAME_WE)
    file(STRINGS ${break} language REGEX "^Noticed by: " LIMIT_COUNT 1)
    string(REGEX REPLACE "^Noticed by: " "" language "${language}")
    lately_can_test(can "the public interface of ${name_${language}}" ${needs_${language}} DIFF PATCH TAR)
    if(NOT can)
        continue()
    endif()
    add_test(NAME interface.break.${name} COMMAND ${CMAKE_COMMAND} -D BREAK=${break} -D SOURCE=${PROJECT_SOURCE_DIR}
        ${LATELY_INTERFACE_FACTS} -P ${PROJECT_SOURCE_DIR}/cmake/interfaces/break.cmake)
    set_tests_properties(interface.break.${name} PROPERTIES
        FIXTURES_REQUIRED interface_tools RESOURCE_LOCK interface)
endforeach()
