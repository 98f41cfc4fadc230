# The headers by themselves and in real programs, in every standard that is promised, by gcc and by clang, with warnings
# that are errors. No program is linked or run here.

lately_find_tool(GCC gcc)
lately_find_tool(GXX g++)
lately_find_tool(CLANG clang)
lately_find_tool(CLANGXX clang++)

set(LATELY_HEADER_WARNINGS -Wall -Wextra -Wpedantic -Wconversion -Werror)
set(LATELY_HEADER_DIR ${PROJECT_BINARY_DIR}/headers)
file(WRITE ${LATELY_HEADER_DIR}/alone.c "#include <lately.h>\n")
file(WRITE ${LATELY_HEADER_DIR}/file.c "#include <lately_file.h>\n")
file(WRITE ${LATELY_HEADER_DIR}/alone.cpp "#include <lately.hpp>\n")
# <windows.h> defines both as macros. libstdc++ takes its own definitions back, so its headers come first.
file(STRINGS ${PROJECT_SOURCE_DIR}/bindings/cpp/include/lately.hpp standard_headers REGEX "^#include <[a-z_]+>$")
# Some compilers lack this header.
list(REMOVE_ITEM standard_headers "#include <format>")
list(JOIN standard_headers "\n" standard_headers)
file(WRITE ${LATELY_HEADER_DIR}/macros.cpp "${standard_headers}\n"
    "#define min(a, b) ((a) < (b) ? (a) : (b))\n#define max(a, b) ((a) > (b) ? (a) : (b))\n#include <lately.hpp>\n"
    "lately::filter f();\nlately::filter f() { return lately::filter(lately::options::quotient(1024)); }\n")
# What the warnings must catch, or they catch nothing.
file(WRITE ${LATELY_HEADER_DIR}/careless.c
    "#include <lately.h>\nint f(void);\nint f(void) { return LATELY_VERSION_NUMBER + lately_hash64(0, 0, 0); }\n")
file(WRITE ${LATELY_HEADER_DIR}/careless.cpp
    "#include <lately.hpp>\nint f();\nint f() { return lately::version_number() + lately::hash64(\"\", 0); }\n")

set(LATELY_C_SOURCES ${LATELY_HEADER_DIR}/alone.c ${LATELY_HEADER_DIR}/file.c ${PROJECT_SOURCE_DIR}/examples/dedup.c
    ${PROJECT_SOURCE_DIR}/examples/consumers/verdicts.c)
set(LATELY_CPP_SOURCES ${LATELY_HEADER_DIR}/alone.cpp ${LATELY_HEADER_DIR}/macros.cpp ${PROJECT_SOURCE_DIR}/examples/dedup.cpp
    ${PROJECT_SOURCE_DIR}/examples/consumers/verdicts.cpp)

# headers.<compiler>.<standard>: all of the rest compile; and headers.<...>.careless: `careless` does not.
function(lately_add_header_test compiler standard careless)
    set(name ${compiler}.${standard})
    set(folder ${LATELY_HEADER_DIR}/${name})
    file(MAKE_DIRECTORY ${folder})
    set(command ${compiler} -std=${standard} -O2 ${LATELY_HEADER_WARNINGS} -I ${LATELY_INCLUDE_DIR}
        -I ${PROJECT_SOURCE_DIR}/bindings/cpp/include -c)
    add_test(NAME headers.${name} COMMAND ${command} ${ARGN} WORKING_DIRECTORY ${folder})
    add_test(NAME headers.${name}.careless COMMAND ${command} ${careless} WORKING_DIRECTORY ${folder})
    set_tests_properties(headers.${name}.careless PROPERTIES PASS_REGULAR_EXPRESSION "onversion")
    set_tests_properties(headers.${name} headers.${name}.careless PROPERTIES LABELS headers)
endfunction()

# What one compiler has to say, if it is there: `program`, in each of the standards.
function(lately_add_header_tests program tools header careless sources)
    lately_can_test(can "the ${header} header with ${program}" ${tools})
    if(can)
        foreach(standard IN LISTS ARGN)
            lately_add_header_test(${program} ${standard} ${careless} ${sources})
        endforeach()
    endif()
endfunction()

lately_add_header_tests(gcc GCC C ${LATELY_HEADER_DIR}/careless.c "${LATELY_C_SOURCES}" c11 c17 c2x)
lately_add_header_tests(clang CLANG C ${LATELY_HEADER_DIR}/careless.c "${LATELY_C_SOURCES}" c11 c17 c2x)
lately_add_header_tests(g++ GXX C++ ${LATELY_HEADER_DIR}/careless.cpp "${LATELY_CPP_SOURCES}" c++17 c++20)
lately_add_header_tests(clang++ CLANGXX C++ ${LATELY_HEADER_DIR}/careless.cpp "${LATELY_CPP_SOURCES}" c++17 c++20)
