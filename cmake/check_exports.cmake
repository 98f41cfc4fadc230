# The shared library exports exactly the committed list.
include(${CMAKE_CURRENT_LIST_DIR}/symbols_of.cmake)

symbols_of(exported --dyn-syms ${SHARED} "")
file(STRINGS ${SYMBOLS} listed)
expect_no_testing(${SHARED} ${exported})
if(NOT exported STREQUAL listed)
    message(FATAL_ERROR "${SHARED} exports\n  ${exported}\nand tests/symbols.txt has\n  ${listed}")
endif()
list(LENGTH exported count)
message(STATUS "exports: ${count} symbols, exactly those of tests/symbols.txt")
