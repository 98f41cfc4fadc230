# The library for another platform, laid out and named as cmake/rust.cmake does it for ours: lately_rust, lately::shared,
# lately::static. No Rust for the platform is installed: its standard library is built from source, which only
# Debian's cargo can do with Debian's sources, and which rustc allows a nightly only, hence RUSTC_BOOTSTRAP.

set(LATELY_CARGO /usr/bin/cargo CACHE FILEPATH "A cargo whose rustc has the sources of its library")
set(LATELY_RUSTC /usr/bin/rustc CACHE FILEPATH "The rustc of that cargo")
foreach(program ${LATELY_CARGO} ${LATELY_RUSTC})
    if(NOT EXISTS ${program})
        lately_missing("${program}: apt-get install ${LATELY_RUST_PACKAGES}")
    endif()
endforeach()

set(LATELY_CARGO_DIR ${PROJECT_BINARY_DIR}/cargo)
string(TOUPPER ${LATELY_TARGET} target)
string(REPLACE "-" "_" target ${target})
list(JOIN CMAKE_CROSSCOMPILING_EMULATOR " " runner)
set(cargo_home $ENV{CARGO_HOME})
if(NOT cargo_home)
    set(cargo_home $ENV{HOME}/.cargo)
endif()
string(ASCII 31 and)
string(JOIN "${and}" flags
    --remap-path-prefix=${cargo_home}=/cargo --remap-path-prefix=${PROJECT_SOURCE_DIR}=/lately)
# cargo for the platform: what it builds it runs there too. To be followed by a verb and LATELY_CARGO_FLAGS. What is
# shipped has no names of inner functions, and names no folder of this machine.
set(LATELY_CROSS_CARGO ${CMAKE_COMMAND} -E env
    RUSTC=${LATELY_RUSTC} RUSTC_BOOTSTRAP=1 CARGO_TARGET_DIR=${LATELY_CARGO_DIR}
    CARGO_PROFILE_RELEASE_STRIP=symbols CARGO_ENCODED_RUSTFLAGS=${flags}
    CARGO_TARGET_${target}_LINKER=${CMAKE_C_COMPILER} "CARGO_TARGET_${target}_RUNNER=${runner}"
    ${LATELY_CARGO})
set(LATELY_CARGO_FLAGS --locked --target ${LATELY_TARGET} -Zbuild-std=std,panic_unwind)

set(LATELY_LIB_DIR ${PROJECT_BINARY_DIR}/lib)
set(LATELY_INCLUDE_DIR ${PROJECT_SOURCE_DIR}/include)
set(LATELY_BUILT ${LATELY_CARGO_DIR}/${LATELY_TARGET}/release)
if(WIN32)
    # Programs find the DLL beside themselves. The two kinds of .a are kept apart: -llately would take either.
    set(CMAKE_RUNTIME_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR}/bin)
    set(LATELY_SONAME lately.dll)
    set(LATELY_SHARED ${PROJECT_BINARY_DIR}/bin/lately.dll)
    set(LATELY_STATIC ${LATELY_LIB_DIR}/static/liblately.a)
    set(LATELY_IMPORT ${LATELY_LIB_DIR}/liblately.dll.a)
    set(LATELY_BUILT_SHARED ${LATELY_BUILT}/lately.dll)
    set(LATELY_NATIVE_LIST -lws2_32 -luserenv -lntdll -lkernel32)
    include(cmake/platforms/resource.cmake)
    lately_add_resource(LATELY_RESOURCE lately.dll 2)
    set(LATELY_LINK_RESOURCE -- -C link-arg=${LATELY_RESOURCE})
    set(LATELY_COPY_IMPORT COMMAND ${CMAKE_COMMAND} -E copy_if_different ${LATELY_BUILT}/liblately.dll.a ${LATELY_IMPORT})
else()
    set(LATELY_SONAME liblately.so.${LATELY_ABI})
    set(LATELY_SHARED ${LATELY_LIB_DIR}/${LATELY_SONAME})
    set(LATELY_STATIC ${LATELY_LIB_DIR}/liblately.a)
    set(LATELY_BUILT_SHARED ${LATELY_BUILT}/liblately.so)
    set(LATELY_NATIVE_LIST -lgcc_s -lutil -lrt -lpthread -lm -ldl -lc)
endif()

foreach(file ${LATELY_SHARED} ${LATELY_STATIC})
    get_filename_component(folder ${file} DIRECTORY)
    file(MAKE_DIRECTORY ${folder})
endforeach()
add_custom_target(lately_rust ALL
    COMMAND ${LATELY_CROSS_CARGO} rustc --release ${LATELY_CARGO_FLAGS} -p lately --lib ${LATELY_LINK_RESOURCE}
    COMMAND ${CMAKE_COMMAND} -E copy_if_different ${LATELY_BUILT_SHARED} ${LATELY_SHARED}
    COMMAND ${CMAKE_COMMAND} -E copy_if_different ${LATELY_BUILT}/liblately.a ${LATELY_STATIC}
    ${LATELY_COPY_IMPORT}
    DEPENDS ${LATELY_RESOURCE}
    BYPRODUCTS ${LATELY_SHARED} ${LATELY_STATIC} ${LATELY_IMPORT}
    WORKING_DIRECTORY ${PROJECT_SOURCE_DIR}
    USES_TERMINAL
    COMMENT "cargo rustc --release -p lately --target ${LATELY_TARGET}"
    VERBATIM)

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
