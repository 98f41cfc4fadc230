# The cover test can fail: a header with one thing more, of each sort, is noticed, by name.
cmake_policy(VERSION 3.25)

function(expect_refusal what pattern replacement words)
    file(READ ${HEADER} text)
    string(FIND "${text}" "${pattern}" at)
    if(at EQUAL -1)
        message(FATAL_ERROR "no '${pattern}' in ${HEADER}")
    endif()
    string(REPLACE "${pattern}" "${replacement}" text "${text}")
    file(WRITE ${ROOM}/lately.h "${text}")
    execute_process(COMMAND ${CMAKE_COMMAND} -D HEADER=${ROOM}/lately.h -D HPP=${HPP} -D OUT=${ROOM}/cover.cpp
        -P ${CMAKE_CURRENT_LIST_DIR}/cover.cmake RESULT_VARIABLE failed ERROR_VARIABLE errors)
    if(NOT failed)
        execute_process(COMMAND ${CXX} -std=c++17 -fsyntax-only -I${ROOM} -I${HPP_DIR} -I${CMAKE_CURRENT_LIST_DIR}
            ${ROOM}/cover.cpp RESULT_VARIABLE failed ERROR_VARIABLE errors)
    endif()
    if(NOT failed OR NOT errors MATCHES "${words}")
        message(FATAL_ERROR "${what} was not noticed:\n${errors}")
    endif()
    message(STATUS "cover: ${what} is noticed")
endfunction()

set(ENV{LC_ALL} C)
file(MAKE_DIRECTORY ${ROOM})
get_filename_component(HPP_DIR ${HPP} DIRECTORY)
get_filename_component(HEADER_DIR ${HEADER} DIRECTORY)
file(COPY ${HEADER_DIR}/lately_file.h DESTINATION ${ROOM})
expect_refusal("a new verb" "LATELY_API uint64_t lately_hash64("
    "LATELY_API lately_status lately_filter_sniff(struct lately_filter *f);\nLATELY_API uint64_t lately_hash64("
    "never calls lately_filter_sniff")
expect_refusal("a new function" "LATELY_API uint64_t lately_hash64("
    "LATELY_API int lately_wave(void);\nLATELY_API uint64_t lately_hash64(" "never calls lately_wave")
expect_refusal("a new option" "\n} lately_options;" "\n    uint64_t colour;\n} lately_options;" "colour")
expect_refusal("a new option of loading" "\n} lately_load_options;"
    "\n    uint64_t shade;\n} lately_load_options;" "shade")
expect_refusal("a new status" "#define LATELY_ERR_TICK 7 " "#define LATELY_ERR_WIND 8\n#define LATELY_ERR_TICK 7 "
    "'wind' is not a member of|no member named 'wind'")
expect_refusal("a new field" "#define LATELY_FIELD_K 12 " "#define LATELY_FIELD_HUE 77\n#define LATELY_FIELD_K 12 "
    "'hue' is not a member of|no member named 'hue'")
expect_refusal("a new kind" "#define LATELY_KIND_QUOTIENT 4 "
    "#define LATELY_KIND_SWEPT 77\n#define LATELY_KIND_QUOTIENT 4 " "'swept' is not a member of|no member named 'swept'")
# A new statistic needs nothing: lately::stats and lately::plan_result are the structs of C.
