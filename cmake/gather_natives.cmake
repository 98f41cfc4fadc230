# Brings the native libraries of every platform in PLATFORMS together in TO: those of HERE, which is one of them, and of
# OTHERS. What is missing is named with the command that builds it.
cmake_policy(VERSION 3.25)

file(REMOVE_RECURSE ${TO})
foreach(platform IN LISTS PLATFORMS)
    set(found)
    foreach(folder IN LISTS HERE OTHERS)
        if(NOT found AND EXISTS ${folder}/native/${platform})
            set(found ${folder}/native/${platform})
        endif()
    endforeach()
    if(NOT found)
        string(REGEX REPLACE "^linux-|-x86_64$" "" preset ${platform})
        message(FATAL_ERROR "no libraries for ${platform}: cmake --workflow --preset ${preset}")
    endif()
    file(COPY ${found} DESTINATION ${TO}/native)
endforeach()
