# C by pkg-config. Linked statically in both ways: by its own package, and by --static where there is no shared library.

run(${MAKE} CC=${CC} LINKAGE=${LINKAGE} PKG_CONFIG=${PKG_CONFIG})
check_program(verdicts)

if(LINKAGE STREQUAL static AND NOT DEFINED MOVE)
    file(GLOB shared ${PREFIX}/${LIBDIR}/liblately.so*)
    file(REMOVE ${shared})
    run(${MAKE} --always-make CC=${CC} LINKAGE=shared "PKG_CONFIG=${PKG_CONFIG} --static")
    check_program(verdicts)
endif()
