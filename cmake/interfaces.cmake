# The public interface of each language as a list in tests/interfaces/, and a test that fails when the two differ.
#   BLESS=1 ctest --preset check -R '^interface'     regenerates the lists
# tests/interfaces/breaks/ has a deliberate break of each, which its test must notice.

lately_require_program(ABIDW abidw "apt-get install abigail-tools")
lately_require_program(CLANGXX clang++ "apt-get install clang")
lately_require_program(PATCH patch "apt-get install patch")
lately_require_program(TAR tar "apt-get install tar")

# Apart from target/, so that the lists wait for no other cargo command.
set(LATELY_INTERFACE_DIR ${PROJECT_BINARY_DIR}/cargo-interface)
set(LATELY_INTERFACE_FACTS
    -D LISTS=${PROJECT_SOURCE_DIR}/tests/interfaces -D CARGO=${CARGO} -D CARGO_DIR=${LATELY_INTERFACE_DIR}
    -D CC=${CMAKE_C_COMPILER} -D ABIDW=${ABIDW} -D CLANGXX=${CLANGXX} -D GO=${GO} -D JDK=${LATELY_JDK}
    -D PATCH=${PATCH} -D TAR=${TAR})

# The two programs that read what rustdoc and clang write.
add_test(NAME interface.tools COMMAND ${CARGO} build --quiet --locked -p packaging --examples
    --target-dir ${LATELY_INTERFACE_DIR} WORKING_DIRECTORY ${PROJECT_SOURCE_DIR})
set_tests_properties(interface.tools PROPERTIES FIXTURES_SETUP interface_tools RESOURCE_LOCK interface)

foreach(language c cpp rust go java)
    add_test(NAME interface.${language} COMMAND ${CMAKE_COMMAND} -D LANGUAGE=${language}
        -D SOURCE=${PROJECT_SOURCE_DIR} -D DOC_DIR=${LATELY_INTERFACE_DIR} ${LATELY_INTERFACE_FACTS}
        -P ${PROJECT_SOURCE_DIR}/cmake/interfaces/check.cmake)
    set_tests_properties(interface.${language} PROPERTIES
        FIXTURES_REQUIRED interface_tools RESOURCE_LOCK interface)
endforeach()

file(GLOB breaks CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/tests/interfaces/breaks/*.patch)
foreach(break IN LISTS breaks)
    get_filename_component(name ${break} NAME_WE)
    add_test(NAME interface.break.${name} COMMAND ${CMAKE_COMMAND} -D BREAK=${break} -D SOURCE=${PROJECT_SOURCE_DIR}
        ${LATELY_INTERFACE_FACTS} -P ${PROJECT_SOURCE_DIR}/cmake/interfaces/break.cmake)
    set_tests_properties(interface.break.${name} PROPERTIES
        FIXTURES_REQUIRED interface_tools RESOURCE_LOCK interface)
endforeach()
