# A C compiler for Linux with musl on ARCH, x86_64 or aarch64. For this machine it is Debian's musl-gcc. For the other one it is
# Debian's cross compiler with musl's packages of that machine, which are unpacked in the folder ROOM and not installed.
#   MUSL_CC        the compiler
#   MUSL_TOOLS     what stands before `ar`, `objcopy` and `strip`
cmake_policy(VERSION 3.25)

function(lately_need program advice)
    find_program(found ${program} NO_CACHE)
    if(NOT found)
        message(FATAL_ERROR "${program} is not installed: ${advice}")
    endif()
endfunction()

# Debian's packages of another architecture, by lists of their own: those of this machine stay as they are.
function(lately_unpack_musl architecture)
    set(apt ${ROOM}/apt)
    file(MAKE_DIRECTORY ${apt}/lists/partial ${apt}/cache/archives/partial)
    file(TOUCH ${apt}/status)
    set(options -o APT::Architecture=${architecture} -o APT::Architectures=${architecture} -o Dir::State=${apt}
        -o Dir::State::status=${apt}/status -o Dir::Cache=${apt}/cache -o APT::Sandbox::User=root)
    execute_process(COMMAND apt-get ${options} update OUTPUT_QUIET COMMAND_ERROR_IS_FATAL ANY)
    execute_process(COMMAND apt-get ${options} download musl musl-dev WORKING_DIRECTORY ${apt} OUTPUT_QUIET
        COMMAND_ERROR_IS_FATAL ANY)
    file(GLOB packages ${apt}/musl*.deb)
    foreach(package IN LISTS packages)
        execute_process(COMMAND dpkg-deb -x ${package} ${apt}/tree COMMAND_ERROR_IS_FATAL ANY)
    endforeach()
    # The linker looks in one folder, and the packages have two.
    set(libraries ${ARCH}-linux-musl)
    file(COPY_FILE ${apt}/tree/lib/${libraries}/libc.so ${apt}/tree/usr/lib/${libraries}/libc.so)
    file(READ ${apt}/tree/usr/lib/${libraries}/musl-gcc.specs specs)
    string(REPLACE "/usr/" "${ROOM}/tree/usr/" specs "${specs}")
    file(WRITE ${apt}/tree/usr/lib/${libraries}/musl-gcc.specs "${specs}")
    # Whole or not at all.
    file(RENAME ${apt}/tree ${ROOM}/tree)
    file(REMOVE_RECURSE ${apt})
endfunction()

execute_process(COMMAND uname -m OUTPUT_VARIABLE here OUTPUT_STRIP_TRAILING_WHITESPACE)
if(ARCH STREQUAL here)
    lately_need(musl-gcc "apt-get install musl-tools")
    set(MUSL_CC musl-gcc)
    set(MUSL_TOOLS "")
else()
    set(MUSL_TOOLS ${ARCH}-linux-gnu-)
    lately_need(${MUSL_TOOLS}gcc "apt-get install gcc-${ARCH}-linux-gnu")
    lately_need(qemu-${ARCH} "apt-get install qemu-user")
    set(MUSL_ROOT ${ROOM}/tree)
    if(NOT EXISTS ${MUSL_ROOT})
        set(architecture_of_aarch64 arm64)
        set(architecture_of_x86_64 amd64)
        lately_unpack_musl(${architecture_of_${ARCH}})
    endif()
    set(MUSL_CC ${ROOM}/cc)
    file(CONFIGURE OUTPUT ${MUSL_CC} @ONLY CONTENT
"#!/bin/sh
exec @MUSL_TOOLS@gcc \"$@\" -specs '@MUSL_ROOT@/usr/lib/@ARCH@-linux-musl/musl-gcc.specs'
")
    file(CHMOD ${MUSL_CC} PERMISSIONS OWNER_READ OWNER_WRITE OWNER_EXECUTE)
endif()
