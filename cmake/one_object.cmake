# The archive as one object that defines the functions of tests/symbols.txt for others, and nothing else (ELF only). Rustc's
# archive has some two thousand global names of Rust's standard library: a shared object that links it would export them,
# and two archives made by Rust would clash on them.
# It appends to `archiving` what makes the object of `archive`, and sets that to the new one. The shared library is linked
# from the same object, which rustc's own cannot be: its functions have versions (LATELY_0.1), so that a program which needs
# a newer library is told so when it starts.

set(symbols ${PROJECT_SOURCE_DIR}/tests/symbols.txt)
set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${symbols})
file(STRINGS ${symbols} roots)
list(TRANSFORM roots PREPEND "-Wl,--undefined=")
set(one ${LATELY_CARGO_DIR}/one)
# A release is linked by zig, which cannot do without groups.
set(joins ${CMAKE_C_COMPILER})
if(LATELY_GLIBC)
    set(joins ${LATELY_GNU}-gcc)
endif()
file(MAKE_DIRECTORY ${one})
list(APPEND archiving
    # What the functions use and no more. The linker knows groups of sections by names that are about to become local, and
    # would take ours for those of another archive: so there are none.
    COMMAND ${joins} -r -nostdlib -Wl,--gc-sections -Wl,--force-group-allocation ${roots}
            -o ${one}/lately.o ${archive}
    COMMAND ${CMAKE_OBJCOPY} --keep-global-symbols=${symbols} ${one}/lately.o
    COMMAND ${CMAKE_COMMAND} -E rm -f ${one}/liblately.a
    COMMAND ${CMAKE_AR} rcsD ${one}/liblately.a ${one}/lately.o)
set(archive ${one}/liblately.a)
set(shared_built ${one}/${LATELY_LINK_NAME})
set(map ${PROJECT_SOURCE_DIR}/cmake/lately.map)
set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${map})
list(APPEND archiving
    COMMAND ${CMAKE_C_COMPILER} -shared -s -o ${shared_built} ${one}/lately.o -Wl,-soname,${LATELY_SONAME}
            -Wl,--version-script=${map} -Wl,--gc-sections -Wl,-z,defs -Wl,-z,relro,-z,now -Wl,-z,noexecstack -Wl,--as-needed
            ${LATELY_NATIVE_LIST} -lgcc_s)
