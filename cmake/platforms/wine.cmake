# A Windows to run programs in: Wine with a folder of its own, and the one function that it lacks (tests/windows).
# The target lately_wine makes it.

find_program(LATELY_WINE wine64 PATHS /usr/lib/wine NO_DEFAULT_PATH)
if(NOT LATELY_WINE)
    lately_missing("wine64: apt-get install wine64 wine")
endif()

set(LATELY_WINE_PREFIX ${PROJECT_BINARY_DIR}/wine-prefix)
# As the toolchain file says.
set(LATELY_WINE_SCRIPT ${CMAKE_CROSSCOMPILING_EMULATOR})
file(CONFIGURE OUTPUT ${LATELY_WINE_SCRIPT} @ONLY CONTENT
"#!/bin/sh
# Runs a program for Windows, which finds lately.dll. Nothing of it leaves this folder, and no window is opened.
export WINEPATH='Z:@PROJECT_BINARY_DIR@/bin' WINEARCH=win64 WINEPREFIX='@LATELY_WINE_PREFIX@' WINEDEBUG=\"\${WINEDEBUG:--all}\" WINEDLLOVERRIDES='mscoree,mshtml=;winemenubuilder.exe=d'
unset DISPLAY WAYLAND_DISPLAY
exec '@LATELY_WINE@' \"$@\"
")
file(CHMOD ${LATELY_WINE_SCRIPT} PERMISSIONS OWNER_READ OWNER_WRITE OWNER_EXECUTE GROUP_READ GROUP_EXECUTE
    WORLD_READ WORLD_EXECUTE)

add_library(lately_stand_in SHARED tests/windows/bcryptprimitives.c)
target_link_libraries(lately_stand_in PRIVATE advapi32)
set_target_properties(lately_stand_in PROPERTIES
    PREFIX "" OUTPUT_NAME bcryptprimitives
    LIBRARY_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR}/stand-in
    RUNTIME_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR}/stand-in)

# cargo walks through every folder of the tree, and Z: in this one is the whole machine. It turns back where it sees
# another package.
file(WRITE ${LATELY_WINE_PREFIX}/Cargo.toml "")

set(system ${LATELY_WINE_PREFIX}/drive_c/windows/system32)
add_custom_command(OUTPUT ${system}/bcryptprimitives.dll
    COMMAND ${CMAKE_COMMAND} -E make_directory ${LATELY_WINE_PREFIX}
    COMMAND ${LATELY_WINE_SCRIPT} wineboot --init
    COMMAND ${CMAKE_COMMAND} -E copy $<TARGET_FILE:lately_stand_in> ${system}/bcryptprimitives.dll
    DEPENDS lately_stand_in
    COMMENT "A Wine of our own"
    VERBATIM)
add_custom_target(lately_wine ALL DEPENDS ${system}/bcryptprimitives.dll)
