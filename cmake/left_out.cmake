# The list of what is left out is itself a test: this configuration again, with programs that are hidden.
add_test(NAME check.left_out COMMAND ${CMAKE_COMMAND} -D SOURCE=${PROJECT_SOURCE_DIR} -D BUILD=${PROJECT_BINARY_DIR}
    -D CTEST=${CMAKE_CTEST_COMMAND} -D ROOM=${PROJECT_BINARY_DIR}/left_out
    -P ${PROJECT_SOURCE_DIR}/cmake/check_left_out.cmake)
