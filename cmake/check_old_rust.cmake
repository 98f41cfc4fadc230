# The oldest Rust that Cargo.toml allows compiles what is published, and the C library. That compiler
# is Debian 13's, of which rustup has none here: its packages and what they need are unpacked in the folder ROOM and not
# installed, and its dynamic linker runs it there, whatever glibc this machine has. The rest is this machine's cargo.
#   cmake -D SOURCE=<tree> -D CARGO=<cargo> -D ROOM=<folder> -P check_old_rust.cmake
cmake_policy(VERSION 3.25)

file(STRINGS ${SOURCE}/Cargo.toml line REGEX "^rust-version = " LIMIT_COUNT 1)
string(REGEX MATCH "[0-9]+\\.[0-9]+" wanted "${line}")
set(packages rustc libstd-rust-${wanted} libstd-rust-dev libllvm19 libc6 libgcc-s1 libstdc++6 zlib1g libzstd1 libtinfo6 libedit2
    libffi8 libxml2 liblzma5 libz3-4 libbsd0 libmd0 libgmp10)

# Debian 13's packages, by lists of their own: those of this machine stay as they are.
function(unpack_rust)
    set(apt ${ROOM}/apt)
    file(MAKE_DIRECTORY ${apt}/lists/partial ${apt}/cache/archives/partial)
    file(TOUCH ${apt}/status)
    file(WRITE ${apt}/sources "deb [arch=amd64 signed-by=/usr/share/keyrings/debian-archive-keyring.gpg] \
http://deb.debian.org/debian trixie main\n")
    set(options -o Dir::State=${apt} -o Dir::State::status=${apt}/status -o Dir::Cache=${apt}/cache
        -o Dir::Etc::sourcelist=${apt}/sources -o Dir::Etc::sourceparts=/nowhere -o APT::Sandbox::User=root)
    execute_process(COMMAND apt-get ${options} update OUTPUT_QUIET COMMAND_ERROR_IS_FATAL ANY)
    execute_process(COMMAND apt-get ${options} download ${packages} WORKING_DIRECTORY ${apt} OUTPUT_QUIET
        COMMAND_ERROR_IS_FATAL ANY)
    file(GLOB debs ${apt}/*.deb)
    foreach(deb IN LISTS debs)
        execute_process(COMMAND dpkg-deb -x ${deb} ${apt}/tree COMMAND_ERROR_IS_FATAL ANY)
    endforeach()
    # Whole or not at all.
    file(RENAME ${apt}/tree ${ROOM}/tree)
    file(REMOVE_RECURSE ${apt})
endfunction()

if(NOT EXISTS ${ROOM}/tree)
    unpack_rust()
endif()
set(libraries ${ROOM}/tree/usr/lib/x86_64-linux-gnu)
file(CONFIGURE OUTPUT ${ROOM}/rustc @ONLY CONTENT
"#!/bin/sh
exec '@libraries@/ld-linux-x86-64.so.2' --library-path '@libraries@' '@ROOM@/tree/usr/bin/rustc' --sysroot '@ROOM@/tree/usr' \"$@\"
")
file(CHMOD ${ROOM}/rustc PERMISSIONS OWNER_READ OWNER_WRITE OWNER_EXECUTE)
execute_process(COMMAND ${ROOM}/rustc --version OUTPUT_VARIABLE version COMMAND_ERROR_IS_FATAL ANY)
if(NOT version MATCHES "^rustc ${wanted}\\.")
    message(FATAL_ERROR "Cargo.toml says rust-version ${wanted}, and Debian 13 has ${version}")
endif()

set(ENV{RUSTC} ${ROOM}/rustc)
function(run_cargo)
    execute_process(COMMAND ${CARGO} ${ARGN} --locked --target-dir ${ROOM}/target WORKING_DIRECTORY ${SOURCE}
        COMMAND_ERROR_IS_FATAL ANY)
endfunction()

run_cargo(check -p lately -p lately-cli)
run_cargo(check -p lately --features serde,metrics)
run_cargo(check -p lately-capi --lib)

string(STRIP "${version}" version)
message(STATUS "old_rust: ${version} compiles what is published")
