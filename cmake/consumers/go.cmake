# A Go module, with nothing but the folder of the published module. The program that docs/go.md and README.md show comes
# along as a second one.

file(COPY ${SOURCE}/bindings/go/ DESTINATION ${room}/module)
file(COPY ${SOURCE}/examples/go/ DESTINATION ${project}/first)
set(tags)
if(LINKAGE STREQUAL static)
    set(tags -tags lately_static)
endif()
# Nothing may come from the network or from a workspace around.
set(ENV{GOPROXY} off)
set(ENV{GOWORK} off)

# Three lines go in, the two that are new come out.
function(check_first)
    file(WRITE ${room}/input "one\ntwo\none\n")
    execute_process(COMMAND ${project}/first_sightings INPUT_FILE ${room}/input OUTPUT_VARIABLE output
        COMMAND_ERROR_IS_FATAL ANY)
    if(NOT output STREQUAL "one\ntwo\n")
        message(FATAL_ERROR "the program printed\n${output}")
    endif()
endfunction()

# A program that was built with a newer header says so, and does nothing else.
function(check_newer_header)
    file(COPY ${PREFIX}/ DESTINATION ${room}/newer)
    set(header ${room}/newer/include/lately.h)
    file(READ ${header} text)
    string(REGEX REPLACE "(LATELY_VERSION_NUMBER) [0-9]+" "\\1 7008009" text "${text}")
    file(WRITE ${header} "${text}")
    set(ENV{PKG_CONFIG_PATH} ${room}/newer/${LIBDIR}/pkgconfig)
    # Go's build cache knows neither PKG_CONFIG_PATH nor the header, but this.
    set(ENV{CGO_CFLAGS} "-O2 -g -DLATELY_NEWER")
    run(${GO} build ${tags} -ldflags=-r=${PREFIX}/${LIBDIR} -o verdicts)
    run_in_vain("built for liblately 7\\.8\\.9 \\(ABI [0-9]+\\), but the library" ${project}/verdicts)
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

check_page(docs/go.md)
check_page(README.md)

run(${GO} mod edit -replace github.com/lately/lately/bindings/go=${room}/module)
run(${GO} mod tidy)
run(${GO} vet ${tags} ./...)
# With the folder of the library in the program, no variable is needed to run it; `go test` alone has no such place.
run(${GO} build ${tags} -ldflags=-r=${PREFIX}/${LIBDIR} -o verdicts)
check_program(verdicts)
run(${GO} build ${tags} -ldflags=-r=${PREFIX}/${LIBDIR} -o first_sightings ./first)
check_first()
run(${GO} test ${tags} -ldflags=-r=${PREFIX}/${LIBDIR} ./...)
run(${GO} mod vendor)
run(${GO} build -mod=vendor ${tags} -ldflags=-r=${PREFIX}/${LIBDIR} -o verdicts)
check_program(verdicts)
check_newer_header()
