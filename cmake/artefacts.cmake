# What the built libraries are, apart from what they do: names, exports, size, nothing of the tests inside.

lately_find_tool(READELF readelf)
lately_can_test(can "exports, soname and size of the library" READELF)
if(NOT can)
    return()
endif()

function(lately_add_artefact_test name)
    add_test(NAME artefacts.${name} COMMAND ${CMAKE_COMMAND}
        -D READELF=${READELF} -D SHARED=${LATELY_SHARED} -D STATIC=${LATELY_STATIC}
        -D SONAME=${LATELY_SONAME} -D SYMBOLS=${PROJECT_SOURCE_DIR}/tests/symbols.txt
        -D REACHED=${PROJECT_SOURCE_DIR}/tests/size.txt
        -P ${PROJECT_SOURCE_DIR}/cmake/check_${name}.cmake)
endfunction()

lately_add_artefact_test(exports)
lately_add_artefact_test(archive)
lately_add_artefact_test(soname)
# The number is that of this machine's kind of code.
if(NOT CMAKE_CROSSCOMPILING)
    lately_add_artefact_test(size)
endif()

# Whoever carries the library inside a shared object of his own exports nothing by it but what it is meant to export: of the
# archive its functions, of the crate not even those.
function(lately_add_carrier_test name library)
    add_test(NAME artefacts.${name} COMMAND ${CMAKE_COMMAND} -D READELF=${READELF} -D SHARED=${library} ${ARGN}
        -P ${PROJECT_SOURCE_DIR}/cmake/check_exports.cmake)
endfunction()

add_library(lately_hidden MODULE tests/hidden/hidden.c)
target_link_libraries(lately_hidden PRIVATE lately::static)
set_target_properties(lately_hidden PROPERTIES
    C_STANDARD 11 C_VISIBILITY_PRESET hidden LIBRARY_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR}/carriers)
lately_add_carrier_test(hidden $<TARGET_FILE:lately_hidden>
    -D SYMBOLS=${PROJECT_SOURCE_DIR}/tests/symbols.txt -D ALSO=hidden_hash)

if(NOT CMAKE_CROSSCOMPILING)
    # The build has made it, with the tests of the workspace and their features.
    add_test(NAME artefacts.embedder.build COMMAND ${CARGO} build --profile test ${LATELY_WORKSPACE} --example embedder
        WORKING_DIRECTORY ${PROJECT_SOURCE_DIR})
    set_tests_properties(artefacts.embedder.build PROPERTIES FIXTURES_SETUP embedder RESOURCE_LOCK cargo)
    lately_add_carrier_test(embedder
        ${PROJECT_SOURCE_DIR}/target/debug/examples/${CMAKE_SHARED_LIBRARY_PREFIX}embedder${CMAKE_SHARED_LIBRARY_SUFFIX}
        -D ALSO=embedder_knows)
    set_tests_properties(artefacts.embedder PROPERTIES FIXTURES_REQUIRED embedder)
endif()
