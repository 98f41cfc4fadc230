# A stranger's project: examples/consumers/${ROAD}, copied outside the tree and given only what is published, is built,
# run, and gives the golden verdicts. ROAD.cmake beside this file says how it is built.
#   ROAD LINKAGE SOURCE       the project, shared or static, and this tree for its examples
#   PREFIX LIBDIR             an installation: it is moved first, for nothing may hold on to where it was. With MOVE=OFF
#                             it stays, as for packages that were installed where they belong
#   LINKED                    what LINKAGE=shared comes to where only the archive is installed: static
#   BRIEF                     it is built and run, and what is refused is left to others
#   TOLD EMULATOR SUFFIX      for another platform: what CMake is told of it, who runs its programs, how they end
#   and the tools that the road needs
cmake_policy(VERSION 3.25)

execute_process(COMMAND mktemp -d OUTPUT_VARIABLE room OUTPUT_STRIP_TRAILING_WHITESPACE COMMAND_ERROR_IS_FATAL ANY)
file(COPY ${SOURCE}/examples/consumers/${ROAD}/ DESTINATION ${room}/project)
set(project ${room}/project)
if(DEFINED PREFIX AND NOT DEFINED MOVE)
    file(COPY ${PREFIX}/ DESTINATION ${room}/moved)
    set(PREFIX ${room}/moved)
endif()
if(NOT DEFINED LINKED)
    set(LINKED ${LINKAGE})
endif()
separate_arguments(TOLD UNIX_COMMAND "${TOLD}")
separate_arguments(EMULATOR UNIX_COMMAND "${EMULATOR}")
# Whatever the ecosystem's own way is, it needs no variable for the loader.
unset(ENV{LD_LIBRARY_PATH})
set(ENV{PKG_CONFIG_PATH} ${PREFIX}/${LIBDIR}/pkgconfig)

# Runs a command in the project.
function(run)
    execute_process(COMMAND ${ARGN} WORKING_DIRECTORY ${project} COMMAND_ERROR_IS_FATAL ANY)
endfunction()

# Runs a command that must fail and say so in words that match `words`.
function(run_in_vain words)
    execute_process(COMMAND ${ARGN} WORKING_DIRECTORY ${project} RESULT_VARIABLE result
        OUTPUT_VARIABLE said ERROR_VARIABLE said)
    if(result EQUAL 0 OR NOT said MATCHES "${words}")
        message(FATAL_ERROR "${ARGN}\nended with ${result} and said\n${said}\nand not: ${words}")
    endif()
endfunction()

# The command gives the golden verdicts.
function(check_verdicts)
    set(golden ${SOURCE}/examples/consumers/golden)
    execute_process(COMMAND ${ARGN} INPUT_FILE ${golden}/records.txt OUTPUT_FILE ${room}/verdicts
        WORKING_DIRECTORY ${project} COMMAND_ERROR_IS_FATAL ANY)
    execute_process(COMMAND ${CMAKE_COMMAND} -E compare_files --ignore-eol ${room}/verdicts ${golden}/verdicts.txt
        RESULT_VARIABLE differ)
    if(differ)
        message(FATAL_ERROR "${ARGN}: other verdicts than examples/consumers/golden/verdicts.txt: ${room}/verdicts")
    endif()
endfunction()

# The program needs the shared library by its SONAME, or not at all.
function(check_linkage program linkage)
    execute_process(COMMAND ${OBJDUMP} -p ${program} OUTPUT_VARIABLE text COMMAND_ERROR_IS_FATAL ANY)
    string(REGEX REPLACE "(NEEDED|DLL Name:) +" "needs " text "${text}")
    string(FIND "${text}" "needs ${SONAME}\n" at)
    if((linkage STREQUAL shared AND at EQUAL -1) OR (linkage STREQUAL static AND NOT at EQUAL -1))
        message(FATAL_ERROR "${program} is not linked as ${linkage}:\n${text}")
    endif()
endfunction()

# A program in the project: its linkage and its verdicts.
function(check_program program)
    set(program ${project}/${program}${SUFFIX})
    check_linkage(${program} ${LINKED})
    # What finds no library by itself has it beside itself.
    if(LINKAGE STREQUAL shared AND EXISTS ${PREFIX}/bin/${SONAME})
        cmake_path(GET program PARENT_PATH folder)
        file(COPY ${PREFIX}/bin/${SONAME} DESTINATION ${folder})
    endif()
    check_verdicts(${EMULATOR} ${program})
endfunction()

include(${CMAKE_CURRENT_LIST_DIR}/${ROAD}.cmake)
file(REMOVE_RECURSE ${room})
message(STATUS "consumer: ${ROAD} ${LINKAGE}: built outside the tree, and gave the golden verdicts")
