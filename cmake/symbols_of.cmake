# The functions that a library defines for others, sorted, one name each.

# Runs `nm` with the further arguments; keeps names of functions and data that are visible outside.
function(symbols_of output)
    execute_process(COMMAND ${NM} ${ARGN} OUTPUT_VARIABLE text ERROR_QUIET RESULT_VARIABLE failed)
    if(failed)
        message(FATAL_ERROR "nm failed: ${ARGN}")
    endif()
    string(REGEX MATCHALL "[0-9a-f]+ [A-Z] [^\n]+" lines "${text}")
    list(TRANSFORM lines REPLACE "^[0-9a-f]+ [A-Z] " "")
    list(SORT lines)
    set(${output} "${lines}" PARENT_SCOPE)
endfunction()

# No function of the feature `testing` is among the names.
function(expect_no_testing where)
    set(names ${ARGN})
    list(FILTER names INCLUDE REGEX "lately_testing_")
    if(names)
        message(FATAL_ERROR "${where} has functions of the tests: ${names}")
    endif()
endfunction()
