# Runs an example, as PROGRAM, on a stream with repeats, an empty line and no newline at its end.

execute_process(COMMAND mktemp -d OUTPUT_VARIABLE room OUTPUT_STRIP_TRAILING_WHITESPACE COMMAND_ERROR_IS_FATAL ANY)
file(WRITE ${room}/input "one\ntwo\none\n\n\ntwo\nthree")
execute_process(COMMAND ${PROGRAM} INPUT_FILE ${room}/input OUTPUT_VARIABLE output COMMAND_ERROR_IS_FATAL ANY)
file(REMOVE_RECURSE ${room})
if(NOT output MATCHES "^one\ntwo\n\nthree\nread=7 new=4 duplicate=3 bytes=[0-9]+\n$")
    message(FATAL_ERROR "the example printed\n${output}")
endif()
message(STATUS "${PROGRAM}: first sightings and figures as expected")
