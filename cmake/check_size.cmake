# The shared library is at most a tenth larger than what was reached, which tests/size.txt has. With BLESS in the
# environment the number is regenerated. docs/reference/packages.md says what makes it up.
cmake_policy(VERSION 3.25)

file(SIZE ${SHARED} size)
if(DEFINED ENV{BLESS})
    file(WRITE ${REACHED} "${size}\n")
endif()
file(STRINGS ${REACHED} reached)
math(EXPR most "${reached} + ${reached} / 10")
if(size GREATER most)
    message(FATAL_ERROR "${SHARED} has ${size} bytes: ${reached} were reached, and ${most} are allowed")
endif()
# A library with names and debug information in it would be compared with nothing.
execute_process(COMMAND ${READELF} -S -W ${SHARED} OUTPUT_VARIABLE sections COMMAND_ERROR_IS_FATAL ANY)
if(sections MATCHES "\\.(symtab|debug_info)")
    message(FATAL_ERROR "${SHARED} is not stripped")
endif()
message(STATUS "size: ${size} bytes, ${reached} were reached")
