# What only the preset `windows` has: the DLL's exports and details, the tool, Go, Java and the examples, under Wine.

# ---- the DLL ----

lately_require_program(OBJDUMP ${LATELY_GNU}-objdump "apt-get install gcc-mingw-w64-x86-64")
lately_require_program(MINGW_NM ${LATELY_GNU}-nm "apt-get install gcc-mingw-w64-x86-64")
lately_add_check(artefacts.exports artefacts WHAT=dll OBJDUMP=${OBJDUMP} DLL=${LATELY_SHARED} NM=${MINGW_NM}
    IMPORT=${LATELY_IMPORT} SYMBOLS=${PROJECT_SOURCE_DIR}/tests/symbols.txt)

add_executable(lately_details tests/windows/details.c)
target_link_libraries(lately_details PRIVATE version)
target_include_directories(lately_details PRIVATE ${LATELY_INCLUDE_DIR})
target_compile_options(lately_details PRIVATE -Wall -Wextra -Werror)
add_test(NAME artefacts.details.dll COMMAND lately_details ${LATELY_SHARED} lately.dll)

# ---- the tool ----

add_test(NAME artefacts.details.exe COMMAND lately_details ${LATELY_TOOL} lately.exe)
lately_add_check(tool tool WINE=${LATELY_WINE_SCRIPT} TOOL=${LATELY_TOOL})

# ---- the other languages ----

include(cmake/platforms/windows_go.cmake)
include(cmake/platforms/windows_java.cmake)
