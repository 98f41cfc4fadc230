# The libraries for musl are opened and asked by a program of musl, on this machine and by qemu on ARM, and ask for no library
# but musl's own. Those for glibc are not opened by it: the test can fail.
cmake_policy(VERSION 3.25)

execute_process(COMMAND ${CMAKE_COMMAND} --build ${BUILD} --target lately_java_musl COMMAND_ERROR_IS_FATAL ANY)
execute_process(COMMAND mktemp -d OUTPUT_VARIABLE room OUTPUT_STRIP_TRAILING_WHITESPACE COMMAND_ERROR_IS_FATAL ANY)

string(REPLACE "," ";" includes "${JNI_INCLUDES}")
list(TRANSFORM includes PREPEND -I)

# What the program of musl says of the library in a folder.
function(open output folder)
    execute_process(COMMAND ${MUSL_RUN} ${room}/opens-${ARCH} ${folder}/liblately_jni.so
        OUTPUT_VARIABLE said ERROR_VARIABLE said)
    set(${output} "${said}" PARENT_SCOPE)
endfunction()

function(check_needs library machine)
    execute_process(COMMAND ${READELF} -h -d ${library} OUTPUT_VARIABLE text COMMAND_ERROR_IS_FATAL ANY)
    string(REGEX MATCHALL "NEEDED[^\n]*" needed "${text}")
    list(FILTER needed EXCLUDE REGEX "\\[libc\\.so\\]$")
    if(needed OR NOT text MATCHES "Machine: +${machine}\n")
        message(FATAL_ERROR "${library} is for another machine than ${machine}, or needs ${needed}:\n${text}")
    endif()
endfunction()

function(check ARCH machine)
    set(ROOM ${MUSL}/room-${ARCH})
    include(${CMAKE_CURRENT_FUNCTION_LIST_DIR}/musl_compiler.cmake)
    execute_process(COMMAND ${MUSL_CC} -std=c11 -Wall -Wextra -Werror -I${SOURCE}/include
        ${includes} ${SOURCE}/tests/musl/opens.c
        -o ${room}/opens-${ARCH} COMMAND_ERROR_IS_FATAL ANY)
    set(natives ${JAVA_MUSL}/native/linux-${ARCH}-musl)
    open(said ${natives})
    if(NOT said STREQUAL "opened\n")
        message(FATAL_ERROR "a program of musl opens ${natives}: ${said}")
    endif()
    open(said ${GLIBC})
    if(said MATCHES "opened")
        message(FATAL_ERROR "a program of musl opens what is for glibc: ${GLIBC}")
    endif()
    check_needs(${natives}/liblately_jni.so ${machine})
endfunction()

check(x86_64 "Advanced Micro Devices X86-64")
check(aarch64 AArch64)
file(REMOVE_RECURSE ${room})
message(STATUS "musl: the libraries were opened and asked by programs of musl")
