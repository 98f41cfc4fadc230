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
