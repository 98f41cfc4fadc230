# Go on Windows: its suite over the DLL and over the archive, and the example, built here and run under Wine.

lately_require_program(GO go "Go 1.24 or later, from https://go.dev/dl")

# Go's build cache knows neither the header nor PKG_CONFIG_PATH; the flag has both (see cmake/go.cmake).
# The header by its whole path: a relative one counts from where cmake was started, which make does in the build folder.
file(SHA256 ${PROJECT_SOURCE_DIR}/include/lately.h key)
string(SHA256 key "${key} ${LATELY_PREFIX}")
set(LATELY_GO_DIR ${PROJECT_SOURCE_DIR}/bindings/go)

function(lately_add_go_test name)
    add_test(NAME go.${name} COMMAND ${GO} ${ARGN} WORKING_DIRECTORY ${LATELY_GO_DIR})
    set_tests_properties(go.${name} PROPERTIES
        RESOURCE_LOCK go
        FIXTURES_REQUIRED prefix
        LABELS go
        ENVIRONMENT "GOOS=windows;GOARCH=amd64;CGO_ENABLED=1;CC=${CMAKE_C_COMPILER};PKG_CONFIG_PATH=${LATELY_PREFIX}/${CMAKE_INSTALL_LIBDIR}/pkgconfig;CGO_CFLAGS=-O2 -g -DLATELY_KEY=${key}")
endfunction()

lately_add_go_test(vet vet ./...)
lately_add_go_test(test test -exec ${LATELY_WINE_SCRIPT} -count=1 -shuffle=on ./...)
lately_add_go_test(unshared test -exec ${LATELY_WINE_SCRIPT} -count=1 -shuffle=on . -unshared)
lately_add_go_test(static test -exec ${LATELY_WINE_SCRIPT} -count=1 -tags lately_static ./...)
lately_add_go_test(dedup build -o ${PROJECT_BINARY_DIR}/bin/dedup-go.exe ../../examples/dedup.go)
set_tests_properties(go.dedup PROPERTIES FIXTURES_SETUP dedup_go)

set(LATELY_DEDUP_GO ${LATELY_WINE_SCRIPT} ${PROJECT_BINARY_DIR}/bin/dedup-go.exe)
