# cpack's packages: the archive has every file; the three Debian packages have Debian's form, go into a root of their own,
# the outside projects are built against them, and their removal leaves nothing.
cmake_policy(VERSION 3.25)
include(${CMAKE_CURRENT_LIST_DIR}/installed.cmake)

execute_process(COMMAND mktemp -d OUTPUT_VARIABLE room OUTPUT_STRIP_TRAILING_WHITESPACE COMMAND_ERROR_IS_FATAL ANY)
set(packages liblately${ABI} liblately-dev lately)
set(root ${room}/root)

# Only root may enter another root; anybody else is root in a namespace of his own.
execute_process(COMMAND id -u OUTPUT_VARIABLE user OUTPUT_STRIP_TRAILING_WHITESPACE)
set(as_root)
if(NOT user EQUAL 0)
    set(as_root unshare --map-root-user)
endif()
set(dpkg ${as_root} ${DPKG} --root=${root})

function(run)
    execute_process(COMMAND ${ARGN} WORKING_DIRECTORY ${room} COMMAND_ERROR_IS_FATAL ANY)
endfunction()

# A root in which nothing is installed but what the packages say they need, in the versions of this machine, and what of
# libc-bin hears the trigger of libraries: the loader's ldconfig, and the shell for the script that calls it.
function(make_root)
    file(MAKE_DIRECTORY ${root}/var/lib/dpkg/updates ${root}/var/lib/dpkg/info ${root}/etc ${root}/tmp)
    set(status)
    foreach(needed libc6 libgcc-s1 libc-bin)
        execute_process(COMMAND dpkg-query --show --showformat
            "Package: \${Package}\nStatus: install ok installed\nMaintainer: none\nArchitecture: \${Architecture}\nMulti-Arch: same\nVersion: \${Version}\nDescription: none\n\n"
            ${needed} OUTPUT_VARIABLE entry COMMAND_ERROR_IS_FATAL ANY)
        string(APPEND status "${entry}")
        file(WRITE ${root}/var/lib/dpkg/info/${needed}.list "")
    endforeach()
    file(WRITE ${root}/var/lib/dpkg/status "${status}")
    file(WRITE ${root}/var/lib/dpkg/info/libc-bin.triggers "interest-await ldconfig\n")
    file(WRITE ${root}/var/lib/dpkg/triggers/ldconfig "libc-bin\n")
    file(WRITE ${root}/var/lib/dpkg/info/libc-bin.postinst "#!/bin/sh\n/sbin/ldconfig\n")
    file(CHMOD ${root}/var/lib/dpkg/info/libc-bin.postinst PERMISSIONS OWNER_READ OWNER_WRITE OWNER_EXECUTE)
    file(COPY /etc/ld.so.conf /etc/ld.so.conf.d DESTINATION ${root}/etc)
    copy_program(/bin/sh)
    copy_program(/sbin/ldconfig)
endfunction()

# A program of this machine and the libraries that it loads, at the same places in the root.
function(copy_program program)
    execute_process(COMMAND ldd ${program} OUTPUT_VARIABLE loaded ERROR_QUIET)
    string(REGEX MATCHALL "/[^ \n]+" files "${loaded}")
    foreach(file IN LISTS program files)
        get_filename_component(folder ${file} DIRECTORY)
        file(MAKE_DIRECTORY ${root}${folder})
        run(cp --dereference ${file} ${root}${file})
    endforeach()
endfunction()

# What is installed in Debian's form: libraries in the folder of their architecture, a changelog, pages that are
# compressed.
function(use_list_of_debian)
    execute_process(COMMAND dpkg-architecture -qDEB_HOST_MULTIARCH OUTPUT_VARIABLE multiarch
        OUTPUT_STRIP_TRAILING_WHITESPACE COMMAND_ERROR_IS_FATAL ANY)
    file(READ ${LIST} lines)
    string(REGEX REPLACE "(man1/[a-z-]+\\.1)\n" "\\1.gz\n" lines "${lines}")
    string(REGEX REPLACE "([a-z]+ share/doc/[^/]+)/copyright\n" "\\0\\1/changelog.gz\n" lines "${lines}")
    file(WRITE ${room}/installed.txt "${lines}")
    set(LIST ${room}/installed.txt PARENT_SCOPE)
    set(LIBDIR ${LIBDIR}/${multiarch} PARENT_SCOPE)
endfunction()

# Two architectures may be installed beside each other, and what Debian's own checker calls an error is none of ours.
function(check_form)
    foreach(deb IN LISTS debs)
        execute_process(COMMAND dpkg-deb --field ${deb} Package Multi-Arch OUTPUT_VARIABLE fields
            COMMAND_ERROR_IS_FATAL ANY)
        if(NOT fields MATCHES "Package: (lib[^\n]+\nMulti-Arch: same|lately\nMulti-Arch: foreign)\n")
            message(FATAL_ERROR "${deb}: ${fields}")
        endif()
    endforeach()
    run(${LINTIAN} --allow-root --fail-on error,warning ${debs})
endfunction()

# What the programs were linked to is named, with a version: dpkg-shlibdeps did look.
function(check_shlibdeps)
    foreach(package liblately${ABI} lately)
        execute_process(COMMAND dpkg-deb --field ${deb_${package}} Depends OUTPUT_VARIABLE needs
            COMMAND_ERROR_IS_FATAL ANY)
        if(NOT needs MATCHES "libc6 \\(>= ")
            message(FATAL_ERROR "${package} depends on '${needs}'")
        endif()
    endforeach()
endfunction()

# Without the library the headers are unpacked, but not configured: dpkg names what is missing. The library then mends it.
function(check_dependencies)
    execute_process(COMMAND ${dpkg} --install ${deb_liblately-dev} RESULT_VARIABLE result
        OUTPUT_VARIABLE said ERROR_VARIABLE said)
    if(result EQUAL 0 OR NOT said MATCHES "liblately-dev(:[a-z0-9]+)? depends on liblately${ABI} \\(= ${VERSION}\\)")
        message(FATAL_ERROR "liblately-dev alone: ${result}\n${said}")
    endif()
endfunction()

function(check_tool)
    execute_process(COMMAND ${root}/usr/bin/lately --version OUTPUT_VARIABLE said COMMAND_ERROR_IS_FATAL ANY)
    if(NOT said STREQUAL "lately ${VERSION}\n")
        message(FATAL_ERROR "the installed command says ${said}")
    endif()
endfunction()

# What they refuse does not depend on where the library came from: the tests consumer.* have it.
function(check_consumers)
    foreach(road IN LISTS ROADS)
        foreach(linkage shared static)
            run(${CMAKE_COMMAND} -D ROAD=${road} -D LINKAGE=${linkage} -D MOVE=OFF -D BRIEF=ON -D PREFIX=${root}/usr
                -D LIBDIR=${LIBDIR} -D SOURCE=${SOURCE} -D SONAME=${SONAME} -D OBJDUMP=${OBJDUMP} -D CC=${CC}
                -D CXX=${CXX} -D PKG_CONFIG=${PKG_CONFIG} -D MAKE=${MAKE} -D MESON=${MESON} -D GO=${GO}
                -P ${CMAKE_CURRENT_FUNCTION_LIST_DIR}/consumers/check.cmake)
        endforeach()
    endforeach()
endfunction()

# The loader of the root knows the library, so that programs there need no variable; or knows it no more.
function(check_loader knows)
    execute_process(COMMAND ${as_root} chroot ${root} /sbin/ldconfig -p OUTPUT_VARIABLE said
        COMMAND_ERROR_IS_FATAL ANY)
    string(FIND "${said}" "${SONAME} " at)
    if((knows AND at EQUAL -1) OR (NOT knows AND NOT at EQUAL -1))
        message(FATAL_ERROR "the loader must know ${SONAME}: ${knows}. It knows\n${said}")
    endif()
endfunction()

# What a removal leaves: the root as it was, but for the records of dpkg and the cache of the loader.
function(check_nothing_left)
    files_below(left ${root})
    list(REMOVE_ITEM left ${files_before})
    list(FILTER left EXCLUDE REGEX "^(var/lib/dpkg/|etc/ld\\.so\\.cache$|var/cache/ldconfig/)")
    if(left)
        message(FATAL_ERROR "after the removal there are still ${left}")
    endif()
endfunction()

run(${CMAKE_COMMAND} -E chdir ${BUILD} cpack -B ${room}/packed)
file(GLOB archive ${room}/packed/lately-${VERSION}-*.tar.gz)
file(ARCHIVE_EXTRACT INPUT ${archive} DESTINATION ${room}/archive)
get_filename_component(folder ${archive} NAME)
string(REGEX REPLACE "\\.tar\\.gz$" "" folder ${folder})
check_files(${room}/archive/${folder} "runtime;development;tools")

set(debs)
foreach(package IN LISTS packages)
    file(GLOB deb_${package} ${room}/packed/${package}_${VERSION}_*.deb)
    list(APPEND debs ${deb_${package}})
endforeach()
check_shlibdeps()
check_form()
use_list_of_debian()
make_root()
files_below(files_before ${root})
check_dependencies()
run(${dpkg} --install ${debs})
check_files(${root}/usr "runtime;development;tools")
check_tool()
check_loader(TRUE)
check_consumers()
run(${dpkg} --purge ${packages})
check_loader(FALSE)
check_nothing_left()
file(REMOVE_RECURSE ${room})
message(STATUS "packages: installed in a root of their own, built against, and removed without a trace")
