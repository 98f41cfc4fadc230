# A file is JSON, and has these members: -D FILE=<file> "-DMEMBERS=<names>".
cmake_policy(VERSION 3.25)

file(READ ${FILE} text)
foreach(member IN LISTS MEMBERS)
    string(JSON length ERROR_VARIABLE error LENGTH "${text}" ${member})
    if(error OR NOT length GREATER 0)
        message(FATAL_ERROR "${FILE}: ${member}: ${error}")
    endif()
endforeach()
