# What others need of the library once it is installed, and the consumers that prove it.
#
# The fixture `prefix` (FIXTURES_REQUIRED prefix) is an installation in ${LATELY_PREFIX}:
#   lib/liblately.so, lib/liblately.a, lib/pkgconfig (for PKG_CONFIG_PATH), lib/cmake/lately, include/lately.h

lately_require_program(PKG_CONFIG pkg-config "apt-get install pkg-config")

set(LATELY_PREFIX ${PROJECT_BINARY_DIR}/prefix)
add_test(NAME install.prefix
    COMMAND ${CMAKE_COMMAND} --install ${PROJECT_BINARY_DIR} --prefix ${LATELY_PREFIX})
set_tests_properties(install.prefix PROPERTIES FIXTURES_SETUP prefix)

# The C example, built by a stranger: outside the tree, against an installation that was moved.
foreach(road find_package pkg_config)
    foreach(linkage shared static)
        add_test(NAME install.${road}.${linkage} COMMAND ${CMAKE_COMMAND}
            -D ROAD=${road} -D LINKAGE=${linkage} -D PREFIX=${LATELY_PREFIX} -D CC=${CMAKE_C_COMPILER}
            -D LIBDIR=${CMAKE_INSTALL_LIBDIR} -D EXAMPLE=${PROJECT_SOURCE_DIR}/examples/c
            -D PKG_CONFIG=${PKG_CONFIG} -D READELF=${READELF} -D SONAME=${LATELY_SONAME}
            -P ${PROJECT_SOURCE_DIR}/cmake/check_consumer.cmake)
        set_tests_properties(install.${road}.${linkage} PROPERTIES FIXTURES_REQUIRED prefix)
    endforeach()
endforeach()
