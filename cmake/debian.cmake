# cpack runs this with the packages that it has made (CPACK_POST_BUILD_SCRIPTS), before it hands them out; archives stay as they are.
foreach(made IN LISTS CPACK_PACKAGE_FILES)
    if(made MATCHES "\\.deb$")
        execute_process(COMMAND sh ${CMAKE_CURRENT_LIST_DIR}/debian.sh ${made} ${CPACK_PACKAGE_VERSION} ${CPACK_LATELY_LIBDIR}
            ${CPACK_LATELY_DESCRIPTIONS} COMMAND_ERROR_IS_FATAL ANY)
    endif()
endforeach()
