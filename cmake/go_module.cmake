# The Go module as a module proxy serves it, in the folder OUT: what `go get` asks for by GOPROXY=file://OUT.
#   cmake -D SOURCE=<tree> -D OUT=<folder> -P go_module.cmake
cmake_policy(VERSION 3.25)

set(module github.com/lately/lately/bindings/go)
file(STRINGS ${SOURCE}/Cargo.toml line REGEX "^version = " LIMIT_COUNT 1)
string(REGEX MATCH "[0-9]+\\.[0-9]+\\.[0-9]+" version "${line}")
set(served ${OUT}/${module}/@v)
file(MAKE_DIRECTORY ${served})

# One date for every file, so that the same sources make the same bytes.
set(date "2026-01-01T00:00:00Z")
set(top ${module}@v${version})
set(room ${OUT}/room)
# The tag serves the files of that folder and no others, so the licences lie there too, and no link would be served.
foreach(licence LICENSE-MIT LICENSE-APACHE)
    execute_process(COMMAND ${CMAKE_COMMAND} -E compare_files ${SOURCE}/${licence} ${SOURCE}/bindings/go/${licence}
        COMMAND_ERROR_IS_FATAL ANY)
endforeach()
file(COPY ${SOURCE}/bindings/go/ DESTINATION ${room}/${top})
# Files only: a folder would be an entry of its own, and the sum of the module another one than the tag's.
file(GLOB_RECURSE files RELATIVE ${room} ${room}/${top}/*)
list(SORT files)
execute_process(COMMAND ${CMAKE_COMMAND} -E tar cf ${served}/v${version}.zip --format=zip "--mtime=2026-01-01 00:00:00 UTC" ${files}
    WORKING_DIRECTORY ${room} COMMAND_ERROR_IS_FATAL ANY)
file(REMOVE_RECURSE ${room})

file(COPY_FILE ${SOURCE}/bindings/go/go.mod ${served}/v${version}.mod)
file(WRITE ${served}/v${version}.info "{\"Version\":\"v${version}\",\"Time\":\"${date}\"}\n")
file(WRITE ${served}/list "v${version}\n")
