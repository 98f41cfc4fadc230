# Builds the C example outside the tree, by one road (find_package, pkg_config) and linkage, and runs it.

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
    run(${CMAKE_COMMAND} -S ${room}/source -B ${room}/build -D CMAKE_PREFIX_PATH=${prefix}
        -D CMAKE_C_COMPILER=${CC} -D LATELY_LINKAGE=${LINKAGE})
    run(${CMAKE_COMMAND} --build ${room}/build)
endfunction()

function(build_by_pkg_config)
    set(ENV{PKG_CONFIG_PATH} ${prefix}/${LIBDIR}/pkgconfig)
    set(package lately)
    if(LINKAGE STREQUAL static)
        # Both ways to the archive: its own package, and --static where there is no shared library.
        pkg_config_flags(flags lately-static)
        compile(${flags})
        file(GLOB shared ${prefix}/${LIBDIR}/liblately.so*)
        file(REMOVE ${shared})
        set(package --static lately)
    endif()
    pkg_config_flags(flags ${package})
    compile(${flags})
endfunction()

function(pkg_config_flags output)
    execute_process(COMMAND ${PKG_CONFIG} --cflags --libs ${ARGN} OUTPUT_VARIABLE flags COMMAND_ERROR_IS_FATAL ANY)
    separate_arguments(flags UNIX_COMMAND "${flags}")
    set(${output} ${flags} PARENT_SCOPE)
endfunction()

function(compile)
    file(MAKE_DIRECTORY ${room}/build)
    run(${CC} -std=c11 ${room}/source/first_sightings.c ${ARGN} -o ${program})
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
message(STATUS "consumer: ${ROAD}, ${LINKAGE}: built outside the tree, and ran")
