# Two builds of copies of this tree, in two folders whose names differ in length too, give the same bytes: the shared
# library, the archive, the jar with its natives, the command with its pages.
cmake_policy(VERSION 3.25)

execute_process(COMMAND mktemp -d OUTPUT_VARIABLE room OUTPUT_STRIP_TRAILING_WHITESPACE COMMAND_ERROR_IS_FATAL ANY)
set(made lib/liblately.so.${VERSION} lib/liblately.a java/lately.jar cargo-tool/release/lately
    pages/lately.1 pages/_lately licences/THIRD-PARTY-library.txt licences/THIRD-PARTY-tool.txt)

function(build_in folder)
    file(MAKE_DIRECTORY ${folder})
    execute_process(
        COMMAND ${TAR} -C ${SOURCE} -cf - --exclude=./target --exclude=./build --exclude=./.git .
        COMMAND ${TAR} -C ${folder} -xf - COMMAND_ERROR_IS_FATAL ANY)
    execute_process(COMMAND ${CMAKE_COMMAND} -S ${folder} -B ${folder}/build -D LATELY_TESTS=ON
        -D CMAKE_BUILD_TYPE=RelWithDebInfo OUTPUT_QUIET COMMAND_ERROR_IS_FATAL ANY)
    execute_process(COMMAND ${CMAKE_COMMAND} --build ${folder}/build --target lately_rust lately_tool lately_java_jar
        OUTPUT_QUIET COMMAND_ERROR_IS_FATAL ANY)
endfunction()

set(first ${room}/a)
set(second ${room}/another/longer-folder)
build_in(${first})
build_in(${second})
set(different)
foreach(file IN LISTS made)
    file(SHA256 ${first}/build/${file} one)
    file(SHA256 ${second}/build/${file} other)
    if(NOT one STREQUAL other)
        list(APPEND different ${file})
    endif()
endforeach()
if(different)
    message(FATAL_ERROR "two builds differ in ${different}; see ${room}")
endif()
file(REMOVE_RECURSE ${room})
list(LENGTH made count)
message(STATUS "reproducible: ${count} files, each the same bytes from two folders")
