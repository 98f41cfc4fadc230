# The recipe for Conan with the addresses and sums of the archives in FROM, as the folder OUT.
#   cmake -D SOURCE=<tree> -D VERSION=<version> -D FROM=<folder> -D URL=<where the archives will be> -D OUT=<folder>
#         -P conan_recipe.cmake
cmake_policy(VERSION 3.25)

# What Conan calls a platform, and what our archives do. Those for Windows are for mingw-w64, of which Conan has no word.
set(platforms Linux-x86_64 linux-x86_64 Linux-armv8 linux-aarch64)
set(data "archives:\n")
while(platforms)
    list(POP_FRONT platforms theirs ours)
    set(name lately-${VERSION}-${ours}.tar.gz)
    if(EXISTS ${FROM}/${name})
        file(SHA256 ${FROM}/${name} sum)
        string(APPEND data "  ${theirs}:\n    url: \"${URL}/${name}\"\n    sha256: \"${sum}\"\n")
        list(APPEND found ${theirs})
    endif()
endwhile()
if(NOT found)
    message(FATAL_ERROR "${FROM} has no archive of lately ${VERSION}")
endif()
file(COPY ${SOURCE}/packaging/conan/ DESTINATION ${OUT})
file(WRITE ${OUT}/conandata.yml "${data}")
# `conan create` then needs no --version.
file(READ ${OUT}/conanfile.py recipe)
string(REPLACE "    name = \"lately\"\n" "    name = \"lately\"\n    version = \"${VERSION}\"\n" recipe "${recipe}")
file(WRITE ${OUT}/conanfile.py "${recipe}")
message(STATUS "conan: a recipe for ${found} in ${OUT}")
