# The archive as one object that defines the functions of tests/symbols.txt for others, and nothing else (ELF only).
# rustc's archive has some two thousand global names of Rust's standard library, which a shared object that links it would
# export, and on which two archives made by Rust could clash.

# Appends to the list `commands` what makes the object of the archive that the variable `archive` names, and sets that to
# the new one.
function(lately_make_one_object commands archive)
    set(symbols ${PROJECT_SOURCE_DIR}/tests/symbols.txt)
    set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${symbols})
    file(STRINGS ${symbols} roots)
    list(TRANSFORM roots PREPEND "-Wl,--undefined=")
    set(folder ${LATELY_CARGO_DIR}/one)
    file(MAKE_DIRECTORY ${folder})
    list(APPEND ${commands}
        # What the functions use and no more. A group of sections is found by a name, which is about to become local: so
        # there are no groups any more.
        COMMAND ${CMAKE_C_COMPILER} -r -nostdlib -Wl,--gc-sections -Wl,--force-group-allocation ${roots}
                -o ${folder}/lately.o ${${archive}}
        COMMAND ${CMAKE_OBJCOPY} --keep-global-symbols=${symbols} ${folder}/lately.o
        COMMAND ${CMAKE_COMMAND} -E rm -f ${folder}/liblately.a
        COMMAND ${CMAKE_AR} rcsD ${folder}/liblately.a ${folder}/lately.o)
    set(${commands} ${${commands}} PARENT_SCOPE)
    set(${archive} ${folder}/liblately.a PARENT_SCOPE)
endfunction()
