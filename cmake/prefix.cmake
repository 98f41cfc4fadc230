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
lately_need_tools("the installation" PYTHON3)
lately_add_check(install.tree installed WHAT=tree BUILD=${PROJECT_BINARY_DIR} LIST=${PROJECT_SOURCE_DIR}/${list}
    SOURCE=${PROJECT_SOURCE_DIR} VERSION=${PROJECT_VERSION} ABI=${LATELY_ABI} LIBDIR=${CMAKE_INSTALL_LIBDIR}
    CARGO_HOME=${LATELY_CARGO_HOME})

# Each shell takes its completions, which are the same for every platform.
if(NOT CMAKE_CROSSCOMPILING)
    foreach(shell bash fish zsh)
        string(TOUPPER ${shell} variable)
        lately_find_tool(${variable} ${shell})
        lately_can_test(can "completions of ${shell}" ${variable})
        if(can)
            lately_add_check(install.completions.${shell} installed WHAT=${shell} PROGRAM=${${variable}} PREFIX=${LATELY_PREFIX})
            set_tests_properties(install.completions.${shell} PROPERTIES FIXTURES_REQUIRED prefix)
        endif()
    endforeach()
endif()
