# What a call costs in each language, as ratios to C in one run: benches/bindings/.
#   cmake --workflow --preset bench-bindings     prints the table
# The test bench.bindings runs a few rounds: that all of them run and answer alike. It holds no figure against anything.

lately_need_tools("the benchmark of the bindings" PYTHON3)
set(LATELY_BENCH_SOURCE ${PROJECT_SOURCE_DIR}/benches/bindings)
set(LATELY_BENCH_DIR ${PROJECT_BINARY_DIR}/bench)

function(lately_add_bench_program language)
    add_executable(bench_calls_${language} ${LATELY_BENCH_SOURCE}/calls.${language})
    target_include_directories(bench_calls_${language} PRIVATE ${PROJECT_SOURCE_DIR}/bindings/cpp/include)
    target_link_libraries(bench_calls_${language} PRIVATE lately::shared)
    target_compile_options(bench_calls_${language} PRIVATE -O2 -Wall -Wextra -Wpedantic -Werror)
    set_target_properties(bench_calls_${language} PROPERTIES
        C_STANDARD 11 CXX_STANDARD 17 RUNTIME_OUTPUT_DIRECTORY ${LATELY_BENCH_DIR})
endfunction()
lately_add_bench_program(c)

# As the library is built, and with the crates that were compiled for it.
lately_add_target(bench_calls_rust ALL
    COMMAND ${LATELY_CARGO} build --release ${LATELY_CARGO_FLAGS} -p bench_calls --target-dir ${LATELY_CARGO_DIR}
    BYPRODUCTS ${LATELY_CARGO_DIR}/release/bench_calls)
add_dependencies(bench_calls_rust lately_rust)

set(programs C=$<TARGET_FILE:bench_calls_c> Rust=${LATELY_CARGO_DIR}/release/bench_calls)
set(needed bench_calls_c bench_calls_rust)
set(fixtures prefix)

# The optional ones.
if(CMAKE_CXX_COMPILER)
    lately_add_bench_program(cpp)
    list(APPEND programs C++=$<TARGET_FILE:bench_calls_cpp>)
    list(APPEND needed bench_calls_cpp)
endif()
set(install)
if(LATELY_TESTS_GO)
    lately_add_go_test(bench.calls build -ldflags=-r=${LATELY_GO_LIB} -o ${LATELY_BENCH_DIR}/calls-go ../../benches/bindings/calls.go)
    set_tests_properties(go.bench.calls PROPERTIES FIXTURES_SETUP bench_go)
    lately_add_go_test(vet.bench vet ../../benches/bindings/calls.go)
    list(APPEND programs Go=${LATELY_BENCH_DIR}/calls-go)
    list(APPEND fixtures bench_go)
    # It is built against an installation, which is a test that it needs.
    set(install COMMAND ${CMAKE_CTEST_COMMAND} --test-dir ${PROJECT_BINARY_DIR} --quiet -R "^go[.]bench[.]calls$")
endif()
# The first JDK and the one that packs: from Java 22 on a call goes another way.
if(LATELY_JAVA_JAR)
    set(homes ${LATELY_JDK} ${LATELY_JAVA_PACKER})
    list(REMOVE_DUPLICATES homes)
    foreach(home IN LISTS homes)
        lately_jdk_name(jdk ${home})
        string(REGEX MATCH "[0-9]+" version ${jdk})
        set(access)
        if(version GREATER_EQUAL 22)
            set(access --enable-native-access=ALL-UNNAMED)
        endif()
        list(APPEND programs
            "Java ${version}=${home}/bin/java ${access} -cp ${LATELY_JAVA_JAR} ${LATELY_BENCH_SOURCE}/Calls.java")
    endforeach()
    list(APPEND needed lately_java_jar)
endif()

set(table ${PYTHON3} -B ${LATELY_BENCH_SOURCE}/table.py)
lately_add_target(bench_bindings
    ${install}
    COMMAND ${table} ${programs})
add_dependencies(bench_bindings ${needed})
if(install)
    # What an installation consists of.
    add_dependencies(bench_bindings lately_rust lately_tool)
endif()
# The tests of Java need the jar, too.
list(REMOVE_ITEM needed lately_java_jar)
lately_leave_to(benches ${needed})
add_test(NAME bench.bindings COMMAND ${table} --rounds 1 ${programs})
set_tests_properties(bench.bindings PROPERTIES FIXTURES_REQUIRED "${fixtures}")
