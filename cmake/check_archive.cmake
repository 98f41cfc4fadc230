# The static archive defines every name of the committed list for others, none of the tests, and nothing else.
include(${CMAKE_CURRENT_LIST_DIR}/symbols_of.cmake)

symbols_of(functions -s ${STATIC} "lately_")
file(STRINGS ${SYMBOLS} listed)
expect_no_testing(${STATIC} ${functions})
if(NOT functions STREQUAL listed)
    message(FATAL_ERROR "${STATIC} has\n  ${functions}\nand tests/symbols.txt has\n  ${listed}")
endif()

# Of any type and any visibility: inside an archive a hidden name clashes like another.
execute_process(COMMAND ${READELF} -W -s ${STATIC} OUTPUT_VARIABLE text COMMAND_ERROR_IS_FATAL ANY)
string(REGEX MATCHALL "(GLOBAL|WEAK|UNIQUE) +[A-Z]+ [^\n]*([0-9]|ABS|COM) [^\n ]+\n" globals "${text}")
list(LENGTH globals count)
list(LENGTH listed wanted)
if(NOT count EQUAL wanted)
    list(FILTER globals EXCLUDE REGEX " lately_")
    list(SUBLIST globals 0 20 shown)
    message(FATAL_ERROR "${STATIC} defines ${count} global symbols, ${wanted} of them its functions; the others are such as\n${shown}")
endif()
message(STATUS "archive: ${count} global symbols, exactly those of tests/symbols.txt")
