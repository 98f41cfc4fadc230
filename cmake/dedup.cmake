# examples/dedup.{c,cpp,go,java,py,rs}: the same program in each language, compared byte for byte on one stream: with each other and
# with tests/dedup/golden.txt, on this machine or for another one. LATELY_DEDUP_<LANGUAGE> is the command of a language that is here.

add_executable(dedup_c examples/dedup.c)
target_link_libraries(dedup_c PRIVATE lately::shared)
target_compile_options(dedup_c PRIVATE -Wall -Wextra -Wpedantic -Werror)
set_target_properties(dedup_c PROPERTIES C_STANDARD 11 C_STANDARD_REQUIRED ON C_EXTENSIONS OFF)
if(CMAKE_CXX_COMPILER)
    add_executable(dedup_cpp examples/dedup.cpp)
    target_link_libraries(dedup_cpp PRIVATE lately::cpp)
    target_compile_options(dedup_cpp PRIVATE -Wall -Wextra -Wpedantic -Wconversion -Werror)
endif()
# What writes the stream.
add_executable(dedup_stream tests/dedup/stream.c)
target_compile_options(dedup_stream PRIVATE -Wall -Wextra -Wpedantic -Werror)
foreach(program stream c cpp)
    if(TARGET dedup_${program})
        string(TOUPPER LATELY_DEDUP_${program} command)
        set(${command} ${CMAKE_CROSSCOMPILING_EMULATOR} $<TARGET_FILE:dedup_${program}>)
    endif()
endforeach()

if(CMAKE_CROSSCOMPILING)
    # Built as the tests are, which share its parts.
    set(rust ${LATELY_CARGO_DIR}/${LATELY_TARGET}/debug/examples/dedup${CMAKE_EXECUTABLE_SUFFIX})
    lately_add_target(lately_dedup_rust ALL
        COMMAND ${LATELY_CARGO} build --profile test ${LATELY_CARGO_FLAGS} -p lately --example dedup
        BYPRODUCTS ${rust})
    add_dependencies(lately_dedup_rust lately_rust)
else()
    # In the folder of the other cargo commands: the build has made this example already, with the tests of the workspace and
    # their features. Without those all of it would be compiled once more.
    set(rust ${PROJECT_SOURCE_DIR}/target/debug/examples/dedup)
    add_test(NAME examples.dedup.rust COMMAND ${CARGO} build --profile test ${LATELY_WORKSPACE} --example dedup
        --target-dir ${PROJECT_SOURCE_DIR}/target WORKING_DIRECTORY ${PROJECT_SOURCE_DIR})
    set_tests_properties(examples.dedup.rust PROPERTIES FIXTURES_SETUP dedup_rust RESOURCE_LOCK cargo)
endif()
set(LATELY_DEDUP_RUST ${CMAKE_CROSSCOMPILING_EMULATOR} ${rust})

lately_need_tools("the dedup programs of every language" PYTHON3)
set(programs)
foreach(language stream c cpp rust ${LATELY_BINDINGS})
    string(TOUPPER LATELY_DEDUP_${language} command)
    string(REPLACE ";" "\\;" command "${${command}}")
    list(APPEND programs "${language}=${command}")
endforeach()
add_test(NAME examples.dedup COMMAND ${PYTHON3} -B ${PROJECT_SOURCE_DIR}/tests/dedup/compare.py ${PROJECT_BINARY_DIR}/compared ${programs})
set_tests_properties(examples.dedup PROPERTIES FIXTURES_REQUIRED "prefix;dedup_rust;dedup_go;dedup_java")
