# A Go module, with nothing but what a module proxy serves. The program that docs/reference/go.md shows comes along as
# a second one.

file(COPY ${SOURCE}/examples/go/ DESTINATION ${project}/first)
set(tags)
if(LINKAGE STREQUAL static)
    set(tags -tags lately_static)
endif()
# Nothing may come from the network, from a workspace around or from what was fetched before. A store that may be written
# to can be removed.
run(${CMAKE_COMMAND} -D SOURCE=${SOURCE} -D OUT=${room}/proxy -P ${SOURCE}/cmake/go_module.cmake)
set(ENV{GOPROXY} file://${room}/proxy)
set(ENV{GOSUMDB} off)
set(ENV{GOWORK} off)
set(ENV{GOMODCACHE} ${room}/modules)
set(ENV{GOFLAGS} -modcacherw)
set(module github.com/lately/lately/bindings/go)

# The sum of a module counts every entry of its archive: what the proxy serves has files only, as what a tag serves.
file(GLOB served ${room}/proxy/${module}/@v/*.zip)
execute_process(COMMAND ${CMAKE_COMMAND} -E tar tf ${served} OUTPUT_VARIABLE entries COMMAND_ERROR_IS_FATAL ANY)
if(entries MATCHES "/\n" OR NOT entries MATCHES "/LICENSE-MIT\n")
    message(FATAL_ERROR "the module has folders or no licence:\n${entries}")
endif()

# Three lines go in, the two that are new come out.
function(check_first)
    file(WRITE ${room}/input "one\ntwo\none\n")
    execute_process(COMMAND ${project}/first_sightings INPUT_FILE ${room}/input OUTPUT_VARIABLE output
        COMMAND_ERROR_IS_FATAL ANY)
    if(NOT output STREQUAL "one\ntwo\n")
        message(FATAL_ERROR "the program printed\n${output}")
    endif()
endfunction()

# Go's build cache knows neither PKG_CONFIG_PATH nor the header, but where a package lies: from another store it is built
# again, and nothing else is.
function(use_store name)
    set(ENV{GOMODCACHE} ${room}/${name})
endfunction()

# A program that was built with a newer header says so, and does nothing else.
function(check_newer_header)
    file(COPY ${PREFIX}/ DESTINATION ${room}/newer)
    set(header ${room}/newer/include/lately.h)
    file(READ ${header} text)
    string(REGEX REPLACE "(LATELY_VERSION_NUMBER) [0-9]+" "\\1 7008009" text "${text}")
    file(WRITE ${header} "${text}")
    set(ENV{PKG_CONFIG_PATH} ${room}/newer/${LIBDIR}/pkgconfig)
    use_store(modules-newer)
    run(${GO} build ${tags} -ldflags=-r=${PREFIX}/${LIBDIR} -o verdicts)
    run_in_vain("built for liblately 7\\.8\\.9 \\(ABI [0-9]+\\), but the library" ${project}/verdicts)
endfunction()

# Where the library is missing, whole or in part, the build says what to install.
function(check_missing_library)
    set(ENV{PKG_CONFIG_PATH} "")
    set(ENV{PKG_CONFIG_LIBDIR} ${room}/nowhere)
    use_store(modules-absent)
    run_in_vain("install_liblately_dev\n.*Package lately(-static)? was not found" ${GO} build ${tags} -o verdicts)
    unset(ENV{PKG_CONFIG_LIBDIR})
    file(COPY ${PREFIX}/${LIBDIR}/ DESTINATION ${room}/headless/${LIBDIR})
    set(ENV{PKG_CONFIG_PATH} ${room}/headless/${LIBDIR}/pkgconfig)
    use_store(modules-headless)
    run_in_vain("lately.h is missing: install liblately-dev" ${GO} build ${tags} -o verdicts)
endfunction()

# Without cgo, which the go command turns off by itself where it finds no C compiler, the build says what it wants.
function(check_no_cgo)
    set(ENV{CGO_ENABLED} 0)
    run_in_vain("internal/needs_cgo_and_a_c_compiler: " ${GO} build ${tags} -o verdicts)
endfunction()

# The shared form and the static one, built one after the other with one cache, are what they are called. The cache is that of
# this machine: it has Go's own library, and nothing of a package that lies in this room.
function(check_both_in_one_cache)
    run(${GO} build -ldflags=-r=${PREFIX}/${LIBDIR} -o verdicts_shared)
    run(${GO} build -tags lately_static -o verdicts_static)
    check_linkage(${project}/verdicts_shared shared)
    check_linkage(${project}/verdicts_static static)
endfunction()

# What the page shows is this program.
function(check_page page)
    file(READ ${SOURCE}/examples/go/main.go code)
    file(READ ${SOURCE}/${page} text)
    string(FIND "${text}" "${code}" at)
    if(at EQUAL -1)
        message(FATAL_ERROR "${page} does not show examples/go/main.go as it is")
    endif()
endfunction()

# The go.mod of the project names a version; the newest is the same, and is fetched as a stranger would.
function(check_newest)
    file(STRINGS ${project}/go.mod required REGEX "^require ")
    file(STRINGS ${SOURCE}/examples/consumers/go/go.mod wanted REGEX "^require ")
    if(NOT required STREQUAL wanted)
        message(FATAL_ERROR "the newest version is not the one of the examples: ${required}")
    endif()
endfunction()

function(check_vendored)
    run(${GO} mod vendor)
    run(${GO} build -mod=vendor ${tags} -ldflags=-r=${PREFIX}/${LIBDIR} -o verdicts)
    check_program(verdicts)
    file(REMOVE_RECURSE ${project}/vendor)
endfunction()

run(${GO} get ${module}@latest)
run(${GO} mod tidy)
# With the folder of the library in the program, no variable is needed to run it; `go test` alone has no such place.
run(${GO} build ${tags} -ldflags=-r=${PREFIX}/${LIBDIR} -o verdicts)
check_program(verdicts)
if(BRIEF)
    return()
endif()
check_newest()
check_page(bindings/go/README.md)
run(${GO} vet ${tags} ./...)
run(${GO} build ${tags} -ldflags=-r=${PREFIX}/${LIBDIR} -o first_sightings ./first)
check_first()
check_both_in_one_cache()
run(${GO} test ${tags} -ldflags=-r=${PREFIX}/${LIBDIR} ./...)
check_vendored()
check_newer_header()
check_missing_library()
check_no_cgo()
