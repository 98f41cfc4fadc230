# cargo would publish every crate of the workspace that is published: it packs and builds them as crates.io would get them, the
# shell with the library out of a registry that cargo makes here of what it has packed. Nothing is uploaded. Those are lately and
# lately-cli: another one would be published by mistake.
cmake_policy(VERSION 3.25)

execute_process(COMMAND mktemp -d OUTPUT_VARIABLE room OUTPUT_STRIP_TRAILING_WHITESPACE COMMAND_ERROR_IS_FATAL ANY)
execute_process(COMMAND ${CARGO} publish --dry-run --workspace --locked --allow-dirty --target-dir ${room}/target
    WORKING_DIRECTORY ${SOURCE} ERROR_VARIABLE said RESULT_VARIABLE result)
if(NOT result EQUAL 0)
    message(FATAL_ERROR "cargo publish --dry-run: ${result}\n${said}")
endif()
string(REGEX MATCHALL "Uploading [^\n]* \\(" uploaded "${said}")
list(TRANSFORM uploaded REPLACE "Uploading ([^ ]*) v([^ ]*) \\(" "\\1-\\2")
list(SORT uploaded)
if(NOT uploaded STREQUAL "lately-${VERSION};lately-cli-${VERSION}")
    message(FATAL_ERROR "cargo would publish ${uploaded}, and not lately and lately-cli of ${VERSION}:\n${said}")
endif()
file(REMOVE_RECURSE ${room})
message(STATUS "publish: cargo would publish ${uploaded}")
