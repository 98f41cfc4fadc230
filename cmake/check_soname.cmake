# The shared library says its name to the loader, with the ABI's number that the header has.
execute_process(COMMAND ${READELF} -d ${SHARED} OUTPUT_VARIABLE text COMMAND_ERROR_IS_FATAL ANY)
if(NOT text MATCHES "\\(SONAME\\)[^\n]*\\[([^]]*)\\]")
    message(FATAL_ERROR "${SHARED} has no SONAME")
endif()
if(NOT CMAKE_MATCH_1 STREQUAL SONAME)
    message(FATAL_ERROR "the SONAME is ${CMAKE_MATCH_1}, and LATELY_ABI_VERSION says ${SONAME}")
endif()

# Every function has the version of the release that brought it.
execute_process(COMMAND ${READELF} -W --dyn-syms ${SHARED} OUTPUT_VARIABLE text COMMAND_ERROR_IS_FATAL ANY)
string(REGEX MATCHALL " lately_[^\n]*" functions "${text}")
set(bare ${functions})
list(FILTER bare EXCLUDE REGEX "^ lately_[a-z0-9_]+@@LATELY_0\\.1$")
if(NOT functions OR bare)
    message(FATAL_ERROR "${SHARED} has functions without a version: ${bare}")
endif()
message(STATUS "soname: ${SONAME}, every function has its version")
