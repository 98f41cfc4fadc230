# C by pkg-config. Linked statically in both ways: by its own package, and by --static where there is no shared library.

run(${MAKE} CC=${CC} LINKAGE=${LINKAGE} PKG_CONFIG=${PKG_CONFIG})
check_program(verdicts)

# And with no shared library at all: nothing that is named may be there as one only.
if(LINKAGE STREQUAL static)
    run(${MAKE} --always-make "CC=${CC} -static" LINKAGE=shared "PKG_CONFIG=${PKG_CONFIG} --static")
    check_program(verdicts)
    run(${MAKE} --always-make "CC=${CC} -static" LINKAGE=static PKG_CONFIG=${PKG_CONFIG})
    check_program(verdicts)
endif()

if(LINKAGE STREQUAL static AND NOT DEFINED MOVE)
    file(GLOB shared ${PREFIX}/${LIBDIR}/liblately.so* ${PREFIX}/${LIBDIR}/liblately.dll.a)
    file(REMOVE ${shared})
    run(${MAKE} --always-make CC=${CC} LINKAGE=shared "PKG_CONFIG=${PKG_CONFIG} --static")
    check_program(verdicts)
endif()
