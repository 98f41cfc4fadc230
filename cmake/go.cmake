# Go: format, vet, the tests in each of their ways, benches that run, the example.
# The test go.dedup builds ${PROJECT_BINARY_DIR}/examples/dedup-go (fixture dedup_go), which finds the library by itself.

lately_require_program(GO go "Go 1.24 or later, from https://go.dev/dl")
lately_require_program(GOFMT gofmt "Go 1.24 or later, from https://go.dev/dl")

set(LATELY_GO_DIR ${PROJECT_SOURCE_DIR}/bindings/go)
set(LATELY_GO_LIB ${LATELY_PREFIX}/${CMAKE_INSTALL_LIBDIR})

# Go's build cache knows neither headers outside the module nor PKG_CONFIG_PATH: a flag that has both makes it build
# again when they change.
set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/include/lately.h)
file(SHA256 ${PROJECT_SOURCE_DIR}/include/lately.h LATELY_GO_KEY)
string(SHA256 LATELY_GO_KEY "${LATELY_GO_KEY} ${LATELY_GO_LIB}")

# Gives a test of Go the installation in ${LATELY_PREFIX}.
function(lately_go_environment name)
    set_tests_properties(${name} PROPERTIES
        FIXTURES_REQUIRED prefix
        RESOURCE_LOCK go
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
lately_add_go_test(vet.dedup vet ../../examples/dedup.go)
lately_add_go_test(test test -count=1 -shuffle=on ./...)
lately_add_go_test(unshared test -count=1 -shuffle=on . -unshared)
lately_add_go_test(static test -count=1 -tags lately_static ./...)
lately_add_go_test(race test -count=1 -race ./...)
lately_add_go_test(gcstress test -count=1 -tags lately_gcstress ./...)
lately_add_go_test(cgocheck2 test -count=1 ./...)
set_property(TEST go.cgocheck2 APPEND PROPERTY ENVIRONMENT GOEXPERIMENT=cgocheck2)
lately_add_go_test(bench test -run=^$ -bench=. -benchtime=10ms ./...)
lately_add_go_test(dedup build -ldflags=-r=${LATELY_GO_LIB} -o ${PROJECT_BINARY_DIR}/examples/dedup-go
    ../../examples/dedup.go)
set_tests_properties(go.dedup PROPERTIES FIXTURES_SETUP dedup_go)

# gofmt -l names the files that it would change, and is content.
add_test(NAME go.fmt COMMAND ${GOFMT} -l ${LATELY_GO_DIR} ${PROJECT_SOURCE_DIR}/examples)
set_tests_properties(go.fmt PROPERTIES LABELS go FAIL_REGULAR_EXPRESSION "\\.go")
