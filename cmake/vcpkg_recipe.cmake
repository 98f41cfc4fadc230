# The port for vcpkg with the address and the sum of the sources in FROM, as the folder OUT.
#   cmake -D SOURCE=<tree> -D VERSION=<version> -D FROM=<folder> -D URL=<where the sources will be> -D OUT=<folder>
#         -P vcpkg_recipe.cmake
cmake_policy(VERSION 3.25)

set(name lately-${VERSION}-source.tar.gz)
if(NOT EXISTS ${FROM}/${name})
    message(FATAL_ERROR "${FROM} has no ${name}")
endif()
file(SHA512 ${FROM}/${name} sum)
file(COPY ${SOURCE}/packaging/vcpkg/ DESTINATION ${OUT})
configure_file(${SOURCE}/packaging/vcpkg/vcpkg.json ${OUT}/vcpkg.json @ONLY)
file(WRITE ${OUT}/sources.cmake
    "set(LATELY_URL \"${URL}/${name}\")\nset(LATELY_NAME \"${name}\")\nset(LATELY_SHA512 ${sum})\n")
message(STATUS "vcpkg: a port for ${name} in ${OUT}")
