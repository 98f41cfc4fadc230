# Brings the native libraries of every platform in PLATFORMS together in TO: those that the build folders OTHERS make, brought up
# to date, those of HERE, which is one of them, and those of MUSL. What is missing is named with the command that builds it.
# One of OTHERS may make for this platform what a release has for it: it comes before HERE.
cmake_policy(VERSION 3.25)

set(folders)
foreach(build IN LISTS OTHERS)
    if(EXISTS ${build}/CMakeCache.txt)
        execute_process(COMMAND ${CMAKE_COMMAND} --build ${build} --target lately_jni COMMAND_ERROR_IS_FATAL ANY)
        list(APPEND folders ${build}/java/natives)
    endif()
endforeach()
list(APPEND folders ${HERE} ${MUSL})

file(REMOVE_RECURSE ${TO})
foreach(platform IN LISTS PLATFORMS)
    set(found)
    foreach(folder IN LISTS folders)
        if(NOT found AND EXISTS ${folder}/native/${platform})
            set(found ${folder}/native/${platform})
        endif()
    endforeach()
    if(NOT found)
        string(REGEX REPLACE "^linux-" "glibc-" preset ${platform})
        string(REGEX REPLACE "^windows-.*" windows preset ${preset})
        message(FATAL_ERROR "no libraries for ${platform}: cmake --workflow --preset ${preset}")
    endif()
    file(COPY ${found} DESTINATION ${TO}/native)
endforeach()
