# The functions and data that a library defines for others, by readelf: nm with an LLVM plugin hides those of objects
# that have bitcode beside their code, as rustc's have.

# The names in the tables that `which` (-s, --dyn-syms) shows, if they begin as `pattern` says; sorted.
function(symbols_of output which library pattern)
    execute_process(COMMAND ${READELF} -W ${which} ${library} OUTPUT_VARIABLE text COMMAND_ERROR_IS_FATAL ANY)
    string(REGEX MATCHALL "(FUNC|OBJECT|TLS) +(GLOBAL|WEAK|UNIQUE) +DEFAULT +[0-9]+ ${pattern}[^\n@ ]*" lines "${text}")
    list(TRANSFORM lines REPLACE ".* " "")
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
