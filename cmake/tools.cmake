# The programs that the build and the tests run. Without a required one the configuration fails. Without any other, the
# tests that need it are left out and named, at the end of the configuration and after every run of ctest.
#   lately_require_program(VARIABLE name advice)   finds a required program
#   lately_find_tool(VARIABLE name...)             finds a program in the PATH, by the first of its names that is there
#   lately_lacks(VARIABLE reason)                  says that a tool is there but of no use, and so counts as missing
#   lately_can_test(output what VARIABLE...)       TRUE if all of these tools are there; if not, `what` is left out
#   lately_need_tools(what VARIABLE...)            the same, and without them the file that says so ends there
#   lately_add_check(name script NAME=value...)    a test of packaging/checks/<script>.py, by PYTHON3
# With LATELY_REQUIRE_ALL=1 in the environment, and on another platform, a test that is left out is an error. With the names of parts
# of .ci/parts in its place only what `check` and these parts need must be there.

# ---- required programs ----

function(lately_require_program variable name advice)
    find_program(${variable} ${name})
    if(NOT ${variable})
        lately_missing("${name}: ${advice}")
    endif()
endfunction()

# Notes that something required is missing.
function(lately_missing what)
    get_property(missing GLOBAL PROPERTY LATELY_MISSING)
    if(NOT what IN_LIST missing)
        set_property(GLOBAL APPEND PROPERTY LATELY_MISSING "${what}")
    endif()
endfunction()

# ---- tools of tests ----

# Searched again each time, and only where a shell would search: the PATH may have changed, or the program be gone.
function(lately_find_tool variable)
    if(NOT EXISTS "${${variable}}")
        unset(${variable} CACHE)
        unset(${variable})
        find_program(${variable} NAMES ${ARGN} NO_CACHE NO_CMAKE_SYSTEM_PATH)
        set(${variable} ${${variable}} PARENT_SCOPE)
    endif()
    if(NOT ${variable})
        lately_lacks(${variable} "${ARGV1} is not installed")
    endif()
endfunction()

function(lately_lacks variable reason)
    get_property(known GLOBAL PROPERTY LATELY_LACKS_${variable})
    if(NOT known)
        set_property(GLOBAL PROPERTY LATELY_LACKS_${variable} "${reason}")
        set_property(GLOBAL APPEND PROPERTY LATELY_LACKING ${variable})
    endif()
endfunction()

# Why these tools cannot be used, as one text; empty if all of them can.
function(lately_lacking output)
    set(reasons)
    foreach(variable IN LISTS ARGN)
        get_property(reason GLOBAL PROPERTY LATELY_LACKS_${variable})
        list(APPEND reasons ${reason})
    endforeach()
    list(JOIN reasons ", " reasons)
    set(${output} "${reasons}" PARENT_SCOPE)
endfunction()

function(lately_can_test output what)
    set(can TRUE)
    foreach(variable IN LISTS ARGN)
        lately_lacking(reason ${variable})
        if(reason)
            set(can FALSE)
            set_property(GLOBAL APPEND PROPERTY LATELY_WITHOUT_${variable} "${what}")
        endif()
    endforeach()
    set(${output} ${can} PARENT_SCOPE)
endfunction()

# A macro: `return` is the caller's.
macro(lately_need_tools what)
    lately_can_test(can "${what}" ${ARGN})
    if(NOT can)
        return()
    endif()
endmacro()

# ---- Python ----

# What python3 is not counts as missing: `test` is a condition in Python.
function(lately_check_python variable test what)
    execute_process(COMMAND ${PYTHON3} -c "import sys; sys.exit(not (${test}))" RESULT_VARIABLE failed OUTPUT_QUIET ERROR_QUIET)
    if(failed)
        lately_lacks(${variable} "python3 is not ${what}")
    endif()
endfunction()
if(LATELY_TESTS OR LATELY_ONLY OR CMAKE_CROSSCOMPILING)
    lately_find_tool(PYTHON3 python3)
    if(PYTHON3)
        lately_check_python(PYTHON3 "sys.version_info >= (3, 8)" "Python 3.8 or later")
        lately_check_python(PYTHON3_VENV "sys.version_info >= (3, 11) and __import__('ensurepip') and __import__('venv')"
            "Python 3.11 or later with venv")
    endif()
endif()

set(LATELY_RELEASE ${PYTHON3} -B ${PROJECT_SOURCE_DIR}/packaging/release.py)
function(lately_add_check name script)
    add_test(NAME ${name} COMMAND ${PYTHON3} -B ${PROJECT_SOURCE_DIR}/packaging/checks/${script}.py ${ARGN})
endfunction()

# ---- targets ----

# A target of commands that have the terminal to themselves, in the folder of the sources.
function(lately_add_target name)
    add_custom_target(${name} ${ARGN} WORKING_DIRECTORY ${PROJECT_SOURCE_DIR} USES_TERMINAL COMMENT ${name} VERBATIM)
endfunction()

# ---- the end of the configuration ----

# One line for each tool that is missing, with everything that is left out for it; and those of them that must not be.
function(lately_list_left_out output output_required)
    get_property(lacking GLOBAL PROPERTY LATELY_LACKING)
    set(lines)
    set(required)
    foreach(variable IN LISTS lacking)
        get_property(what GLOBAL PROPERTY LATELY_WITHOUT_${variable})
        if(what)
            list(REMOVE_DUPLICATES what)
            list(JOIN what ", " what)
            lately_lacking(reason ${variable})
            list(APPEND lines "not tested: ${what} (${reason})")
            lately_is_left(left ${variable})
            if(NOT left)
                list(APPEND required "not tested: ${what} (${reason})")
            endif()
        endif()
    endforeach()
    set(${output} ${lines} PARENT_SCOPE)
    set(${output_required} ${required} PARENT_SCOPE)
endfunction()

# ctest reads CTestCustom.cmake, and runs its last command after everything else, whether tests passed or failed.
function(lately_print_after_tests)
    set(list ${PROJECT_BINARY_DIR}/left_out.txt)
    set(custom ${PROJECT_BINARY_DIR}/CTestCustom.cmake)
    if(ARGN)
        list(JOIN ARGN "\n" text)
        file(WRITE ${list} "${text}\n")
        file(WRITE ${custom} "set(CTEST_CUSTOM_POST_TEST [[\"${CMAKE_COMMAND}\" -E cat \"${list}\"]])\n")
    else()
        file(REMOVE ${list} ${custom})
    endif()
endfunction()

function(lately_report_missing_programs)
    get_property(missing GLOBAL PROPERTY LATELY_MISSING)
    if(missing)
        list(JOIN missing "\n  " missing)
        message(FATAL_ERROR "These programs are missing:\n  ${missing}")
    endif()
    lately_list_left_out(lines required)
    if(required AND (CMAKE_CROSSCOMPILING OR NOT "$ENV{LATELY_REQUIRE_ALL}" STREQUAL ""))
        list(JOIN required "\n  " required)
        message(FATAL_ERROR "Every test is required, and some cannot run:\n  ${required}")
    endif()
    lately_print_after_tests(${lines})
    foreach(line IN LISTS lines)
        message(STATUS "${line}")
    endforeach()
    if(lines)
        message(STATUS "CONTRIBUTING.md lists the tools; on Debian and Ubuntu .ci/run installs them")
    endif()
endfunction()
