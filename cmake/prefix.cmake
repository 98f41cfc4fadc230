# What others need of the library once it is installed. cmake/consumers.cmake has the consumers that prove it.
#
# The fixture `prefix` (FIXTURES_REQUIRED prefix) is an installation in ${LATELY_PREFIX}:
#   lib/liblately.so, lib/liblately.a, lib/pkgconfig (for PKG_CONFIG_PATH), lib/cmake/lately, include/lately.h

lately_find_tool(PKG_CONFIG pkg-config)

set(LATELY_PREFIX ${PROJECT_BINARY_DIR}/prefix)
add_test(NAME install.prefix
    COMMAND ${CMAKE_COMMAND} --install ${PROJECT_BINARY_DIR} --prefix ${LATELY_PREFIX})
set_tests_properties(install.prefix PROPERTIES FIXTURES_SETUP prefix)

set(list tests/installed.txt)
if(WIN32)
    set(list tests/windows/installed.txt)
endif()
# What is installed is what a list of tests/ says, component by component, and names no folder of this machine.
add_test(NAME install.tree COMMAND ${CMAKE_COMMAND}
    -D BUILD=${PROJECT_BINARY_DIR} -D LIST=${PROJECT_SOURCE_DIR}/${list} -D SOURCE=${PROJECT_SOURCE_DIR}
    -D VERSION=${PROJECT_VERSION} -D ABI=${LATELY_ABI} -D LIBDIR=${CMAKE_INSTALL_LIBDIR}
    -D CARGO_HOME=${LATELY_CARGO_HOME} -P ${PROJECT_SOURCE_DIR}/cmake/check_install.cmake)

# Each shell takes its completions, which are the same for every platform.
if(NOT CMAKE_CROSSCOMPILING)
    foreach(shell bash fish zsh)
        string(TOUPPER ${shell} variable)
        lately_find_tool(${variable} ${shell})
        lately_can_test(can "completions of ${shell}" ${variable})
        if(can)
            add_test(NAME install.completions.${shell} COMMAND ${CMAKE_COMMAND} -D SHELL=${shell}
                -D PROGRAM=${${variable}} -D PREFIX=${LATELY_PREFIX}
                -P ${PROJECT_SOURCE_DIR}/cmake/check_completions.cmake)
            set_tests_properties(install.completions.${shell} PROPERTIES FIXTURES_REQUIRED prefix)
        endif()
    endforeach()
endif()
