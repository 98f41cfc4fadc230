# Go: format, vet, the tests in each of their ways, benches that run, the example.
# The test go.dedup builds ${PROJECT_BINARY_DIR}/examples/dedup-go (fixture dedup_go), which finds the library by itself.

set(LATELY_GO_DIR ${PROJECT_SOURCE_DIR}/bindings/go)
lately_find_tool(GO go)
lately_find_tool(GOFMT gofmt)
# Go may be too old, or have cgo turned off.
function(lately_check_go)
    file(STRINGS ${LATELY_GO_DIR}/go.mod wanted REGEX "^go " LIMIT_COUNT 1)
    string(REGEX REPLACE "^go " "" wanted "${wanted}")
    execute_process(COMMAND ${GO} version WORKING_DIRECTORY ${LATELY_GO_DIR}
        OUTPUT_VARIABLE said ERROR_QUIET OUTPUT_STRIP_TRAILING_WHITESPACE)
    if(NOT said MATCHES "go version go([0-9]+[0-9.]*)")
        lately_lacks(GO "go does not run")
    elseif(CMAKE_MATCH_1 VERSION_LESS wanted)
        lately_lacks(GO "go ${CMAKE_MATCH_1} is older than ${wanted}")
    endif()
    execute_process(COMMAND ${GO} env CGO_ENABLED WORKING_DIRECTORY ${LATELY_GO_DIR}
        OUTPUT_VARIABLE cgo ERROR_QUIET OUTPUT_STRIP_TRAILING_WHITESPACE)
    if(NOT cgo STREQUAL 1)
        lately_lacks(GO "go has cgo turned off")
    endif()
endfunction()
if(GO)
    lately_check_go()
endif()

# gofmt -l names the files that it would change, and is content.
lately_can_test(can "Go" GO)
lately_can_test(can_format "Go formatting" GOFMT)
if(can AND can_format)
    add_test(NAME go.fmt COMMAND ${GOFMT} -l ${LATELY_GO_DIR} ${PROJECT_SOURCE_DIR}/packaging/go
        ${PROJECT_SOURCE_DIR}/examples ${PROJECT_SOURCE_DIR}/benches ${PROJECT_SOURCE_DIR}/tests/planted)
    set_tests_properties(go.fmt PROPERTIES LABELS go FAIL_REGULAR_EXPRESSION "\\.go")
endif()

lately_can_test(LATELY_TESTS_GO "Go" GO PKG_CONFIG)
if(NOT LATELY_TESTS_GO)
    return()
endif()
set(LATELY_GO_LIB ${LATELY_PREFIX}/${CMAKE_INSTALL_LIBDIR})

# Go's build cache knows neither headers outside the module nor PKG_CONFIG_PATH: a flag that has both makes it build
# again when they change.
set(LATELY_GO_KEY ${LATELY_GO_LIB})
foreach(header lately.h lately_file.h)
    set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/include/${header})
    file(SHA256 ${PROJECT_SOURCE_DIR}/include/${header} sum)
    string(SHA256 LATELY_GO_KEY "${LATELY_GO_KEY} ${sum}")
endforeach()

# Gives a test of Go the installation in ${LATELY_PREFIX}. They run one at a time: begun last, they would be all that is left.
function(lately_go_environment name)
    set_tests_properties(${name} PROPERTIES
        FIXTURES_REQUIRED prefix
        RESOURCE_LOCK go
        COST 60
        LABELS go
        ENVIRONMENT "PKG_CONFIG_PATH=${LATELY_GO_LIB}/pkgconfig;CGO_CFLAGS=-O2 -g -DLATELY_KEY=${LATELY_GO_KEY}"
        ENVIRONMENT_MODIFICATION "LD_LIBRARY_PATH=path_list_prepend:${LATELY_GO_LIB}")
endfunction()

# A command of Go in the module, with the rest of the arguments. `-count=1` with tests: the cache of results does not
# know the library either.
function(lately_add_go_test name)
    add_test(NAME go.${name} COMMAND ${GO} ${ARGN} WORKING_DIRECTORY ${LATELY_GO_DIR})
    lately_go_environment(go.${name})
endfunction()

lately_add_go_test(vet vet ./...)
# The collector for Prometheus, a module of its own.
lately_add_go_test(prometheus.vet -C prometheus vet ./...)
lately_add_go_test(prometheus -C prometheus test -count=1 -vet=off ./...)
lately_add_go_test(vet.dedup vet ../../examples/dedup.go)
# Without vet, which has its own test: it would read the standard library again for each way of building.
set(tested test -count=1 -vet=off)
lately_add_go_test(test ${tested} -shuffle=on ./...)
lately_add_go_test(unshared ${tested} -shuffle=on . -unshared)
lately_add_go_test(static ${tested} -tags lately_static ./...)
# The race detector and the check of every Go pointer that is stored in memory of C, in one run: each compiles Go's standard library
# once more. A planted mistake of each must be reported.
lately_add_go_test(race ${tested} -race ./...)
lately_add_go_test(planted.race run -race ../../tests/planted/planted.go race)
lately_add_go_test(planted.pointer run -race ../../tests/planted/planted.go pointer)
set_tests_properties(go.planted.race PROPERTIES PASS_REGULAR_EXPRESSION "WARNING: DATA RACE")
set_tests_properties(go.planted.pointer PROPERTIES PASS_REGULAR_EXPRESSION "Go pointer stored into non-Go memory")
set_property(TEST go.race go.planted.race go.planted.pointer APPEND PROPERTY ENVIRONMENT GOEXPERIMENT=cgocheck2)
lately_add_go_test(gcstress ${tested} -tags lately_gcstress ./...)
lately_add_go_test(bench test -vet=off -run=^$ -bench=. -benchtime=10ms ./...)
lately_add_go_test(dedup build -ldflags=-r=${LATELY_GO_LIB} -o ${PROJECT_BINARY_DIR}/examples/dedup-go
    ../../examples/dedup.go)
set_tests_properties(go.dedup PROPERTIES FIXTURES_SETUP dedup_go)
set(LATELY_DEDUP_GO ${PROJECT_BINARY_DIR}/examples/dedup-go)

# What a page tells a stranger to type.
lately_need_tools("the commands on the pages for Go" PYTHON3)
foreach(page docs/reference/go.md docs/tutorial/go.md bindings/go/README.md)
    string(REPLACE "/" "." name ${page})
    # The page of the API builds the program of the first page.
    set(program "")
    if(page STREQUAL docs/reference/go.md)
        set(program PROGRAM=${PROJECT_SOURCE_DIR}/README.md)
    endif()
    lately_add_check(go.page.${name} page WHAT=shell LANGUAGE=go FILE=main.go PAGE=${PROJECT_SOURCE_DIR}/${page}
        PREFIX=${LATELY_PREFIX} ${program})
    lately_go_environment(go.page.${name})
    set_property(TEST go.page.${name} APPEND PROPERTY ENVIRONMENT GOPROXY=off GOFLAGS=-mod=mod)
endforeach()
