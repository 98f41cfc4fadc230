# The languages of bindings/languages.tsv that have a folder in bindings/ and a file here with their tests: LATELY_BINDINGS.
# A source that leaves one out lacks its folder.
file(STRINGS ${PROJECT_SOURCE_DIR}/bindings/languages.tsv rows)
list(POP_FRONT rows)
set(LATELY_BINDINGS)
foreach(row IN LISTS rows)
    string(REGEX MATCH "^[a-z]+" language "${row}")
    if(EXISTS ${PROJECT_SOURCE_DIR}/bindings/${language} AND EXISTS ${PROJECT_SOURCE_DIR}/cmake/${language}.cmake)
        list(APPEND LATELY_BINDINGS ${language})
    endif()
endforeach()
