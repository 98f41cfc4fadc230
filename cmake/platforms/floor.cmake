# What a release has for Linux runs with glibc LATELY_GLIBC: tests of the preset that builds it.
#   floor.<name>      no symbol asks for a later version, of those of the library, the glue, the command, the module
#   floor.archive     the archive links to that glibc, and what is linked asks for no later version

lately_require_program(PYTHON3 python3 "apt-get install python3")
lately_require_program(CMAKE_OBJDUMP objdump "apt-get install binutils")
function(lately_add_floor_test name)
    lately_add_check(floor.${name} artefacts WHAT=floor OBJDUMP=${CMAKE_OBJDUMP} FLOOR=${LATELY_GLIBC} FILES=${ARGN})
endfunction()

lately_add_floor_test(library ${LATELY_SHARED})
lately_add_floor_test(glue $<TARGET_FILE:lately_jni>)
lately_add_floor_test(command ${LATELY_TOOL})
lately_add_floor_test(module ${LATELY_MODULE})

add_executable(lately_on_floor packaging/conan/test_package/verdicts.c)
target_link_libraries(lately_on_floor PRIVATE lately::static -lgcc_s)
lately_add_floor_test(archive $<TARGET_FILE:lately_on_floor>)
add_test(NAME floor.archive.runs COMMAND ${CMAKE_CROSSCOMPILING_EMULATOR} $<TARGET_FILE:lately_on_floor>)
