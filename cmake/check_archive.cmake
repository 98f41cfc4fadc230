# The static archive has every name of the committed list, and none of the tests. It is not promised to have no others.
include(${CMAKE_CURRENT_LIST_DIR}/symbols_of.cmake)

symbols_of(defined -s ${STATIC} "lately_")
file(STRINGS ${SYMBOLS} listed)
expect_no_testing(${STATIC} ${defined})
set(absent ${listed})
list(REMOVE_ITEM absent ${defined})
if(absent)
    message(FATAL_ERROR "${STATIC} lacks ${absent}")
endif()
list(LENGTH listed count)
message(STATUS "archive: all ${count} symbols of tests/symbols.txt are there")
