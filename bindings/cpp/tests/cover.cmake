# A test: everything of HEADER (lately.h) is in HPP (lately.hpp), under its name. What is missing is named. The list of options is
# generated (packaging), and stats and plans are the structs of C.
cmake_policy(VERSION 3.25)

# The text of a file without its comments and without what upsets CMake's lists.
function(read_code output file)
    file(READ ${file} text)
    string(REPLACE ";" "|" text "${text}")
    string(REGEX REPLACE "/\\*[^*]*\\*+([^/*][^*]*\\*+)*/" " " text "${text}")
    string(REGEX REPLACE "//[^\n]*" " " text "${text}")
    string(REPLACE "[" "<" text "${text}")
    string(REPLACE "]" ">" text "${text}")
    set(${output} "${text}" PARENT_SCOPE)
endfunction()

# What a search must find, at least that many; else the search is broken.
function(expect_at_least least what)
    list(LENGTH ARGN count)
    if(count LESS least)
        message(FATAL_ERROR "only ${count} ${what} in ${HEADER}: ${ARGN}")
    endif()
endfunction()

function(expect_in_hpp pattern what)
    if(NOT hpp MATCHES "${pattern}")
        message(SEND_ERROR "lately.hpp ${what}")
    endif()
endfunction()

read_code(header ${HEADER})
read_code(hpp ${HPP})

# Functions: every one is called; those of a handle are verbs in both forms, throwing and noexcept.
string(REGEX MATCHALL "lately_[a-z0-9_]+\\(" functions "${header}")
list(REMOVE_DUPLICATES functions)
expect_at_least(45 functions ${functions})
foreach(function IN LISTS functions)
    string(REPLACE "(" "" name "${function}")
    # LATELY_OPTIONS_INIT and LATELY_LOAD_OPTIONS_INIT do what two of these do, at compile time; options::window and
    # options::last do what the others do.
    if(NOT name MATCHES "^lately_(load_options_init|options_(init|window|last))$")
        expect_in_hpp("[^a-z_]${name}[^a-z0-9_]" "never calls ${name}")
    endif()
    if(NOT name MATCHES "_(new|free|retain|pieces)$" AND name MATCHES "^lately_(filter|shared)_(.*)$")
        expect_in_hpp(" try_${CMAKE_MATCH_2}\\(" "has no try_${CMAKE_MATCH_2}")
        expect_in_hpp(" ${CMAKE_MATCH_2}\\(" "has no ${CMAKE_MATCH_2}")
    endif()
endforeach()

if(NOT header MATCHES "typedef struct lately_load_options {([^}]*)}")
    message(FATAL_ERROR "no lately_load_options in ${HEADER}")
endif()
string(REGEX MATCHALL "[a-z0-9_]+ *[|]" names "${CMAKE_MATCH_1}")
list(TRANSFORM names REPLACE " *[|]" "")
list(REMOVE_ITEM names struct_size)
expect_at_least(4 "options of loading" ${names})
foreach(name IN LISTS names)
    expect_in_hpp("load_options& ${name}\\(" "does not load with ${name}")
endforeach()

# Constants: an enumeration has one for each LATELY_<prefix>_*, with its number.
foreach(group "COMMIT 3" "ERR 20" "KIND 4" "CLOCK 2" "REPEAT 2" "ON_LIMIT 2" "VARIANT 4")
    string(REGEX REPLACE " .*" "" prefix "${group}")
    string(REGEX REPLACE ".* " "" least "${group}")
    string(REGEX MATCHALL "#define LATELY_${prefix}_[A-Z0-9_]+ [0-9]" defines "${header}")
    expect_at_least(${least} "LATELY_${prefix}_*" ${defines})
    foreach(define IN LISTS defines)
        string(REGEX MATCH "LATELY_${prefix}_([A-Z0-9_]+)" constant "${define}")
        string(TOLOWER ${CMAKE_MATCH_1} member)
        expect_in_hpp("[^a-z_]${member} = ${constant}," "has no ${member} = ${constant}")
    endforeach()
endforeach()
foreach(pair "ok = LATELY_OK" "new_ = LATELY_NEW" "duplicate = LATELY_DUPLICATE" "pending = LATELY_PENDING"
        "absent_key = LATELY_ABSENT_KEY")
    expect_in_hpp("[^a-z_]${pair}," "has no ${pair}")
endforeach()
