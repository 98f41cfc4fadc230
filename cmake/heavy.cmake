# What takes minutes and is not part of `check`: `cmake --workflow --preset packages` runs it.
#   heavy.reproducible       two builds in two folders give the same bytes
#   heavy.crate.<name>       the packed crate alone builds and passes its tests
#   heavy.conan              the recipe for Conan makes packages of the archive, and programs use them
#   heavy.musl               a program of musl opens the libraries that the jar has for it
#   heavy.valkey_archive     the module as it is released: both servers load that for amd64, a program of arm64 opens the other
#   heavy.deny.<folder>      licences, bans and sources of every dependency are those that deny.toml allows

function(lately_add_heavy_test name)
    add_test(NAME heavy.${name} COMMAND ${CMAKE_COMMAND} -D SOURCE=${PROJECT_SOURCE_DIR} -D CARGO=${CARGO} ${ARGN})
    set_tests_properties(heavy.${name} PROPERTIES LABELS heavy RUN_SERIAL ON)
endfunction()

lately_can_test(can "reproducible builds" TAR)
if(can)
    lately_add_heavy_test(reproducible -D TAR=${TAR} -D VERSION=${PROJECT_VERSION}
        -P ${PROJECT_SOURCE_DIR}/cmake/check_reproducible.cmake)
endif()
foreach(crate lately lately-cli)
    lately_add_heavy_test(crate.${crate} -D CRATE=${crate} -D VERSION=${PROJECT_VERSION}
        -D CARGO_DIR=${PROJECT_BINARY_DIR}/cargo-packed -P ${PROJECT_SOURCE_DIR}/cmake/check_crate.cmake)
endforeach()
lately_can_test(can "the recipe for Conan" CXX)
if(can)
    lately_add_heavy_test(conan -D BUILD=${PROJECT_BINARY_DIR} -D VERSION=${PROJECT_VERSION}
        -P ${PROJECT_SOURCE_DIR}/cmake/check_conan.cmake)
endif()
if(TARGET lately_java_musl AND LATELY_TARGET STREQUAL x86_64-unknown-linux-gnu)
    lately_add_heavy_test(musl -D BUILD=${PROJECT_BINARY_DIR} -D ABI=${LATELY_ABI} -D READELF=${CMAKE_READELF}
        -D MUSL=${LATELY_JAVA_MUSL}/native/linux-x86_64-musl -D GLIBC=${LATELY_JAVA_NATIVES}
        -P ${PROJECT_SOURCE_DIR}/cmake/check_musl.cmake)
endif()
if(TARGET lately_valkey_archive)
    lately_add_heavy_test(valkey_archive -D BUILD=${PROJECT_BINARY_DIR} -D VERSION=${PROJECT_VERSION}
        -D SERVERS=${REDIS_SERVER},${VALKEY_SERVER} -P ${PROJECT_SOURCE_DIR}/cmake/check_valkey_archive.cmake)
endif()
# Every lock file there is: those outside the workspace too.
foreach(room . engines/valkey/module engines/valkey/clients/rust fuzz)
    string(REGEX REPLACE "^\\.$" "workspace" name ${room})
    string(REPLACE "/" "-" name ${name})
    add_test(NAME heavy.deny.${name} COMMAND ${CARGO} deny --manifest-path ${room}/Cargo.toml --locked --all-features
            --config ${PROJECT_SOURCE_DIR}/deny.toml check licenses bans sources
        WORKING_DIRECTORY ${PROJECT_SOURCE_DIR})
    set_tests_properties(heavy.deny.${name} PROPERTIES LABELS heavy)
endforeach()
