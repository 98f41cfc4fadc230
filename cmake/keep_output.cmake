# cmake -D FILE=... -P keep_output.cmake -- COMMAND...: what the command prints goes to the file, if it succeeds.
cmake_policy(VERSION 3.25)

set(command)
foreach(at RANGE 1 ${CMAKE_ARGC})
    if(at LESS CMAKE_ARGC AND begun)
        list(APPEND command "${CMAKE_ARGV${at}}")
    elseif("${CMAKE_ARGV${at}}" STREQUAL "--")
        set(begun TRUE)
    endif()
endforeach()
execute_process(COMMAND ${command} OUTPUT_FILE ${FILE}.new COMMAND_ERROR_IS_FATAL ANY)
file(RENAME ${FILE}.new ${FILE})
