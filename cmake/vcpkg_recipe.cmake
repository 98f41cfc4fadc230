# The port for vcpkg with the addresses and sums of the archives in FROM, as the folder OUT.
#   cmake -D SOURCE=<tree> -D VERSION=<version> -D FROM=<folder> -D URL=<where the archives will be> -D OUT=<folder>
#         -P vcpkg_recipe.cmake
cmake_policy(VERSION 3.25)

# What the port calls a platform, and what our archives do.
set(platforms linux-x64 linux-x86_64.tar.gz linux-arm64 linux-aarch64.tar.gz mingw-x64 windows-x86_64.zip)
set(found)
set(text "")
while(platforms)
    list(POP_FRONT platforms theirs ours)
    set(name lately-${VERSION}-${ours})
    if(EXISTS ${FROM}/${name})
        file(SHA512 ${FROM}/${name} sum)
        string(APPEND text "set(LATELY_URL_${theirs} \"${URL}/${name}\")\nset(LATELY_NAME_${theirs} \"${name}\")\n"
            "set(LATELY_SHA512_${theirs} ${sum})\n")
        list(APPEND found ${theirs})
    endif()
endwhile()
if(NOT found)
    message(FATAL_ERROR "${FROM} has no archive of lately ${VERSION}")
endif()
list(JOIN found ", " names)
file(COPY ${SOURCE}/packaging/vcpkg/ DESTINATION ${OUT})
configure_file(${SOURCE}/packaging/vcpkg/vcpkg.json ${OUT}/vcpkg.json @ONLY)
file(WRITE ${OUT}/archives.cmake "set(LATELY_PLATFORMS \"${names}\")\n${text}")
message(STATUS "vcpkg: a port for ${names} in ${OUT}")
