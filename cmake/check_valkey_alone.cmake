# The configuration of SOURCE for the module of Valkey and Redis on a machine that has what makes it and nothing that tests it:
# the module is a target all the same, every test that is left out is named, and nothing is installed. Nothing is built.
#   ROOM    a folder for this configuration
cmake_policy(VERSION 3.25)

set(hidden redis-server valkey-server python3 go mvn java pkg-config)

# A PATH with a link to every program but those; who would install something leaves a trace.
unset(ENV{LATELY_REQUIRE_ALL})
file(REMOVE_RECURSE ${ROOM})
file(MAKE_DIRECTORY ${ROOM}/bin)
cmake_path(CONVERT "$ENV{PATH}" TO_CMAKE_PATH_LIST path)
foreach(place IN LISTS path)
    # Not `[`, which would begin a bracket in a list; the shell has its own.
    file(GLOB programs ${place}/[A-Za-z0-9]*)
    foreach(program IN LISTS programs)
        cmake_path(GET program FILENAME name)
        if(NOT name IN_LIST hidden AND NOT EXISTS ${ROOM}/bin/${name})
            file(CREATE_LINK ${program} ${ROOM}/bin/${name} SYMBOLIC)
        endif()
    endforeach()
endforeach()
foreach(name apt-get sudo)
    file(REMOVE ${ROOM}/bin/${name})
    file(WRITE ${ROOM}/bin/${name} "#!/bin/sh\necho ${name} $* >>${ROOM}/installed\nexit 1\n")
    file(CHMOD ${ROOM}/bin/${name} PERMISSIONS OWNER_READ OWNER_WRITE OWNER_EXECUTE)
endforeach()

execute_process(COMMAND ${CMAKE_COMMAND} -E env PATH=${ROOM}/bin
    ${CMAKE_COMMAND} -S ${SOURCE} -B ${ROOM}/build -D LATELY_ONLY=valkey
    OUTPUT_VARIABLE said ERROR_VARIABLE said RESULT_VARIABLE result)
if(NOT result EQUAL 0)
    message(FATAL_ERROR "the configuration ended with ${result}:\n${said}")
endif()
if(EXISTS ${ROOM}/installed)
    file(READ ${ROOM}/installed installed)
    message(FATAL_ERROR "the configuration installs: ${installed}")
endif()
foreach(line "the module on redis-server (redis-server is not installed)" "the module on valkey-server (valkey-server is not installed)"
        "the module of Valkey and Redis on servers (python3 is not installed)")
    string(FIND "${said}" "not tested: ${line}" place)
    if(place EQUAL -1)
        message(FATAL_ERROR "not said: '${line}'\n${said}")
    endif()
endforeach()
execute_process(COMMAND ${CMAKE_COMMAND} --build ${ROOM}/build --target help OUTPUT_VARIABLE targets COMMAND_ERROR_IS_FATAL ANY)
if(NOT targets MATCHES "lately_valkey_module")
    message(FATAL_ERROR "the module is no target:\n${targets}")
endif()
file(REMOVE_RECURSE ${ROOM})
message(STATUS "alone: the module is made of Rust and libclang, and nothing is installed")
