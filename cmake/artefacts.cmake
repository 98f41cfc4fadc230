# What the built libraries are, apart from what they do: names, exports, size, nothing of the tests inside.

lately_find_tool(READELF readelf)
lately_need_tools("exports, soname and size of the library" PYTHON3 READELF)

function(lately_add_artefact_test name)
    lately_add_check(artefacts.${name} artefacts WHAT=${name} READELF=${READELF} SHARED=${LATELY_SHARED}
        STATIC=${LATELY_STATIC} SONAME=${LATELY_SONAME} SYMBOLS=${PROJECT_SOURCE_DIR}/tests/symbols.txt
        REACHED=${PROJECT_SOURCE_DIR}/tests/size.txt)
endfunction()

lately_add_artefact_test(exports)
lately_add_artefact_test(archive)
lately_add_artefact_test(soname)

# Whoever carries the library inside a shared object of his own exports nothing by it but what it is meant to export: of the
# archive its functions, of the crate not even those.
function(lately_add_carrier_test name library)
    lately_add_check(artefacts.${name} artefacts WHAT=exports READELF=${READELF} SHARED=${library} ${ARGN})
endfunction()

add_library(lately_hidden MODULE tests/hidden/hidden.c)
target_link_libraries(lately_hidden PRIVATE lately::static)
set_target_properties(lately_hidden PROPERTIES
    C_STANDARD 11 C_VISIBILITY_PRESET hidden LIBRARY_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR}/carriers)
lately_add_carrier_test(hidden $<TARGET_FILE:lately_hidden>
    SYMBOLS=${PROJECT_SOURCE_DIR}/tests/symbols.txt ALSO=hidden_hash)

if(NOT CMAKE_CROSSCOMPILING)
    # The number is that of this machine's kind of code.
    lately_add_artefact_test(size)
    # The build has made it, with the tests of the workspace and their features.
    add_test(NAME artefacts.embedder.build COMMAND ${CARGO} build --profile test ${LATELY_WORKSPACE} --example embedder
        WORKING_DIRECTORY ${PROJECT_SOURCE_DIR})
    set_tests_properties(artefacts.embedder.build PROPERTIES FIXTURES_SETUP embedder RESOURCE_LOCK cargo)
    lately_add_carrier_test(embedder
        ${PROJECT_SOURCE_DIR}/target/debug/examples/${CMAKE_SHARED_LIBRARY_PREFIX}embedder${CMAKE_SHARED_LIBRARY_SUFFIX}
        ALSO=embedder_knows)
    set_tests_properties(artefacts.embedder PROPERTIES FIXTURES_REQUIRED embedder)
endif()
