# The recipe for Conan builds a package of each sort from the sources of this tree, with which a program in C and one in C++
# are built and run. Conan has its own home and no remotes: nothing comes from the network that cargo does not have.
cmake_policy(VERSION 3.25)

find_program(CONAN conan REQUIRED)
execute_process(COMMAND mktemp -d OUTPUT_VARIABLE room OUTPUT_STRIP_TRAILING_WHITESPACE COMMAND_ERROR_IS_FATAL ANY)
set(ENV{CONAN_HOME} ${room}/home)
file(MAKE_DIRECTORY ${room}/packed)

function(run)
    execute_process(COMMAND ${ARGN} WORKING_DIRECTORY ${room} OUTPUT_VARIABLE said ERROR_VARIABLE said
        RESULT_VARIABLE result)
    if(result)
        message(FATAL_ERROR "${ARGN}: ${result}\n${said}")
    endif()
    set(said "${said}" PARENT_SCOPE)
endfunction()

function(write_recipe folder)
    run(${CMAKE_COMMAND} -D SOURCE=${SOURCE} -D VERSION=${VERSION} -D FROM=${room}/packed -D URL=file://${room}/packed
        -D OUT=${folder} -P ${CMAKE_CURRENT_FUNCTION_LIST_DIR}/conan_recipe.cmake)
endfunction()

function(create_in_vain folder words)
    execute_process(COMMAND ${CONAN} create ${folder} ${ARGN} WORKING_DIRECTORY ${room} OUTPUT_VARIABLE said
        ERROR_VARIABLE said RESULT_VARIABLE result)
    if(result EQUAL 0 OR NOT said MATCHES "${words}")
        message(FATAL_ERROR "conan create ${ARGN}: ${result}, and not '${words}':\n${said}")
    endif()
endfunction()

run(${CMAKE_COMMAND} -D SOURCE=${SOURCE} -D VERSION=${VERSION} -D OUT=${room}/packed/lately-${VERSION}-source.tar.gz
    -P ${CMAKE_CURRENT_LIST_DIR}/make_source.cmake)
write_recipe(${room}/recipe)
run(${CONAN} profile detect)
run(${CONAN} remote disable *)
foreach(shared True False)
    run(${CONAN} create ${room}/recipe -o lately/*:shared=${shared} --build=missing)
    if(NOT said MATCHES "verdicts_cpp")
        message(FATAL_ERROR "the programs were not run:\n${said}")
    endif()
endforeach()

# A platform that it does not build for is named, and sources that are other ones are refused.
create_in_vain(${room}/recipe "lately builds for Linux, and os is Macos" -s:h os=Macos -s:h os.version=14.0)
create_in_vain(${room}/recipe "arch is riscv64, and that of the build profile" -s:h arch=riscv64)
run(${CONAN} remove --confirm lately)
file(APPEND ${room}/packed/lately-${VERSION}-source.tar.gz "x")
create_in_vain(${room}/recipe "sha256 (hash|signature) failed" --build=*)
file(REMOVE_RECURSE ${room})
message(STATUS "conan: packages of both sorts built from source and used")
