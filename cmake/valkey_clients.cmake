# The client in C++ and the recipes of clients/README.md as commands, in ${LATELY_VALKEY_ROOM}/clients/<language>, for the test
# valkey.clients: those whose tools are there. The client in Python needs no build. Included by valkey.cmake.

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

# Builds what is in `language` by the command that follows, in the folder `where`, if its `tools` are there.
function(lately_add_valkey_client language tools made where)
    lately_can_test(can "the client of the module in ${language}" ${tools})
    if(NOT can)
        return()
    endif()
    file(GLOB_RECURSE sources ${clients}/${language}/*.* ${clients}/recipes/${language}/*.*)
    add_custom_command(OUTPUT ${room}/${made}
        COMMAND ${ARGN}
        COMMAND ${CMAKE_COMMAND} -E touch ${room}/${made}
        WORKING_DIRECTORY ${where}
        DEPENDS ${sources} ${clients}/README.md
        COMMENT "the client of the module in ${language}"
        VERBATIM)
    add_custom_target(lately_valkey_client_${language} ALL DEPENDS ${room}/${made})
    lately_leave_to(valkey lately_valkey_client_${language})
endfunction()

# The same for a recipe, whose block becomes `file` beside its manifest.
function(lately_add_valkey_recipe language tools made file)
    file(MAKE_DIRECTORY ${room}/${language})
    lately_add_valkey_client(${language} "${tools}" ${language}/${made} ${room}/${language}
        ${CMAKE_COMMAND} -E copy_directory ${clients}/recipes/${language} ${room}/${language}
        COMMAND ${PYTHON3} -B ${PROJECT_SOURCE_DIR}/packaging/checks/page.py WHAT=recipe PAGE=${clients}/README.md
            LANGUAGE=${language} FILE=${room}/${language}/${file}
        COMMAND ${ARGN})
endfunction()

file(MAKE_DIRECTORY ${room})
lately_add_valkey_client(cpp "CXX_PROGRAM;PKG_CONFIG;HIREDIS" cpp ${clients}/cpp
    ${CXX_PROGRAM} -std=c++17 -O1 -Wall -Wextra -Werror main.cpp ${hiredis} -o ${room}/cpp)
lately_add_valkey_recipe(go "GO" recipe main.go ${GO} build -o recipe .)
lately_add_valkey_recipe(rust "" target/debug/recipe src/main.rs
    ${CMAKE_COMMAND} -E env --unset=MAKEFLAGS RUSTFLAGS=-Dwarnings ${CARGO} build --target-dir target)
lately_add_valkey_recipe(java "MVN;JAVA" target/recipe-0.1.0.jar src/main/java/Main.java ${MVN} -q -B package)
