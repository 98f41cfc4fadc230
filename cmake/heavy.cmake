# What takes minutes and is not part of `check`: `cmake --workflow --preset packages` runs it. What each test proves stands in its file
# in packaging/checks/.

function(lately_add_heavy_check name script)
    lately_add_check(heavy.${name} ${script} CARGO=${CARGO} VERSION=${PROJECT_VERSION} ${ARGN})
    set_tests_properties(heavy.${name} PROPERTIES LABELS heavy RUN_SERIAL ON)
endfunction()
lately_need_tools("what takes minutes" PYTHON3)

lately_add_heavy_check(reproducible reproducible)
foreach(crate lately lately-cli)
    lately_add_heavy_check(crate.${crate} crates WHAT=crate CRATE=${crate} CARGO_DIR=${PROJECT_BINARY_DIR}/cargo-packed)
endforeach()
lately_add_heavy_check(publish crates WHAT=publish)
# Debian's packages of it are for this processor.
lately_find_tool(APT_GET apt-get)
lately_can_test(can "the oldest Rust" APT_GET)
if(can AND CMAKE_SYSTEM_PROCESSOR STREQUAL x86_64)
    lately_add_heavy_check(old_rust old_rust ROOM=${PROJECT_SOURCE_DIR}/build/old_rust)
endif()
if(TARGET lately_java_jar)
    lately_find_tool(GPG gpg)
    lately_can_test(can "what Maven Central would get" GPG)
    if(can)
        lately_add_heavy_check(maven maven MVN=${MVN} JDK=${LATELY_JAVA_PACKER} NATIVES=${LATELY_JAVA_DIR}/natives)
    endif()
endif()
lately_can_test(can "the recipe for Conan" CXX)
if(can)
    lately_add_heavy_check(conan recipes WHAT=conan)
endif()
lately_can_test(can "the port for vcpkg" CXX MAKE PKG_CONFIG CMAKE_OBJDUMP)
if(can AND CMAKE_SYSTEM_NAME STREQUAL Linux)
    lately_add_heavy_check(vcpkg recipes WHAT=vcpkg ${LATELY_CONSUMER_FACTS})
endif()
if(TARGET lately_java_musl AND LATELY_TARGET STREQUAL x86_64-unknown-linux-gnu)
    list(JOIN LATELY_JNI_INCLUDES "," includes)
    lately_add_heavy_check(musl musl BUILD=${PROJECT_BINARY_DIR} READELF=${CMAKE_READELF} MUSL=${LATELY_MUSL}
        JAVA_MUSL=${LATELY_JAVA_MUSL} GLIBC=${LATELY_JAVA_NATIVES} JNI_INCLUDES=${LATELY_JAVA_DIR}/headers,${includes})
endif()
if(LATELY_TESTS_GO AND LATELY_TARGET STREQUAL x86_64-unknown-linux-gnu)
    lately_add_heavy_check(go_release go_release BUILD=${PROJECT_BINARY_DIR} ABI=${LATELY_ABI} LIBDIR=${CMAKE_INSTALL_LIBDIR} GO=${GO}
        OBJDUMP=${CMAKE_OBJDUMP} MUSL=${LATELY_MUSL})
endif()
lately_can_test(can "the module as it is released" REDIS_SERVER VALKEY_SERVER)
if(can AND TARGET lately_valkey_archive)
    lately_add_heavy_check(valkey_archive valkey_archive SERVERS=${REDIS_SERVER},${VALKEY_SERVER})
endif()
# Licences, bans and sources of every dependency are those that deny.toml allows, by every lock file there is: those outside the
# workspace too.
foreach(room . evaluation examples/axum)
    string(REGEX REPLACE "^\\.$" "workspace" name ${room})
    string(REPLACE "/" "-" name ${name})
    add_test(NAME heavy.deny.${name} COMMAND ${CARGO} deny --manifest-path ${room}/Cargo.toml --locked --all-features
            --config ${PROJECT_SOURCE_DIR}/deny.toml check licenses bans sources
        WORKING_DIRECTORY ${PROJECT_SOURCE_DIR})
    set_tests_properties(heavy.deny.${name} PROPERTIES LABELS heavy)
endforeach()
