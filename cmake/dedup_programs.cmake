# The dedup programs that cmake compiles, and what writes their stream: dedup_c, dedup_cpp (if there is a
# C++ compiler), dedup_stream.

add_executable(dedup_c examples/dedup.c)
target_link_libraries(dedup_c PRIVATE lately::shared)
target_compile_options(dedup_c PRIVATE -Wall -Wextra -Wpedantic -Werror)
set_target_properties(dedup_c PROPERTIES C_STANDARD 11 C_STANDARD_REQUIRED ON C_EXTENSIONS OFF)

if(CMAKE_CXX_COMPILER)
    add_executable(dedup_cpp examples/dedup.cpp)
    target_link_libraries(dedup_cpp PRIVATE lately::cpp)
    target_compile_options(dedup_cpp PRIVATE -Wall -Wextra -Wpedantic -Wconversion -Werror)
endif()

add_executable(dedup_stream tests/dedup/stream.c)
target_compile_options(dedup_stream PRIVATE -Wall -Wextra -Wpedantic -Werror)
