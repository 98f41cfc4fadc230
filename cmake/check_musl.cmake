# The libraries for musl are opened and asked by a program of musl, and ask for no library but musl's own. Those for glibc
# are not opened by it: the test can fail.
cmake_policy(VERSION 3.25)

execute_process(COMMAND ${CMAKE_COMMAND} --build ${BUILD} --target lately_java_musl COMMAND_ERROR_IS_FATAL ANY)
execute_process(COMMAND mktemp -d OUTPUT_VARIABLE room OUTPUT_STRIP_TRAILING_WHITESPACE COMMAND_ERROR_IS_FATAL ANY)
execute_process(COMMAND musl-gcc -std=c11 -Wall -Wextra -Werror -I${SOURCE}/include ${SOURCE}/tests/musl/opens.c
    -o ${room}/opens COMMAND_ERROR_IS_FATAL ANY)

function(open folder)
    execute_process(COMMAND ${room}/opens ${folder}/liblately.so.${ABI} ${folder}/liblately_jni.so
        OUTPUT_VARIABLE said ERROR_VARIABLE said)
    set(said "${said}" PARENT_SCOPE)
endfunction()

open(${MUSL})
if(NOT said STREQUAL "opened\n")
    message(FATAL_ERROR "a program of musl opens ${MUSL}: ${said}")
endif()
open(${GLIBC})
if(said MATCHES "opened")
    message(FATAL_ERROR "a program of musl opens what is for glibc: ${GLIBC}")
endif()
foreach(library liblately.so.${ABI} liblately_jni.so)
    execute_process(COMMAND ${READELF} -d ${MUSL}/${library} OUTPUT_VARIABLE text COMMAND_ERROR_IS_FATAL ANY)
    string(REGEX MATCHALL "NEEDED[^\n]*" needed "${text}")
    list(FILTER needed EXCLUDE REGEX "\\[(libc\\.so|liblately\\.so\\.${ABI})\\]$")
    if(needed)
        message(FATAL_ERROR "${library} needs ${needed}")
    endif()
endforeach()
file(REMOVE_RECURSE ${room})
message(STATUS "musl: the libraries were opened and asked by a program of musl")
