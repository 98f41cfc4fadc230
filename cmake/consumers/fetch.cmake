# C++ with the tree as a part of the project. It brings its targets and nothing else: no rule of installation, no package,
# no command. TREE is the checkout, CARGO_DIR where cargo has built it already.

run(${CMAKE_COMMAND} -B build -D LATELY_TREE=${TREE} -D LATELY_CARGO_DIR=${CARGO_DIR} -D CMAKE_C_COMPILER=${CC}
    -D CMAKE_CXX_COMPILER=${CXX})
run(${CMAKE_COMMAND} --build build)
check_program(build/verdicts)

run(${CMAKE_COMMAND} --install build --prefix ${room}/installed)
execute_process(COMMAND ${CMAKE_COMMAND} --build build --target help WORKING_DIRECTORY ${project}
    OUTPUT_VARIABLE targets COMMAND_ERROR_IS_FATAL ANY)
if(EXISTS ${room}/installed OR EXISTS ${project}/build/CPackConfig.cmake OR targets MATCHES "lately_tool|demo|package")
    message(FATAL_ERROR "a project that takes lately in gets rules of its own from it:\n${targets}")
endif()

# Who asks for them gets them, of the library alone.
run(${CMAKE_COMMAND} -B build -D LATELY_INSTALL=ON)
execute_process(COMMAND ${CMAKE_COMMAND} --build build --target help WORKING_DIRECTORY ${project}
    OUTPUT_VARIABLE targets COMMAND_ERROR_IS_FATAL ANY)
if(NOT targets MATCHES "lately_tool" OR targets MATCHES "demo")
    message(FATAL_ERROR "LATELY_INSTALL=ON offers:\n${targets}")
endif()
