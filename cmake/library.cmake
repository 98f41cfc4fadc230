# Builds the library and lays it out as it is installed, on this machine or for another one:
#   ${LATELY_LIB_DIR}/liblately.so -> liblately.so.<abi> -> liblately.so.<version>, and liblately.a
#   for Windows bin/lately.dll, lib/liblately.dll.a, lib/static/liblately.a
# Targets: lately_rust (builds it), lately::shared, lately::static (link to it), lately::lately (the one of the two that
# BUILD_SHARED_LIBS asks for).
# Before it comes what says how: LATELY_CARGO with LATELY_CARGO_FLAGS, which build into ${LATELY_CARGO_DIR}/${LATELY_BUILT},
# and LATELY_NATIVE_LIBS, what the archive needs of the system.

set(LATELY_LIB_DIR ${PROJECT_BINARY_DIR}/lib)
set(LATELY_INCLUDE_DIR ${PROJECT_SOURCE_DIR}/include)
set(built ${LATELY_CARGO_DIR}/${LATELY_BUILT})
separate_arguments(LATELY_NATIVE_LIST UNIX_COMMAND "${LATELY_NATIVE_LIBS}")

# ---- names ----

# Where the archive lies among what is installed: apart from an import library, since -llately would take either.
set(LATELY_STATIC_BESIDE .)
set(LATELY_SHARED_DIR ${LATELY_LIB_DIR})
if(WIN32)
    set(LATELY_STATIC_BESIDE static)
    # Programs find the DLL beside themselves.
    set(CMAKE_RUNTIME_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR}/bin)
    set(LATELY_SHARED_DIR ${CMAKE_RUNTIME_OUTPUT_DIRECTORY})
    set(LATELY_NAMES lately.dll)
    set(LATELY_IMPORT ${LATELY_LIB_DIR}/liblately.dll.a)
elseif(APPLE)
    # Untested: there is no such machine here.
    set(LATELY_NAMES liblately.${PROJECT_VERSION}.dylib liblately.${LATELY_ABI}.dylib liblately.dylib)
else()
    set(LATELY_NAMES liblately.so.${PROJECT_VERSION} liblately.so.${LATELY_ABI} liblately.so)
endif()
# The file, what the loader asks for, what a linker asks for. The later ones are links, each to the one before.
list(GET LATELY_NAMES 0 LATELY_REAL_NAME)
set(LATELY_SONAME ${LATELY_REAL_NAME})
set(LATELY_LINK_NAME ${LATELY_REAL_NAME})
set(links)
if(NOT WIN32)
    list(GET LATELY_NAMES 1 LATELY_SONAME)
    list(GET LATELY_NAMES 2 LATELY_LINK_NAME)
    set(links
        COMMAND ${CMAKE_COMMAND} -E create_symlink ${LATELY_REAL_NAME} ${LATELY_LIB_DIR}/${LATELY_SONAME}
        COMMAND ${CMAKE_COMMAND} -E create_symlink ${LATELY_SONAME} ${LATELY_LIB_DIR}/${LATELY_LINK_NAME})
endif()
set(LATELY_SHARED ${LATELY_SHARED_DIR}/${LATELY_REAL_NAME})
cmake_path(SET LATELY_STATIC NORMALIZE ${LATELY_LIB_DIR}/${LATELY_STATIC_BESIDE}/liblately.a)
cmake_path(GET LATELY_STATIC PARENT_PATH static_dir)
file(MAKE_DIRECTORY ${LATELY_SHARED_DIR} ${static_dir})

# ---- building ----

set(archive ${built}/liblately.a)
set(shared_built ${built}/${LATELY_LINK_NAME})
set(archiving)
if(NOT APPLE)
    lately_require_program(CMAKE_STRIP strip "apt-get install binutils")
    # Without what makes four fifths of it: the standard library's debug information, and its code once more as LLVM has
    # it, which only rustc reads.
    set(archive ${LATELY_CARGO_DIR}/slim/liblately.a)
    file(MAKE_DIRECTORY ${LATELY_CARGO_DIR}/slim)
    set(archiving COMMAND ${CMAKE_STRIP} --strip-debug -R .llvmbc -R .llvmcmd -o ${archive} ${built}/liblately.a)
endif()
if(NOT APPLE AND NOT WIN32)
    lately_require_program(CMAKE_OBJCOPY objcopy "apt-get install binutils")
    include(cmake/one_object.cmake)
endif()
set(resource)
set(import)
if(WIN32)
    include(cmake/platforms/resource.cmake)
    lately_add_resource(LATELY_RESOURCE lately.dll 2)
    set(resource -- -C link-arg=${LATELY_RESOURCE})
    set(import COMMAND ${CMAKE_COMMAND} -E copy_if_different ${built}/liblately.dll.a ${LATELY_IMPORT})
endif()
# As a part of another project it is built when something there is linked to it.
set(all)
if(PROJECT_IS_TOP_LEVEL)
    set(all ALL)
endif()
lately_add_target(lately_rust ${all}
    COMMAND ${LATELY_CARGO} rustc --release ${LATELY_CARGO_FLAGS} -p lately-capi --lib
            --crate-type cdylib,staticlib --target-dir ${LATELY_CARGO_DIR} ${resource}
    ${import}
    ${archiving}
    COMMAND ${CMAKE_COMMAND} -E copy_if_different ${shared_built} ${LATELY_SHARED}
    COMMAND ${CMAKE_COMMAND} -E copy_if_different ${archive} ${LATELY_STATIC}
    ${links}
    DEPENDS ${LATELY_RESOURCE}
    BYPRODUCTS ${LATELY_SHARED} ${LATELY_STATIC} ${LATELY_IMPORT})

# ---- linking ----

add_library(lately::shared SHARED IMPORTED GLOBAL)
set_target_properties(lately::shared PROPERTIES
    IMPORTED_LOCATION ${LATELY_SHARED}
    IMPORTED_SONAME ${LATELY_SONAME}
    INTERFACE_INCLUDE_DIRECTORIES ${LATELY_INCLUDE_DIR})
if(WIN32)
    set_target_properties(lately::shared PROPERTIES
        IMPORTED_IMPLIB ${LATELY_IMPORT} INTERFACE_COMPILE_DEFINITIONS LATELY_DLL)
endif()
add_library(lately::static STATIC IMPORTED GLOBAL)
set_target_properties(lately::static PROPERTIES
    IMPORTED_LOCATION ${LATELY_STATIC}
    INTERFACE_LINK_LIBRARIES "${LATELY_NATIVE_LIST}"
    INTERFACE_INCLUDE_DIRECTORIES ${LATELY_INCLUDE_DIR})
add_dependencies(lately::shared lately_rust)
add_dependencies(lately::static lately_rust)
if(DEFINED BUILD_SHARED_LIBS AND NOT BUILD_SHARED_LIBS)
    add_library(lately::lately ALIAS lately::static)
else()
    add_library(lately::lately ALIAS lately::shared)
endif()
