# The public interface of LANGUAGE, as the tree in SOURCE has it, is what LISTS has. With BLESS in the environment the
# list is regenerated. LANGUAGE.cmake beside this file makes it.
cmake_policy(VERSION 3.25)

execute_process(COMMAND mktemp -d OUTPUT_VARIABLE room OUTPUT_STRIP_TRAILING_WHITESPACE COMMAND_ERROR_IS_FATAL ANY)
set(lines)

# The output of a command goes to the variable.
function(run_into output)
    execute_process(COMMAND ${ARGN} OUTPUT_VARIABLE text COMMAND_ERROR_IS_FATAL ANY)
    set(${output} "${text}" PARENT_SCOPE)
endfunction()

# The list `name` is `text`; or it becomes that.
function(hold name text)
    if(DEFINED ENV{BLESS})
        file(WRITE ${LISTS}/${name} "${text}")
        message(STATUS "interface: ${name} is regenerated")
        return()
    endif()
    file(WRITE ${room}/${name} "${text}")
    execute_process(COMMAND diff -u ${LISTS}/${name} ${room}/${name} OUTPUT_VARIABLE changes RESULT_VARIABLE differ)
    if(differ)
        file(REMOVE_RECURSE ${room})
        message(FATAL_ERROR "the public interface is not tests/interfaces/${name}:\n${changes}\n"
            "BLESS=1 ctest --preset check -R '^interface' regenerates the list. docs/reference/compatibility.md says what may change")
    endif()
    string(REGEX MATCHALL "\n" lines "${text}")
    list(LENGTH lines count)
    message(STATUS "interface: ${name}: ${count} lines, as they are committed")
endfunction()

include(${CMAKE_CURRENT_LIST_DIR}/${LANGUAGE}.cmake)
file(REMOVE_RECURSE ${room})
