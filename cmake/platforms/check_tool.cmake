# The tool under Wine: records of standard input and of a file, line ends of both systems, a plan, and a wrong option.
cmake_policy(VERSION 3.25)

file(MAKE_DIRECTORY ${ROOM})

# Runs the tool; expects its output and the end of its life.
function(expect status printed)
    execute_process(COMMAND ${WINE} ${TOOL} ${ARGN} INPUT_FILE ${ROOM}/input WORKING_DIRECTORY ${ROOM}
        OUTPUT_FILE ${ROOM}/output ERROR_VARIABLE errors RESULT_VARIABLE result)
    file(READ ${ROOM}/output output)
    if(NOT result EQUAL status OR NOT "${output}${errors}" MATCHES "${printed}")
        message(FATAL_ERROR "lately ${ARGN}\nended with ${result} and printed\n${output}${errors}")
    endif()
endfunction()

file(WRITE ${ROOM}/input "one\ntwo\none\n")
expect(0 "^one\ntwo\n$" --window 10m)
expect(0 "^one\tnew\ntwo\tnew\none\tduplicate\n$" --window 10m --flag)
expect(0 "^one\ntwo\n$" --window 10m input)
expect(0 "^one\ntwo\n$" --capacity 1000 input)
# Carriage returns are part of a record; cmake reads them only in hexadecimal.
file(WRITE ${ROOM}/input "one\r\ntwo\r\none\r\n")
expect(0 "^one" --window 10m)
file(READ ${ROOM}/output hex HEX)
if(NOT hex STREQUAL "6f6e650d0a74776f0d0a")
    message(FATAL_ERROR "lately wrote other bytes than it read: ${hex}")
endif()
expect(0 "bytes" plan --window 10m --rate 1000)
expect(2 "--window" --window never)
expect(3 "missing" --window 10m missing)
message(STATUS "lately.exe: records, a plan and refusals as on Linux")
