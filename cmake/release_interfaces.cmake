# The public interfaces of this commit and of the last tag, compared before a release:
#   cmake -P cmake/release_interfaces.cmake                   since the last tag
#   cmake -D SINCE=v0.1.0 -P cmake/release_interfaces.cmake   since another commit
# Prints the differences and fails where something is gone or changed. docs/reference/compatibility.md says when that is allowed.
# It needs abidiff (apt-get install abigail-tools), cargo-semver-checks (cargo install --locked cargo-semver-checks), gcc, g++,
# go and javac.
cmake_minimum_required(VERSION 3.25)

get_filename_component(source ${CMAKE_CURRENT_LIST_DIR} DIRECTORY)
function(run_into output)
    execute_process(COMMAND ${ARGN} WORKING_DIRECTORY ${source} OUTPUT_VARIABLE text OUTPUT_STRIP_TRAILING_WHITESPACE
        COMMAND_ERROR_IS_FATAL ANY)
    set(${output} "${text}" PARENT_SCOPE)
endfunction()

if(NOT SINCE)
    run_into(SINCE git tag --list "v*" --sort=-version:refname)
    string(REGEX MATCH "^[^\n]*" SINCE "${SINCE}")
endif()
if(NOT SINCE)
    message(FATAL_ERROR "no tag v*: name the commit to compare with by -D SINCE=...")
endif()
run_into(room mktemp -d)
run_into(said git worktree add --detach ${room}/old ${SINCE})

# The lists of one tree, in ${room}/${age}.*
function(list_tree age tree)
    # C. Only types are looked at, so each function gets a body that does nothing.
    file(READ ${tree}/include/lately.h text)
    string(REGEX REPLACE "(\n(LATELY_NODISCARD )?LATELY_API[^{};]*\\));" "\\1 { __builtin_trap(); }" text "${text}")
    file(WRITE ${room}/${age}.c "${text}")
    run_into(said cc -std=c11 -g -gdwarf-4 -fPIC -shared -fno-eliminate-unused-debug-types ${room}/${age}.c -o ${room}/${age}.so)
    run_into(macros cc -std=c11 -E -dM ${tree}/include/lately.h)
    string(REGEX MATCHALL "#define LATELY_[^\n]*" macros "${macros}")
    list(SORT macros)
    list(JOIN macros "\n" macros)
    file(WRITE ${room}/${age}.macros "${macros}\n")
    # Go, without what explains: of declarations set in by four blanks, of fields a comment.
    run_into(page ${CMAKE_COMMAND} -E env GOWORK=off go -C ${tree}/bindings/go doc -all .)
    string(REGEX REPLACE "\n    [^\n]*|\n\t+//[^\n]*| +// [^\n]*|\n\n+" "\n" page "${page}")
    file(WRITE ${room}/${age}.go "${page}\n")
    # Java. A class that is not public is no promise.
    file(GLOB files ${tree}/bindings/java/src/main/java/dev/lately/*.java)
    run_into(said javac --release 11 -proc:none -d ${room}/${age}.classes ${files})
    file(GLOB classes ${room}/${age}.classes/dev/lately/*.class)
    run_into(page javap -public -constants ${classes})
    string(REGEX REPLACE "Compiled from [^\n]*\n" "" page "${page}")
    string(REGEX REPLACE "(^|\n)(abstract |final )*(class|interface|enum) [^}]*}" "" page "${page}")
    file(WRITE ${room}/${age}.java "${page}\n")
endfunction()
list_tree(old ${room}/old)
list_tree(new ${source})

set(broken)
# A command that succeeds where everything that there was is still there.
macro(compare language)
    execute_process(COMMAND ${ARGN} WORKING_DIRECTORY ${source} RESULT_VARIABLE result)
    if(result)
        list(APPEND broken ${language})
    endif()
endmacro()
# Lists: new lines are additions, the others are gone or changed.
macro(compare_lists language list)
    execute_process(COMMAND diff -u ${room}/old.${list} ${room}/new.${list} OUTPUT_VARIABLE said)
    message("${said}")
    if(said MATCHES "\n-[^-]")
        list(APPEND broken ${language})
    endif()
endmacro()
compare(C abidiff --no-added-syms ${room}/old.so ${room}/new.so)
compare_lists(C macros)
# C++: what the tests of then need still compiles.
file(GLOB tests ${room}/old/bindings/cpp/tests/*.cpp)
list(FILTER tests EXCLUDE REGEX "no_exceptions|probe")
compare(C++ g++ -std=c++17 -fsyntax-only -DVECTORS="" -I include -I bindings/cpp/include -I ${room}/old/bindings/cpp/tests ${tests})
compare(Rust cargo semver-checks -p lately --baseline-root ${room}/old)
compare_lists(Go go)
compare_lists(Java java)

run_into(said git worktree remove --force ${room}/old)
file(REMOVE_RECURSE ${room})
if(broken)
    list(REMOVE_DUPLICATES broken)
    list(JOIN broken ", " broken)
    message(FATAL_ERROR "since ${SINCE} something is gone or changed in: ${broken}")
endif()
message(STATUS "everything that ${SINCE} has is still there")
