# The recipe for Conan with the address and the sum of the sources in FROM, as the folder OUT.
#   cmake -D SOURCE=<tree> -D VERSION=<version> -D FROM=<folder> -D URL=<where the sources will be> -D OUT=<folder>
#         -P conan_recipe.cmake
cmake_policy(VERSION 3.25)

set(name lately-${VERSION}-source.tar.gz)
if(NOT EXISTS ${FROM}/${name})
    message(FATAL_ERROR "${FROM} has no ${name}")
endif()
file(SHA256 ${FROM}/${name} sum)
file(COPY ${SOURCE}/packaging/conan/ DESTINATION ${OUT})
file(WRITE ${OUT}/conandata.yml "sources:\n  \"${VERSION}\":\n    url: \"${URL}/${name}\"\n    sha256: \"${sum}\"\n")
# `conan create` then needs no --version.
file(READ ${OUT}/conanfile.py recipe)
string(REPLACE "    name = \"lately\"\n" "    name = \"lately\"\n    version = \"${VERSION}\"\n" recipe "${recipe}")
file(WRITE ${OUT}/conanfile.py "${recipe}")
message(STATUS "conan: a recipe for ${name} in ${OUT}")
