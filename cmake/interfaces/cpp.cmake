# C++: what namespace lately has, from clang's own reading of the header.

file(WRITE ${room}/all.cpp "#include <lately.hpp>\n")
execute_process(COMMAND ${CLANGXX} -std=c++17 -I ${SOURCE}/include -I ${SOURCE}/bindings/cpp/include -fsyntax-only
    -Xclang -ast-dump=json -Xclang -ast-dump-filter=lately ${room}/all.cpp
    OUTPUT_FILE ${room}/all.json COMMAND_ERROR_IS_FATAL ANY)
execute_process(COMMAND ${CARGO_DIR}/debug/examples/interface_cpp INPUT_FILE ${room}/all.json
    OUTPUT_VARIABLE list COMMAND_ERROR_IS_FATAL ANY)
hold(cpp.txt "${list}")
