# A deliberate break of the interface, on a copy of the tree: the test of the list that its first line names must fail.
#   Noticed by: LANGUAGE
cmake_policy(VERSION 3.25)

execute_process(COMMAND mktemp -d OUTPUT_VARIABLE room OUTPUT_STRIP_TRAILING_WHITESPACE COMMAND_ERROR_IS_FATAL ANY)
execute_process(
    COMMAND ${TAR} -C ${SOURCE} -cf - --exclude=./target --exclude=./build --exclude=./.git .
    COMMAND ${TAR} -C ${room} -xf - COMMAND_ERROR_IS_FATAL ANY)
execute_process(COMMAND ${PATCH} -p1 --fuzz=2 --no-backup-if-mismatch -i ${BREAK} WORKING_DIRECTORY ${room}
    RESULT_VARIABLE stale OUTPUT_VARIABLE said ERROR_VARIABLE said)
if(stale)
    message(FATAL_ERROR "the break does not apply any more:\n${said}")
endif()

file(READ ${BREAK} text)
string(REGEX MATCH "Noticed by: ([a-z]+)" found "${text}")
set(language ${CMAKE_MATCH_1})
set(facts)
foreach(fact LISTS CARGO CARGO_DIR CC ABIDW CLANGXX GO JDK)
    list(APPEND facts -D ${fact}=${${fact}})
endforeach()
unset(ENV{BLESS})
execute_process(COMMAND ${CMAKE_COMMAND} -D LANGUAGE=${language} -D SOURCE=${room}
    -D DOC_DIR=${room}/target ${facts}
    -P ${CMAKE_CURRENT_LIST_DIR}/check.cmake
    RESULT_VARIABLE noticed OUTPUT_VARIABLE said ERROR_VARIABLE said)
file(REMOVE_RECURSE ${room})
if(NOT noticed OR NOT said MATCHES "the public interface is not tests/interfaces/")
    message(FATAL_ERROR "the break was not noticed:\n${said}")
endif()
message(STATUS "noticed, as it must be")
