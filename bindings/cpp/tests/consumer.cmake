# Builds the C++ example outside the tree, by one road (find_package, pkg_config) and linkage, and runs it.
cmake_policy(VERSION 3.25)

execute_process(COMMAND mktemp -d OUTPUT_VARIABLE room OUTPUT_STRIP_TRAILING_WHITESPACE COMMAND_ERROR_IS_FATAL ANY)
# An installation that was moved: nothing may hold on to where it was.
file(COPY ${PREFIX}/ DESTINATION ${room}/moved)
file(COPY ${EXAMPLE}/ DESTINATION ${room}/source)
set(prefix ${room}/moved)
set(program ${room}/build/first_sightings)

function(run)
    execute_process(COMMAND ${ARGN} COMMAND_ERROR_IS_FATAL ANY)
endfunction()

function(build_by_find_package)
    set(target cpp)
    if(LINKAGE STREQUAL static)
        set(target static)
    endif()
    run(${CMAKE_COMMAND} -S ${room}/source -B ${room}/build -D CMAKE_PREFIX_PATH=${prefix}
        -D CMAKE_CXX_COMPILER=${CXX} -D LATELY_TARGET=${target})
    run(${CMAKE_COMMAND} --build ${room}/build)
endfunction()

function(build_by_pkg_config)
    set(ENV{PKG_CONFIG_PATH} ${prefix}/${LIBDIR}/pkgconfig)
    set(package lately)
    if(LINKAGE STREQUAL static)
        set(package lately-static)
    endif()
    execute_process(COMMAND ${PKG_CONFIG} --cflags --libs ${package} OUTPUT_VARIABLE flags COMMAND_ERROR_IS_FATAL ANY)
    separate_arguments(flags UNIX_COMMAND "${flags}")
    file(MAKE_DIRECTORY ${room}/build)
    run(${CXX} -std=c++17 ${room}/source/first_sightings.cpp ${flags} -o ${program})
endfunction()

# Three lines go in, the two that are new come out.
function(check_program)
    file(WRITE ${room}/input "one\ntwo\none\n")
    set(ENV{LD_LIBRARY_PATH} ${prefix}/${LIBDIR})
    execute_process(COMMAND ${program} INPUT_FILE ${room}/input OUTPUT_VARIABLE output COMMAND_ERROR_IS_FATAL ANY)
    if(NOT output STREQUAL "one\ntwo\n")
        message(FATAL_ERROR "the example printed\n${output}")
    endif()
endfunction()

# The program needs the shared library by its SONAME, or not at all.
function(check_linkage)
    execute_process(COMMAND ${READELF} -d ${program} OUTPUT_VARIABLE text COMMAND_ERROR_IS_FATAL ANY)
    string(FIND "${text}" "[${SONAME}]" at)
    if((LINKAGE STREQUAL shared AND at EQUAL -1) OR (LINKAGE STREQUAL static AND NOT at EQUAL -1))
        message(FATAL_ERROR "${program} is not linked as ${LINKAGE}:\n${text}")
    endif()
endfunction()

cmake_language(CALL build_by_${ROAD})
check_program()
check_linkage()
file(REMOVE_RECURSE ${room})
message(STATUS "consumer: C++, ${ROAD}, ${LINKAGE}: built outside the tree, and ran")
