# Runs the dedup programs of every language in LANGUAGES on one stream: their outputs are the same, byte for byte, on this
# machine and on every other, as GOLDEN has them; and what they say is what an exact memory says, but for false
# duplicates at the rate that was asked for. Each program is a command, whose last word is a file.
cmake_policy(VERSION 3.25)

foreach(language IN LISTS LANGUAGES)
    list(GET ${language} -1 file)
    if(NOT EXISTS "${file}")
        message(FATAL_ERROR "no dedup program in ${language}: '${${language}}'")
    endif()
endforeach()

# The stream and the output have the hashes that golden.txt says.
function(expect_golden name file)
    file(SHA256 ${file} hash)
    file(STRINGS ${GOLDEN} golden REGEX "^${name} ")
    if(NOT golden STREQUAL "${name} ${hash}")
        message(FATAL_ERROR "dedup: ${file} has the hash ${hash}, and ${GOLDEN} says '${golden}'")
    endif()
endfunction()

file(MAKE_DIRECTORY ${ROOM})
execute_process(COMMAND ${STREAM} ${ROOM}/exact OUTPUT_FILE ${ROOM}/stream COMMAND_ERROR_IS_FATAL ANY)
expect_golden(stream ${ROOM}/stream)
foreach(language IN LISTS LANGUAGES)
    execute_process(COMMAND ${${language}} INPUT_FILE ${ROOM}/stream OUTPUT_FILE ${ROOM}/${language}
        COMMAND_ERROR_IS_FATAL ANY)
    file(SHA256 ${ROOM}/${language} hash)
    file(SIZE ${ROOM}/${language} size)
    message(STATUS "dedup: ${language}: ${size} bytes, ${hash}")
    if(NOT hash STREQUAL "${first}" AND DEFINED first)
        message(FATAL_ERROR "dedup: ${language} and C differ: ${ROOM}/${language}, ${ROOM}/C")
    endif()
    set(first ${hash})
endforeach()
expect_golden(output ${ROOM}/C)

# The figures: no repeat within the window is missed, and at most two of a thousand new ones are called repeats.
file(STRINGS ${ROOM}/C last REGEX "^read=")
file(READ ${ROOM}/exact exact)
list(GET exact 0 read)
list(GET exact 1 new)
if(NOT last MATCHES "^read=${read} new=([0-9]+) duplicate=([0-9]+) bytes=[1-9][0-9]*$")
    message(FATAL_ERROR "dedup: the figures are '${last}', and the stream has ${read} records")
endif()
math(EXPR lost "${new} - ${CMAKE_MATCH_1}")
math(EXPR allowed "${new} * 2 / 1000")
math(EXPR sum "${CMAKE_MATCH_1} + ${CMAKE_MATCH_2}")
if(lost LESS 0 OR lost GREATER allowed OR NOT sum EQUAL read)
    message(FATAL_ERROR "dedup: '${last}', and an exact memory finds ${new} new ones")
endif()
message(STATUS "dedup: ${last}; exactly ${new} were new, ${lost} of them were called duplicates")
list(LENGTH LANGUAGES count)
message(STATUS "dedup: ${count} languages, one output, that of every machine")
