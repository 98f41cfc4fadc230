# The port for vcpkg builds a package of each sort from the sources of this tree, and the outside projects of CMake and make are
# built with it and run. vcpkg itself is not there: tests/vcpkg/build_port.cmake replaces it.
cmake_policy(VERSION 3.25)

execute_process(COMMAND mktemp -d OUTPUT_VARIABLE room OUTPUT_STRIP_TRAILING_WHITESPACE COMMAND_ERROR_IS_FATAL ANY)

function(run)
    execute_process(COMMAND ${ARGN} WORKING_DIRECTORY ${room} OUTPUT_VARIABLE said ERROR_VARIABLE said
        RESULT_VARIABLE result)
    if(result)
        message(FATAL_ERROR "${ARGN}: ${result}\n${said}")
    endif()
endfunction()

function(build_in_vain words)
    execute_process(COMMAND ${CMAKE_COMMAND} -D PORT_DIR=${room}/port -D LINKAGE=static -D ROOM=${room}/vain
        -D OUT=${room}/nothing ${ARGN} -P ${SOURCE}/tests/vcpkg/build_port.cmake WORKING_DIRECTORY ${room}
        OUTPUT_VARIABLE said ERROR_VARIABLE said RESULT_VARIABLE result)
    # The words of an error are broken into lines.
    string(REGEX REPLACE "[ \n]+" " " said "${said}")
    if(result EQUAL 0 OR NOT said MATCHES "${words}")
        message(FATAL_ERROR "the port ${ARGN}: ${result}, and not '${words}':\n${said}")
    endif()
endfunction()

# What a package has is what its triplet says, with the licences.
function(check_package package wanted unwanted)
    foreach(file include/lately.h include/lately.hpp include/lately_file.h share/lately/copyright share/lately/usage ${wanted})
        if(NOT EXISTS ${package}/${file})
            message(FATAL_ERROR "${package} has no ${file}")
        endif()
    endforeach()
    foreach(file lib/cmake share/doc ${unwanted})
        if(EXISTS ${package}/${file})
            message(FATAL_ERROR "${package} has ${file}")
        endif()
    endforeach()
endfunction()

file(MAKE_DIRECTORY ${room}/packed)
run(${CMAKE_COMMAND} -D SOURCE=${SOURCE} -D VERSION=${VERSION} -D OUT=${room}/packed/lately-${VERSION}-source.tar.gz
    -P ${CMAKE_CURRENT_LIST_DIR}/make_source.cmake)
run(${CMAKE_COMMAND} -D SOURCE=${SOURCE} -D VERSION=${VERSION} -D FROM=${room}/packed -D URL=file://${room}/packed
    -D OUT=${room}/port -P ${CMAKE_CURRENT_LIST_DIR}/vcpkg_recipe.cmake)
set(architecture_of_x86_64 x64)
set(architecture_of_aarch64 arm64)
set(architecture ${architecture_of_${PROCESSOR}})
foreach(linkage static dynamic)
    run(${CMAKE_COMMAND} -D PORT_DIR=${room}/port -D ARCHITECTURE=${architecture} -D LINKAGE=${linkage}
        -D ROOM=${room}/room-${linkage} -D OUT=${room}/${linkage} -P ${SOURCE}/tests/vcpkg/build_port.cmake)
endforeach()
check_package(${room}/static lib/liblately.a lib/liblately.so)
check_package(${room}/dynamic lib/${SONAME} lib/liblately.a)

# The projects take the library that is there, by the names that do not say which.
foreach(road cmake make)
    foreach(linkage static dynamic)
        set(linked shared)
        if(linkage STREQUAL static)
            set(linked static)
        endif()
        run(${CMAKE_COMMAND} -D ROAD=${road} -D LINKAGE=shared -D LINKED=${linked} -D BRIEF=ON -D PREFIX=${room}/${linkage}
            -D LIBDIR=lib -D SOURCE=${SOURCE} -D SONAME=${SONAME} -D OBJDUMP=${OBJDUMP} -D CC=${CC} -D CXX=${CXX}
            -D PKG_CONFIG=${PKG_CONFIG} -D MAKE=${MAKE} -P ${CMAKE_CURRENT_LIST_DIR}/consumers/check.cmake)
    endforeach()
endforeach()

# Sources that are other ones are refused.
file(APPEND ${room}/packed/lately-${VERSION}-source.tar.gz "x")
build_in_vain("HASH mismatch" -D ARCHITECTURE=${architecture})
file(REMOVE_RECURSE ${room})
message(STATUS "vcpkg: packages of both sorts built from source by the port, and used")
