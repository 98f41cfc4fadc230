# An installation by DESTDIR is what tests/installed.txt says, component by component, and no file of it names a folder of
# the machine that built it.
cmake_policy(VERSION 3.25)
include(${CMAKE_CURRENT_LIST_DIR}/installed.cmake)

execute_process(COMMAND mktemp -d OUTPUT_VARIABLE room OUTPUT_STRIP_TRAILING_WHITESPACE COMMAND_ERROR_IS_FATAL ANY)
foreach(component runtime development tools)
    execute_process(COMMAND ${CMAKE_COMMAND} -E env DESTDIR=${room}/${component}
        ${CMAKE_COMMAND} --install ${BUILD} --prefix /usr --component ${component}
        OUTPUT_QUIET COMMAND_ERROR_IS_FATAL ANY)
    check_files(${room}/${component}/usr ${component})
endforeach()

# grep answers 1 when it found nothing, and that is the only good answer.
set(folders -e ${BUILD} -e ${SOURCE} -e ${CARGO_HOME} -e ${room})
execute_process(COMMAND grep --recursive --files-with-matches --fixed-strings ${folders} ${room}
    OUTPUT_VARIABLE found RESULT_VARIABLE result)
if(NOT result EQUAL 1)
    message(FATAL_ERROR "these name ${folders}:\n${found}")
endif()
# The search itself, on a file that has what it looks for.
file(WRITE ${room}/canary "built in ${BUILD}/lib")
execute_process(COMMAND grep --recursive --files-with-matches --fixed-strings ${folders} ${room}
    OUTPUT_VARIABLE found COMMAND_ERROR_IS_FATAL ANY)
if(NOT found STREQUAL "${room}/canary\n")
    message(FATAL_ERROR "the search found ${found}")
endif()
file(REMOVE_RECURSE ${room})
message(STATUS "installed: nothing names a folder of this machine")
