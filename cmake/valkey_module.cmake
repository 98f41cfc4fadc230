# Targets, for the platform that is built for. They need libclang, of this machine.
#   lately_valkey_module     the module of Valkey and Redis, LATELY_MODULE
#   lately_valkey_archive    the same as it is released, LATELY_MODULE_ARCHIVE: with its page and the licences

set(LATELY_VALKEY ${PROJECT_SOURCE_DIR}/engines/valkey)
set(LATELY_VALKEY_ROOM ${PROJECT_BINARY_DIR}/valkey)
set(LATELY_MODULE ${LATELY_VALKEY_ROOM}/lately.so)
set(in_room --target-dir ${LATELY_VALKEY_ROOM}/cargo)
add_custom_target(lately_valkey_module ALL
    COMMAND ${LATELY_CARGO} build --release ${LATELY_CARGO_FLAGS} ${in_room}
    COMMAND ${CMAKE_COMMAND} -E copy_if_different ${LATELY_VALKEY_ROOM}/cargo/${LATELY_BUILT}/liblately_module.so ${LATELY_MODULE}
    WORKING_DIRECTORY ${LATELY_VALKEY}/module
    BYPRODUCTS ${LATELY_MODULE}
    USES_TERMINAL
    COMMENT "the module of Valkey and Redis"
    VERBATIM)

# The same with the faults that the tests of its guards ask for. It is made after the other, in the same folder.
set(LATELY_FAULTY_MODULE ${LATELY_VALKEY_ROOM}/faults/lately.so)
add_custom_target(lately_valkey_faults
    COMMAND ${LATELY_CARGO} build --release --features faults ${LATELY_CARGO_FLAGS} ${in_room}
    COMMAND ${CMAKE_COMMAND} -E make_directory ${LATELY_VALKEY_ROOM}/faults
    COMMAND ${CMAKE_COMMAND} -E copy_if_different ${LATELY_VALKEY_ROOM}/cargo/${LATELY_BUILT}/liblately_module.so ${LATELY_FAULTY_MODULE}
    WORKING_DIRECTORY ${LATELY_VALKEY}/module
    BYPRODUCTS ${LATELY_FAULTY_MODULE}
    USES_TERMINAL
    COMMENT "the module of Valkey and Redis, with faults"
    VERBATIM)
add_dependencies(lately_valkey_faults lately_valkey_module)

if(TARGET lately_packaging)
    set(name lately-valkey-${PROJECT_VERSION}-linux-${CMAKE_SYSTEM_PROCESSOR})
    set(LATELY_MODULE_ARCHIVE ${LATELY_VALKEY_ROOM}/${name}.tar.gz)
    add_custom_target(lately_valkey_archive
        COMMAND ${LATELY_RELEASE} WHAT=valkey MODULE=${LATELY_MODULE} NAME=${name} OUT=${LATELY_MODULE_ARCHIVE}
                TARGET=${LATELY_TARGET} LICENCES=${LATELY_PACKAGING_DIR}/licences
        BYPRODUCTS ${LATELY_MODULE_ARCHIVE}
        VERBATIM)
    add_dependencies(lately_valkey_archive lately_valkey_module lately_packaging)
endif()
