# The target lately_valkey_module: the module of Valkey and Redis as LATELY_MODULE, for the platform that is built for. Needs
# libclang, of this machine, and is a part of no other target where it is for another. Wants LATELY_CARGO and its flags.

set(LATELY_VALKEY ${PROJECT_SOURCE_DIR}/engines/valkey)
set(LATELY_VALKEY_ROOM ${PROJECT_BINARY_DIR}/valkey)
set(LATELY_MODULE ${LATELY_VALKEY_ROOM}/lately.so)
set(in_room --config "build.target-dir='${LATELY_VALKEY_ROOM}/cargo'")
set(all ALL)
if(CMAKE_CROSSCOMPILING)
    set(all)
endif()
add_custom_target(lately_valkey_module ${all}
    COMMAND ${LATELY_CARGO} ${in_room} build --release ${LATELY_CARGO_FLAGS}
    COMMAND ${CMAKE_COMMAND} -E copy_if_different ${LATELY_VALKEY_ROOM}/cargo/${LATELY_BUILT}/liblately_module.so ${LATELY_MODULE}
    WORKING_DIRECTORY ${LATELY_VALKEY}/module
    BYPRODUCTS ${LATELY_MODULE}
    USES_TERMINAL
    COMMENT "the module of Valkey and Redis"
    VERBATIM)
