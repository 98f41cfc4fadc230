# The archives of the module of Valkey and Redis: each has what it should; both servers load that for this machine and call its
# commands; a program of arm64, run by qemu, opens the other and finds what a server would call, and does not open ours: it can fail.
cmake_policy(VERSION 3.25)

set(arm ${SOURCE}/build/glibc-aarch64)
set(here ${SOURCE}/build/glibc-x86_64)
foreach(preset glibc-x86_64 glibc-aarch64)
    execute_process(COMMAND ${CMAKE_COMMAND} --preset ${preset} WORKING_DIRECTORY ${SOURCE} COMMAND_ERROR_IS_FATAL ANY)
    execute_process(COMMAND ${CMAKE_COMMAND} --build ${SOURCE}/build/${preset} --target lately_valkey_archive
        COMMAND_ERROR_IS_FATAL ANY)
endforeach()

execute_process(COMMAND mktemp -d OUTPUT_VARIABLE room OUTPUT_STRIP_TRAILING_WHITESPACE COMMAND_ERROR_IS_FATAL ANY)
foreach(machine x86_64 aarch64)
    set(folder ${here})
    if(machine STREQUAL aarch64)
        set(folder ${arm})
    endif()
    set(name lately-valkey-${VERSION}-linux-${machine})
    file(ARCHIVE_EXTRACT INPUT ${folder}/valkey/${name}.tar.gz DESTINATION ${room})
    file(GLOB files RELATIVE ${room} ${room}/*/*)
    list(FILTER files INCLUDE REGEX "^${name}/")
    string(REPLACE "${name}/" "" files "${files}")
    list(SORT files)
    if(NOT files STREQUAL "LICENSE-APACHE;LICENSE-MIT;README.md;THIRD-PARTY.txt;lately.so")
        message(FATAL_ERROR "${name} has ${files}")
    endif()
    file(READ ${room}/${name}/THIRD-PARTY.txt terms)
    if(NOT terms MATCHES "redis-module 2")
        message(FATAL_ERROR "${name}: THIRD-PARTY.txt does not name redis-module")
    endif()
    set(${machine} ${room}/${name}/lately.so)
endforeach()

# Port 0: the server listens at a socket in the folder alone.
file(WRITE ${room}/ask "set -e
$1-server --port 0 --unixsocket ${room}/$2 --save '' --dir ${room} --logfile ${room}/log --loadmodule ${x86_64} &
for _ in $(seq 600); do
    [ -S ${room}/$2 ] && break
    kill -0 $! || { cat ${room}/log; exit 1; }
    sleep 0.1
done
$1-cli -s ${room}/$2 LATELY.RESERVE seen WINDOW 600000
$1-cli -s ${room}/$2 LATELY.MADD seen ITEMS a a b
kill $!
wait
")
string(REPLACE "," ";" servers "${SERVERS}")
foreach(server IN LISTS servers)
    string(REGEX REPLACE "-server$" "" server ${server})
    cmake_path(GET server FILENAME name)
    execute_process(COMMAND sh ${room}/ask ${server} ${name} OUTPUT_VARIABLE said ERROR_VARIABLE said)
    if(NOT said MATCHES "OK\n1\n0\n1\n")
        message(FATAL_ERROR "${server}: ${said}")
    endif()
endforeach()

file(WRITE ${room}/opens.c "#include <dlfcn.h>
#include <stdio.h>
int main(int argc, char **argv) {
    void *module = argc == 2 ? dlopen(argv[1], RTLD_NOW) : 0;
    puts(module && dlsym(module, \"RedisModule_OnLoad\") ? \"opened\" : dlerror());
    return 0;
}
")
execute_process(COMMAND aarch64-linux-gnu-gcc -Wall -Wextra -Werror ${room}/opens.c -o ${room}/opens COMMAND_ERROR_IS_FATAL ANY)
function(open module)
    execute_process(COMMAND qemu-aarch64 -L /usr/aarch64-linux-gnu ${room}/opens ${module} OUTPUT_VARIABLE said ERROR_VARIABLE said)
    set(said "${said}" PARENT_SCOPE)
endfunction()
open(${aarch64})
if(NOT said STREQUAL "opened\n")
    message(FATAL_ERROR "a program of arm64 opens ${aarch64}: ${said}")
endif()
open(${x86_64})
if(said MATCHES "opened")
    message(FATAL_ERROR "a program of arm64 opens what is for amd64")
endif()
file(REMOVE_RECURSE ${room})
message(STATUS "valkey_archive: both servers loaded the module, a program of arm64 opened the other")
