# Runs the example job of engines/flink over the stream of the dedup programs. Every duplicate within the window must be
# found, and no more records held back beside them than the error rate allows.
#   MAVEN    the command that builds it
#   STREAM   the program that writes the stream, and to its argument "read new duplicate"
#   ROOM     a folder
cmake_policy(VERSION 3.25)

file(MAKE_DIRECTORY ${ROOM})
execute_process(COMMAND ${STREAM} ${ROOM}/truth OUTPUT_FILE ${ROOM}/stream COMMAND_ERROR_IS_FATAL ANY)
file(STRINGS ${ROOM}/truth truth LIMIT_COUNT 1)
string(REGEX MATCHALL "[0-9]+" truth "${truth}")
list(GET truth 0 read)
list(GET truth 1 new)
list(GET truth 2 duplicates)

execute_process(COMMAND ${MAVEN} test-compile org.codehaus.mojo:exec-maven-plugin:3.5.0:exec -Dexec.executable=java
    -Dexec.classpathScope=test "-Dexec.args=-Xmx768m -cp %classpath example.FirstSightings ${ROOM}/stream"
    OUTPUT_VARIABLE output ERROR_VARIABLE output RESULT_VARIABLE result)
if(NOT result EQUAL 0 OR NOT output MATCHES "read ([0-9]+), new ([0-9]+), duplicates ([0-9]+)")
    message(FATAL_ERROR "the example ended with ${result} and said\n${output}")
endif()
set(said "${CMAKE_MATCH_0}")
math(EXPR wrong "${CMAKE_MATCH_3} - ${duplicates}")
math(EXPR sum "${CMAKE_MATCH_2} + ${CMAKE_MATCH_3}")
# One in a million of the new ones, and 5 that chance may add to so few in less than one case of two hundred.
math(EXPR most "${new} / 1000000 + 5")
message(STATUS "${said}; exactly: new ${new}, duplicates ${duplicates}")
if(NOT CMAKE_MATCH_1 EQUAL read OR NOT sum EQUAL read OR wrong LESS 0 OR wrong GREATER most)
    message(FATAL_ERROR "exactly it is: read ${read}, new ${new}, duplicates ${duplicates}; at most ${most} may be held back beside")
endif()
