# `cmake --install`, in three components, as a distribution has them in three packages. All of it may be moved later.
#   runtime      the shared library by its SONAME: what a program needs that was linked to it
#   development  headers, the archive, pkg-config files, the CMake package: what it takes to build one
#   tools        the command, its man pages and its completions
# Each comes with the licences of what is in it. tests/installed.txt is the list of all files, and
# tests/windows/installed.txt that of Windows.
include(GNUInstallDirs)
include(CMakePackageConfigHelpers)

if(IS_ABSOLUTE ${CMAKE_INSTALL_LIBDIR} OR IS_ABSOLUTE ${CMAKE_INSTALL_INCLUDEDIR})
    message(FATAL_ERROR "CMAKE_INSTALL_LIBDIR and CMAKE_INSTALL_INCLUDEDIR are folders inside the prefix")
endif()

# Writes what tells pkg-config and CMake where the libraries are, into the folder: they are in lib/, or wherever
# CMAKE_INSTALL_LIBDIR says in the scope of the caller, which gets LATELY_STATIC_DIR, the folder of the archive.
function(lately_write_descriptions folder)
    # From the folder of a file to the prefix.
    file(RELATIVE_PATH LATELY_PC_TO_PREFIX /${CMAKE_INSTALL_LIBDIR}/pkgconfig /)
    string(REGEX REPLACE "/$" "" LATELY_PC_TO_PREFIX ${LATELY_PC_TO_PREFIX})
    cmake_path(APPEND CMAKE_INSTALL_LIBDIR ${LATELY_STATIC_BESIDE} OUTPUT_VARIABLE LATELY_STATIC_DIR)
    cmake_path(NORMAL_PATH LATELY_STATIC_DIR)
    string(REGEX REPLACE "/$" "" LATELY_STATIC_DIR ${LATELY_STATIC_DIR})
    set(LATELY_STATIC_DIR ${LATELY_STATIC_DIR} PARENT_SCOPE)
    # Where `pkg-config --static` finds the archive, if that does not stand beside what is linked otherwise.
    set(LATELY_PC_STATIC_DIR)
    if(NOT LATELY_STATIC_DIR STREQUAL CMAKE_INSTALL_LIBDIR)
        set(LATELY_PC_STATIC_DIR "-L\${prefix}/${LATELY_STATIC_DIR} ")
    endif()
    foreach(name lately lately-static)
        configure_file(cmake/${name}.pc.in ${folder}/${name}.pc @ONLY)
    endforeach()

    # Where programs find the shared library, and what CMake must know of it beside that.
    set(LATELY_SHARED_INSTALLED ${CMAKE_INSTALL_LIBDIR})
    set(LATELY_SHARED_PROPERTIES "IMPORTED_SONAME \"${LATELY_SONAME}\"")
    if(WIN32)
        set(LATELY_SHARED_INSTALLED ${CMAKE_INSTALL_BINDIR})
        set(LATELY_SHARED_PROPERTIES
            "IMPORTED_IMPLIB \"\${PACKAGE_PREFIX_DIR}/${CMAKE_INSTALL_LIBDIR}/liblately.dll.a\"\n        INTERFACE_COMPILE_DEFINITIONS LATELY_DLL")
    endif()
    configure_package_config_file(cmake/latelyConfig.cmake.in ${folder}/latelyConfig.cmake
        INSTALL_DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/lately
        PATH_VARS LATELY_SHARED_INSTALLED LATELY_STATIC_DIR CMAKE_INSTALL_INCLUDEDIR)
endfunction()
lately_write_descriptions(${PROJECT_BINARY_DIR})
# As docs/reference/compatibility.md promises: before 1.0 a new minor version may change what is stable, after it a major one.
set(compatible SameMajorVersion)
if(PROJECT_VERSION_MAJOR EQUAL 0)
    set(compatible SameMinorVersion)
endif()
write_basic_package_version_file(${PROJECT_BINARY_DIR}/latelyConfigVersion.cmake COMPATIBILITY ${compatible})

# The names that Debian's rules give the packages; their licences lie in folders of these names.
set(LATELY_RUNTIME_PACKAGE liblately${LATELY_ABI})
set(LATELY_DEVELOPMENT_PACKAGE liblately-dev)
set(LATELY_TOOLS_PACKAGE lately)

# `install` for a component, with the licences of what others wrote of it: the library or the tool.
function(lately_install_licences component package about)
    install(FILES LICENSE-MIT LICENSE-APACHE DESTINATION ${CMAKE_INSTALL_DATADIR}/doc/${package}
        COMPONENT ${component})
    install(FILES ${LATELY_LICENCES_DIR}/THIRD-PARTY-${about}.txt DESTINATION ${CMAKE_INSTALL_DATADIR}/doc/${package}
        RENAME THIRD-PARTY.txt COMPONENT ${component})
    install(FILES cmake/copyright DESTINATION ${CMAKE_INSTALL_DATADIR}/doc/${package} COMPONENT ${component})
endfunction()

# ---- runtime ----

set(shared ${LATELY_SHARED} ${LATELY_SHARED_DIR}/${LATELY_SONAME})
set(linked ${LATELY_LIB_DIR}/${LATELY_LINK_NAME})
set(shared_dir ${CMAKE_INSTALL_LIBDIR})
if(WIN32)
    set(shared ${LATELY_SHARED})
    set(linked ${LATELY_IMPORT})
    set(shared_dir ${CMAKE_INSTALL_BINDIR})
endif()
install(FILES ${shared} DESTINATION ${shared_dir} COMPONENT runtime)
lately_install_licences(runtime ${LATELY_RUNTIME_PACKAGE} library)

# ---- development ----

install(FILES include/lately.h include/lately_file.h DESTINATION ${CMAKE_INSTALL_INCLUDEDIR} COMPONENT development)
install(FILES ${linked} DESTINATION ${CMAKE_INSTALL_LIBDIR} COMPONENT development)
if(NOT WIN32)
    install(FILES packaging/sanitizers/tsan.supp DESTINATION ${CMAKE_INSTALL_DATADIR}/lately COMPONENT development)
endif()
install(FILES ${LATELY_STATIC} DESTINATION ${LATELY_STATIC_DIR} COMPONENT development)
install(FILES ${PROJECT_BINARY_DIR}/lately.pc ${PROJECT_BINARY_DIR}/lately-static.pc
    DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig COMPONENT development)
install(FILES ${PROJECT_BINARY_DIR}/latelyConfig.cmake ${PROJECT_BINARY_DIR}/latelyConfigVersion.cmake
    DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/lately COMPONENT development)
lately_install_licences(development ${LATELY_DEVELOPMENT_PACKAGE} library)

# ---- tools ----

if(NOT LATELY_BUILD_CLI)
    return()
endif()
install(PROGRAMS ${LATELY_TOOL} DESTINATION ${CMAKE_INSTALL_BINDIR} COMPONENT tools)
if(LATELY_PAGES)
    install(FILES ${LATELY_PAGES_DIR}/lately.1 ${LATELY_PAGES_DIR}/lately-plan.1
        DESTINATION ${CMAKE_INSTALL_MANDIR}/man1 COMPONENT tools)
    install(FILES ${LATELY_PAGES_DIR}/lately.bash RENAME lately
        DESTINATION ${CMAKE_INSTALL_DATADIR}/bash-completion/completions COMPONENT tools)
    install(FILES ${LATELY_PAGES_DIR}/_lately DESTINATION ${CMAKE_INSTALL_DATADIR}/zsh/site-functions COMPONENT tools)
    install(FILES ${LATELY_PAGES_DIR}/lately.fish
        DESTINATION ${CMAKE_INSTALL_DATADIR}/fish/vendor_completions.d COMPONENT tools)
endif()
lately_install_licences(tools ${LATELY_TOOLS_PACKAGE} tool)
