# The Debian packages of a cross toolchain: whoever may install packages gets what is missing, others are told what to
# type. Debian's rustc and cargo come to /usr/bin and are only ever called by that path, so a toolchain of rustup that
# stands earlier on the PATH stays the one that `cargo` means.

# Sees to it that the packages are there. Does nothing where there is no dpkg: what is missing is then named later.
function(lately_need_packages)
    get_property(trying GLOBAL PROPERTY IN_TRY_COMPILE)
    find_program(LATELY_DPKG dpkg-query)
    if(trying OR NOT LATELY_DPKG)
        return()
    endif()
    execute_process(COMMAND ${LATELY_DPKG} -W "-f=\${db:Status-Status} " ${ARGN} OUTPUT_VARIABLE status ERROR_QUIET RESULT_VARIABLE failed)
    if(NOT failed AND status MATCHES "^(installed )+$")
        return()
    endif()
    list(JOIN ARGN " " names)
    execute_process(COMMAND id -u OUTPUT_VARIABLE user OUTPUT_STRIP_TRAILING_WHITESPACE)
    if(NOT user EQUAL 0)
        message(FATAL_ERROR "This platform needs: apt-get install --no-install-recommends ${names}")
    endif()
    message(STATUS "Installing ${names}")
    # An update may fail for one of many sources, and the packages still be there.
    execute_process(COMMAND apt-get update OUTPUT_QUIET)
    set(ENV{DEBIAN_FRONTEND} noninteractive)
    execute_process(COMMAND apt-get install -y --no-install-recommends ${ARGN}
        OUTPUT_QUIET ERROR_VARIABLE reason RESULT_VARIABLE failed)
    if(failed)
        message(FATAL_ERROR "This platform needs packages that could not be installed: "
            "apt-get install --no-install-recommends ${names}\n${reason}")
    endif()
endfunction()

# Rust with the sources of its library, from which the library is built for every other platform.
set(LATELY_RUST_PACKAGES rustc-web cargo-web rust-web-src)
