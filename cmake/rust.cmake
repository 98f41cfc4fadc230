# Builds the library with cargo and lays it out as it is installed:
#   ${LATELY_LIB_DIR}/liblately.so -> liblately.so.<abi> -> liblately.so.<version>, and liblately.a
# Targets: lately_rust (builds it), lately::shared, lately::static (link to it).

lately_require_program(CARGO cargo "Rust 1.85 or later, from https://rustup.rs")
lately_require_program(RUSTC rustc "Rust 1.85 or later, from https://rustup.rs")

execute_process(COMMAND ${RUSTC} -vV OUTPUT_VARIABLE rustc_facts)
string(REGEX MATCH "host: ([^\n]+)" rustc_host "${rustc_facts}")
set(LATELY_HOST ${CMAKE_MATCH_1})

# Nothing that is installed names a folder of this machine: the sources of others are in /cargo, ours in /lately.
set(LATELY_CARGO_HOME $ENV{CARGO_HOME})
if(NOT LATELY_CARGO_HOME)
    set(LATELY_CARGO_HOME $ENV{HOME}/.cargo)
endif()
string(ASCII 31 between_flags)
string(JOIN "${between_flags}" LATELY_RUSTFLAGS
    --remap-path-prefix=${LATELY_CARGO_HOME}=/cargo --remap-path-prefix=${PROJECT_SOURCE_DIR}=/lately)
if(DEFINED ENV{RUSTFLAGS})
    string(REPLACE " " "${between_flags}" given "$ENV{RUSTFLAGS}")
    string(APPEND LATELY_RUSTFLAGS "${between_flags}${given}")
endif()
# cargo for what is installed: also without the names of inner functions, a sixth of the shared library.
set(LATELY_CARGO ${CMAKE_COMMAND} -E env
    CARGO_ENCODED_RUSTFLAGS=${LATELY_RUSTFLAGS} CARGO_PROFILE_RELEASE_STRIP=symbols ${CARGO})

# Apart from target/, so that no other cargo command can replace what is tested and installed.
set(LATELY_CARGO_DIR ${PROJECT_BINARY_DIR}/cargo)
set(LATELY_LIB_DIR ${PROJECT_BINARY_DIR}/lib)
set(LATELY_INCLUDE_DIR ${PROJECT_SOURCE_DIR}/include)
set(LATELY_STATIC ${LATELY_LIB_DIR}/liblately.a)
if(APPLE)
    # Untested: there is no such machine here.
    set(LATELY_NAMES liblately.${PROJECT_VERSION}.dylib liblately.${LATELY_ABI}.dylib liblately.dylib)
else()
    set(LATELY_NAMES liblately.so.${PROJECT_VERSION} liblately.so.${LATELY_ABI} liblately.so)
endif()
list(GET LATELY_NAMES 0 LATELY_REAL_NAME)
list(GET LATELY_NAMES 1 LATELY_SONAME)
list(GET LATELY_NAMES 2 LATELY_LINK_NAME)
set(LATELY_SHARED ${LATELY_LIB_DIR}/${LATELY_REAL_NAME})

# The archive likewise: four fifths of it are the standard library's debug information, and its code once more as LLVM
# has it, which only rustc reads.
set(LATELY_BUILT_STATIC ${LATELY_CARGO_DIR}/release/liblately.a)
set(LATELY_SLIM_STATIC ${LATELY_BUILT_STATIC})
set(lately_slim)
if(CMAKE_STRIP AND NOT APPLE)
    set(LATELY_SLIM_STATIC ${LATELY_CARGO_DIR}/slim.a)
    set(lately_slim COMMAND ${CMAKE_STRIP} --strip-debug -R .llvmbc -R .llvmcmd -o ${LATELY_SLIM_STATIC}
        ${LATELY_BUILT_STATIC})
endif()

file(MAKE_DIRECTORY ${LATELY_LIB_DIR})
add_custom_target(lately_rust ALL
    COMMAND ${LATELY_CARGO} build --release --locked -p lately --lib --target-dir ${LATELY_CARGO_DIR}
    COMMAND ${CMAKE_COMMAND} -E copy_if_different ${LATELY_CARGO_DIR}/release/${LATELY_LINK_NAME} ${LATELY_SHARED}
    ${lately_slim}
    COMMAND ${CMAKE_COMMAND} -E copy_if_different ${LATELY_SLIM_STATIC} ${LATELY_STATIC}
    COMMAND ${CMAKE_COMMAND} -E create_symlink ${LATELY_REAL_NAME} ${LATELY_LIB_DIR}/${LATELY_SONAME}
    COMMAND ${CMAKE_COMMAND} -E create_symlink ${LATELY_SONAME} ${LATELY_LIB_DIR}/${LATELY_LINK_NAME}
    BYPRODUCTS ${LATELY_SHARED} ${LATELY_STATIC}
    WORKING_DIRECTORY ${PROJECT_SOURCE_DIR}
    USES_TERMINAL
    COMMENT "cargo build --release -p lately"
    VERBATIM)

# What the archive needs of the system, as rustc tells it (the crate itself adds nothing).
file(WRITE ${PROJECT_BINARY_DIR}/empty.rs "")
execute_process(
    COMMAND ${RUSTC} --crate-type staticlib --print native-static-libs ${PROJECT_BINARY_DIR}/empty.rs
            -o ${PROJECT_BINARY_DIR}/libempty.a
    ERROR_VARIABLE native)
if(NOT native MATCHES "native-static-libs: ([^\n]*)")
    lately_missing("rustc: it does not tell what a static library needs")
endif()
string(STRIP "${CMAKE_MATCH_1}" LATELY_NATIVE_LIBS)
separate_arguments(LATELY_NATIVE_LIST UNIX_COMMAND "${LATELY_NATIVE_LIBS}")

add_library(lately::shared SHARED IMPORTED GLOBAL)
set_target_properties(lately::shared PROPERTIES
    IMPORTED_LOCATION ${LATELY_SHARED}
    IMPORTED_SONAME ${LATELY_SONAME}
    INTERFACE_INCLUDE_DIRECTORIES ${LATELY_INCLUDE_DIR})
add_library(lately::static STATIC IMPORTED GLOBAL)
set_target_properties(lately::static PROPERTIES
    IMPORTED_LOCATION ${LATELY_STATIC}
    INTERFACE_LINK_LIBRARIES "${LATELY_NATIVE_LIST}"
    INTERFACE_INCLUDE_DIRECTORIES ${LATELY_INCLUDE_DIR})
add_dependencies(lately::shared lately_rust)
add_dependencies(lately::static lately_rust)
