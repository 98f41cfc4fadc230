# The Go module as a module proxy serves it, in the folder OUT: what `go get` asks for by GOPROXY=file://OUT.
#   cmake -D SOURCE=<tree> -D OUT=<folder> [-D ARCHIVES=<folder>] -P go_module.cmake
# With ARCHIVES, what gather_archives.cmake gathered, it is the module of a release: the library lies in it, and needs not be
# installed on the platforms that it is there for.
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
set(folder ${room}/${top})

# The header, with other names for the functions where the C library is not glibc: those of the archive for musl.
function(write_header path)
    file(STRINGS ${SOURCE}/tests/symbols.txt functions)
    list(TRANSFORM functions REPLACE "^lately_(.*)" "#define lately_\\1 lately_musl_\\1")
    list(JOIN functions "\n" names)
    file(READ ${SOURCE}/include/lately.h header)
    file(WRITE ${path} "#ifndef LATELY_GO_NAMES_H
#define LATELY_GO_NAMES_H
#include <stdint.h>
#if defined(__linux__) && !defined(__GLIBC__)
${names}
#endif
#endif
${header}")
endfunction()

# The library of the system, which is asked for by link.go, is for who says so, and for other platforms.
function(add_library_to_module)
    file(STRINGS ${SOURCE}/packaging/go/link_liblately.go here REGEX "^//go:build " LIMIT_COUNT 1)
    string(REGEX REPLACE "^//go:build (.*)" "//go:build !(\\1)" elsewhere "${here}")
    file(READ ${folder}/link.go link)
    file(WRITE ${folder}/link.go "${elsewhere}\n\n${link}")
    file(COPY ${SOURCE}/packaging/go/ DESTINATION ${folder})
    set(library ${folder}/internal/liblately)
    write_header(${library}/lately.h)
    file(COPY ${SOURCE}/include/lately_file.h DESTINATION ${library})
    file(GLOB archives ${ARCHIVES}/*.a ${ARCHIVES}/THIRD-PARTY-*.txt)
    file(COPY ${archives} DESTINATION ${library})
    # What stands in the file that links them is there, and nothing else.
    file(READ ${folder}/link_liblately.go text)
    foreach(archive IN LISTS archives)
        cmake_path(GET archive FILENAME name)
        string(FIND "${text}" "/${name}" at)
        if(name MATCHES "\\.a$" AND at EQUAL -1)
            message(FATAL_ERROR "link_liblately.go does not link ${name}")
        endif()
        string(REPLACE "/${name}" "" text "${text}")
    endforeach()
    if(text MATCHES "/([a-z0-9_]+\\.a)")
        message(FATAL_ERROR "${ARCHIVES} has no ${CMAKE_MATCH_1}")
    endif()
endfunction()

# The collector for Prometheus is a module of its own.
file(COPY ${SOURCE}/bindings/go/ DESTINATION ${folder} PATTERN prometheus EXCLUDE)
# The tag of a release serves the files of that folder and no others, so the licences are put there.
file(COPY ${SOURCE}/LICENSE-MIT ${SOURCE}/LICENSE-APACHE DESTINATION ${folder})
if(DEFINED ARCHIVES)
    add_library_to_module()
endif()
# Files only: a folder would be an entry of its own, and the sum of the module another one than the tag's.
file(GLOB_RECURSE files RELATIVE ${room} ${folder}/*)
list(SORT files)
execute_process(COMMAND ${CMAKE_COMMAND} -E tar cf ${served}/v${version}.zip --format=zip "--mtime=2026-01-01 00:00:00 UTC" ${files}
    WORKING_DIRECTORY ${room} COMMAND_ERROR_IS_FATAL ANY)
file(REMOVE_RECURSE ${room})

file(COPY_FILE ${SOURCE}/bindings/go/go.mod ${served}/v${version}.mod)
file(WRITE ${served}/v${version}.info "{\"Version\":\"v${version}\",\"Time\":\"${date}\"}\n")
file(WRITE ${served}/list "v${version}\n")
