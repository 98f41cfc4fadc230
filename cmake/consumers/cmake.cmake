# C and C++ by find_package. A version that is not there is refused.

run(${CMAKE_COMMAND} -B build -D CMAKE_PREFIX_PATH=${PREFIX} -D CMAKE_C_COMPILER=${CC} -D CMAKE_CXX_COMPILER=${CXX}
    -D LINKAGE=${LINKAGE} ${TOLD})
run(${CMAKE_COMMAND} --build build)
check_program(build/verdicts_c)
check_program(build/verdicts_cpp)
if(BRIEF)
    return()
endif()

# A component is a target; one that is none is named.
file(READ ${project}/CMakeLists.txt given)
string(REPLACE "REQUIRED" "REQUIRED COMPONENTS ${LINKAGE} cpp OPTIONAL_COMPONENTS python" text "${given}")
file(WRITE ${project}/CMakeLists.txt "${text}")
run(${CMAKE_COMMAND} -B build)
string(REPLACE "REQUIRED" "REQUIRED COMPONENTS python" text "${given}")
file(WRITE ${project}/CMakeLists.txt "${text}")
run_in_vain("lately has no component python" ${CMAKE_COMMAND} -B build)

string(REPLACE "lately 0.1" "lately 9.1" text "${given}")
file(WRITE ${project}/CMakeLists.txt "${text}")
run_in_vain("lately.*9\\.1" ${CMAKE_COMMAND} -B newer -D CMAKE_PREFIX_PATH=${PREFIX} -D CMAKE_C_COMPILER=${CC}
    -D CMAKE_CXX_COMPILER=${CXX} ${TOLD})

# Where only the archive is installed, the names that do not say which mean that.
if(LINKAGE STREQUAL static)
    file(WRITE ${project}/CMakeLists.txt "${given}")
    file(GLOB shared ${PREFIX}/${LIBDIR}/liblately.so* ${PREFIX}/bin/lately.dll)
    file(REMOVE ${shared})
    run(${CMAKE_COMMAND} -B alone -D CMAKE_PREFIX_PATH=${PREFIX} -D CMAKE_C_COMPILER=${CC} -D CMAKE_CXX_COMPILER=${CXX} ${TOLD})
    run(${CMAKE_COMMAND} --build alone)
    check_program(alone/verdicts_c)
    check_program(alone/verdicts_cpp)
endif()
