# The clients of engines/valkey/clients as commands, in ${LATELY_VALKEY_ROOM}/clients/<language>, for the test valkey.clients:
# those whose tools are there. That in Python needs no build. Included by valkey.cmake.

set(clients ${LATELY_VALKEY}/clients)
set(room ${LATELY_VALKEY_ROOM}/clients)
lately_find_tool(GO go)
lately_find_tool(CXX_PROGRAM c++)
lately_find_tool(MVN mvn)
lately_find_tool(JAVA java)
lately_find_tool(PKG_CONFIG pkg-config)
if(PKG_CONFIG)
    execute_process(COMMAND ${PKG_CONFIG} --cflags --libs hiredis RESULT_VARIABLE failed OUTPUT_VARIABLE hiredis ERROR_QUIET)
    if(failed)
        lately_lacks(HIREDIS "hiredis is not installed")
    endif()
    separate_arguments(hiredis UNIX_COMMAND "${hiredis}")
endif()

# Builds the client in `language` by the command that follows, in the folder `where`, if its `tools` are there.
function(lately_add_valkey_client language tools made where)
    lately_can_test(can "the client of the module in ${language}" ${tools})
    if(NOT can)
        return()
    endif()
    file(GLOB_RECURSE sources ${clients}/${language}/*.* ${clients}/${language}/Cargo.lock)
    list(FILTER sources EXCLUDE REGEX "/target/")
    add_custom_command(OUTPUT ${room}/${made}
        COMMAND ${ARGN}
        COMMAND ${CMAKE_COMMAND} -E touch ${room}/${made}
        WORKING_DIRECTORY ${where}
        DEPENDS ${sources}
        COMMENT "the client of the module in ${language}"
        VERBATIM)
    add_custom_target(lately_valkey_client_${language} ALL DEPENDS ${room}/${made})
    lately_leave_to(valkey lately_valkey_client_${language})
endfunction()

file(MAKE_DIRECTORY ${room})
lately_add_valkey_client(go "GO" go ${clients}/go ${GO} build -o ${room}/go .)
lately_add_valkey_client(cpp "CXX_PROGRAM;PKG_CONFIG;HIREDIS" cpp ${clients}/cpp
    ${CXX_PROGRAM} -std=c++17 -O1 -Wall -Wextra -Werror main.cpp ${hiredis} -o ${room}/cpp)
lately_add_valkey_client(rust "" rust/debug/lately-shards ${clients}/rust
    ${CMAKE_COMMAND} -E env --unset=MAKEFLAGS RUSTFLAGS=-Dwarnings
    ${CARGO} build --locked --target-dir ${room}/rust)
# Maven makes what it makes beside the sources: it gets a copy.
lately_add_valkey_client(java "MVN;JAVA" java/target/lately-shards-0.1.0.jar ${room}
    ${CMAKE_COMMAND} -E copy_directory ${clients}/java ${room}/java
    COMMAND ${MVN} -q -B -f ${room}/java package)
