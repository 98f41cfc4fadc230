# `cmake --install`: header, both libraries, pkg-config files and the CMake package. All of it may be moved later.
include(GNUInstallDirs)
include(CMakePackageConfigHelpers)

if(IS_ABSOLUTE ${CMAKE_INSTALL_LIBDIR} OR IS_ABSOLUTE ${CMAKE_INSTALL_INCLUDEDIR})
    message(FATAL_ERROR "CMAKE_INSTALL_LIBDIR and CMAKE_INSTALL_INCLUDEDIR are folders inside the prefix")
endif()
set(LATELY_PC_DIR ${CMAKE_INSTALL_LIBDIR}/pkgconfig)
set(LATELY_CMAKE_DIR ${CMAKE_INSTALL_LIBDIR}/cmake/lately)

# From the folder of a file to the prefix.
file(RELATIVE_PATH LATELY_PC_TO_PREFIX /${LATELY_PC_DIR} /)
string(REGEX REPLACE "/$" "" LATELY_PC_TO_PREFIX ${LATELY_PC_TO_PREFIX})
foreach(name lately lately-static)
    configure_file(cmake/${name}.pc.in ${PROJECT_BINARY_DIR}/${name}.pc @ONLY)
endforeach()

configure_package_config_file(cmake/latelyConfig.cmake.in ${PROJECT_BINARY_DIR}/latelyConfig.cmake
    INSTALL_DESTINATION ${LATELY_CMAKE_DIR}
    PATH_VARS CMAKE_INSTALL_LIBDIR CMAKE_INSTALL_INCLUDEDIR)
write_basic_package_version_file(${PROJECT_BINARY_DIR}/latelyConfigVersion.cmake COMPATIBILITY SameMinorVersion)

install(FILES include/lately.h DESTINATION ${CMAKE_INSTALL_INCLUDEDIR})
install(PROGRAMS ${LATELY_SHARED} DESTINATION ${CMAKE_INSTALL_LIBDIR})
install(FILES ${LATELY_LIB_DIR}/${LATELY_SONAME} ${LATELY_LIB_DIR}/${LATELY_LINK_NAME} ${LATELY_STATIC}
    DESTINATION ${CMAKE_INSTALL_LIBDIR})
install(FILES ${PROJECT_BINARY_DIR}/lately.pc ${PROJECT_BINARY_DIR}/lately-static.pc DESTINATION ${LATELY_PC_DIR})
install(FILES ${PROJECT_BINARY_DIR}/latelyConfig.cmake ${PROJECT_BINARY_DIR}/latelyConfigVersion.cmake
    DESTINATION ${LATELY_CMAKE_DIR})
