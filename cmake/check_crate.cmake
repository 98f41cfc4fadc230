# A crate as a registry would serve it: the packed file alone, away from the tree, has its licences, builds and passes
# its tests. A crate that uses the library gets the packed library.
cmake_policy(VERSION 3.25)

execute_process(COMMAND mktemp -d OUTPUT_VARIABLE room OUTPUT_STRIP_TRAILING_WHITESPACE COMMAND_ERROR_IS_FATAL ANY)

# Both at once: cargo then knows where the one that the registry does not have comes from.
execute_process(COMMAND ${CARGO} package --manifest-path ${SOURCE}/Cargo.toml -p lately -p lately-cli --locked
    --no-verify --allow-dirty --quiet --target-dir ${room}/packed COMMAND_ERROR_IS_FATAL ANY)
foreach(crate lately lately-cli)
    file(ARCHIVE_EXTRACT INPUT ${room}/packed/package/${crate}-${VERSION}.crate DESTINATION ${room})
endforeach()
foreach(file LICENSE-MIT LICENSE-APACHE README.md)
    if(NOT EXISTS ${room}/${CRATE}-${VERSION}/${file})
        message(FATAL_ERROR "${CRATE} is packed without ${file}")
    endif()
endforeach()

set(patch)
if(NOT CRATE STREQUAL lately)
    set(patch --config "patch.crates-io.lately.path='${room}/lately-${VERSION}'")
endif()
execute_process(COMMAND ${CARGO} test --offline --quiet --no-fail-fast ${patch} --target-dir ${CARGO_DIR}
    WORKING_DIRECTORY ${room}/${CRATE}-${VERSION} COMMAND_ERROR_IS_FATAL ANY)

# What a program that uses the library gets into its lock file: what it links, and none of the crates of this repository's tests.
if(CRATE STREQUAL lately)
    file(WRITE ${room}/user/src/main.rs "fn main() {}\n")
    file(WRITE ${room}/user/Cargo.toml "[package]\nname = \"user\"\nversion = \"0.1.0\"\nedition = \"2024\"\n\n[workspace]\n\n"
        "[dependencies]\nlately = { path = \"../lately-${VERSION}\" }\n")
    execute_process(COMMAND ${CARGO} generate-lockfile --offline --quiet WORKING_DIRECTORY ${room}/user COMMAND_ERROR_IS_FATAL ANY)
    file(STRINGS ${room}/user/Cargo.lock packages REGEX "^name = ")
    list(LENGTH packages count)
    if(count GREATER 12 OR count LESS 3)
        message(FATAL_ERROR "the lock file of a program that uses lately has ${count} packages: ${packages}")
    endif()
endif()
file(REMOVE_RECURSE ${room})
message(STATUS "crate: ${CRATE}: built and passed its tests from the packed file alone")
