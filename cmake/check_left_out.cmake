# The configuration of SOURCE on a machine that lacks some programs and has others that are too old: it leaves their tests
# out and no others, names each program once, at its end and after a run of ctest; and with LATELY_REQUIRE_ALL it fails.
# Nothing is built.
#   BUILD   a configured build folder, with every test that can run here
#   ROOM    a folder for the other configuration
cmake_policy(VERSION 3.25)

# What is hidden, what the list then says of each, and the tests that it means.
set(hidden clang clang++ fish meson zsh)
set(lines
    "completions of fish (fish is not installed)"
    "completions of zsh (zsh is not installed)"
    "the consumer project with meson (meson is not installed)"
    "the C header with clang, the C++ header with clang++ (clang is not installed)"
    "Go, the consumer project with go (go 1.19.8 is older than 1.24)"
    "the snapshot reader in Python, the Python package, the benchmark of the bindings, the module of Valkey and Redis on servers (python3 is not Python 3.8 or later)")
string(JOIN "|" left_out "^install\\.completions\\.(fish|zsh)$" "^consumer\\.(meson|go)\\." "^headers\\.clang" "^go\\."
    "^format\\.reader$" "^python\\." "^bench\\.bindings$" "^valkey\\.(servers|clients|long|hardened)$" "^heavy\\.go_release$")

# ---- a PATH ----

# A folder with a link to every program of the PATH but the hidden ones.
function(make_path folder)
    file(MAKE_DIRECTORY ${folder})
    cmake_path(CONVERT "$ENV{PATH}" TO_CMAKE_PATH_LIST path)
    foreach(place IN LISTS path)
        # Not `[`, which would begin a bracket in a list; the shell has its own.
        file(GLOB programs ${place}/[A-Za-z0-9]*)
        foreach(program IN LISTS programs)
            cmake_path(GET program FILENAME name)
            if(NOT name IN_LIST hidden AND NOT EXISTS ${folder}/${name})
                file(CREATE_LINK ${program} ${folder}/${name} SYMBOLIC)
            endif()
        endforeach()
    endforeach()
endfunction()

# Puts a program of its own in the place of one.
function(replace_program name text)
    file(REMOVE ${ROOM}/bin/${name})
    file(WRITE ${ROOM}/bin/${name} "#!/bin/sh\n${text}\n")
    file(CHMOD ${ROOM}/bin/${name} PERMISSIONS OWNER_READ OWNER_WRITE OWNER_EXECUTE)
endfunction()

# ---- what is looked at ----

# Configures, and expects `status`; what it says goes to `said`.
function(configure status)
    execute_process(COMMAND ${CMAKE_COMMAND} -E env PATH=${ROOM}/bin ${ARGN}
        ${CMAKE_COMMAND} -S ${SOURCE} -B ${ROOM}/build -D LATELY_TESTS=ON
        OUTPUT_VARIABLE output ERROR_VARIABLE output RESULT_VARIABLE result)
    if((result EQUAL 0) STREQUAL (status EQUAL 0))
        set(said "${output}" PARENT_SCOPE)
    else()
        message(FATAL_ERROR "the configuration ended with ${result}:\n${output}")
    endif()
endfunction()

# The text says it exactly once.
function(expect_once words text)
    string(FIND "${text}" "${words}" first)
    string(FIND "${text}" "${words}" last REVERSE)
    if(first EQUAL -1 OR NOT first EQUAL last)
        message(FATAL_ERROR "not said exactly once: '${words}'\n${text}")
    endif()
endfunction()

function(expect_list text)
    foreach(line IN LISTS lines)
        expect_once("not tested: ${line}" "${text}")
        string(REGEX MATCH "\\(.*\\)" reason "${line}")
        expect_once("${reason}" "${text}")
    endforeach()
endfunction()

# The names of the tests of a build folder.
function(list_tests output folder)
    execute_process(COMMAND ${CTEST} --test-dir ${folder} -N OUTPUT_VARIABLE text COMMAND_ERROR_IS_FATAL ANY)
    string(REGEX MATCHALL "Test +#[0-9]+: [^\n]+" tests "${text}")
    list(TRANSFORM tests REPLACE "Test +#[0-9]+: " "")
    list(SORT tests)
    set(${output} ${tests} PARENT_SCOPE)
endfunction()

# ---- the test ----

unset(ENV{LATELY_REQUIRE_ALL})
file(REMOVE_RECURSE ${ROOM})
make_path(${ROOM}/bin)
replace_program(go "echo go version go1.19.8 linux/amd64")
replace_program(python3 "exit 1")
configure(0)
expect_list("${said}")

list_tests(wanted ${BUILD})
list_tests(tests ${ROOM}/build)
list(FILTER wanted EXCLUDE REGEX "${left_out}")
if(NOT tests STREQUAL wanted)
    message(FATAL_ERROR "the tests that are left:\n${tests}\nand not:\n${wanted}")
endif()

# After a run of ctest the list is the last that it says, though tests failed: nothing is built here.
execute_process(COMMAND ${CTEST} --test-dir ${ROOM}/build -R "^install.tree$"
    OUTPUT_VARIABLE output ERROR_QUIET RESULT_VARIABLE result)
expect_list("${output}")
if(result EQUAL 0 OR NOT output MATCHES "The following tests FAILED:.*\nnot tested: ")
    message(FATAL_ERROR "ctest ended with ${result} and said\n${output}")
endif()

# Whoever wants every test gets none of this.
configure(1 LATELY_REQUIRE_ALL=1)
expect_list("${said}")

file(REMOVE_RECURSE ${ROOM})
message(STATUS "left out: what the programs test that are missing, and nothing else; each named once")
