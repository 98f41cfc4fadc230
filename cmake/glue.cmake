# The glue between Java and the library, and beside it the library: what a jar has for one platform.
#   ${LATELY_JAVA_DIR}/natives/native/<os>-<arch>/     both, with the licences of what is in them, made by the target
#                                                      lately_jni

lately_find_tool(JAVAC javac)
include(cmake/jdks.cmake)
if(JAVAC)
    lately_find_jdks(LATELY_JDK_HOMES ${JAVAC})
    if(NOT LATELY_JDK_HOMES)
        lately_lacks(JAVAC "no JDK of Java 11 or later with jni.h is installed")
    endif()
endif()
lately_can_test(can "Java" JAVAC)
if(NOT can)
    return()
endif()

set(LATELY_JAVA_SOURCE ${PROJECT_SOURCE_DIR}/bindings/java)
set(LATELY_JAVA_DIR ${PROJECT_BINARY_DIR}/java)
list(GET LATELY_JDK_HOMES 0 LATELY_JDK)

# The folder in the jar, as Platform.java names it.
string(TOLOWER ${CMAKE_SYSTEM_NAME} LATELY_JAVA_OS)
string(REPLACE darwin macos LATELY_JAVA_OS ${LATELY_JAVA_OS})
string(TOLOWER ${CMAKE_SYSTEM_PROCESSOR} LATELY_JAVA_ARCH)
string(REPLACE amd64 x86_64 LATELY_JAVA_ARCH ${LATELY_JAVA_ARCH})
string(REPLACE arm64 aarch64 LATELY_JAVA_ARCH ${LATELY_JAVA_ARCH})
set(LATELY_JAVA_PLATFORM ${LATELY_JAVA_OS}-${LATELY_JAVA_ARCH})
set(LATELY_JAVA_NATIVES ${LATELY_JAVA_DIR}/natives/native/${LATELY_JAVA_PLATFORM})

file(GLOB LATELY_JAVA_CLASSES CONFIGURE_DEPENDS ${LATELY_JAVA_SOURCE}/src/main/java/dev/lately/*.java)
set(LATELY_JNI_HEADER ${LATELY_JAVA_DIR}/headers/dev_lately_Native.h)
# javac writes the header only; the classes are thrown away, the jar has those of Maven.
add_custom_command(OUTPUT ${LATELY_JNI_HEADER}
    COMMAND ${LATELY_JDK}/bin/javac --release 11 -h ${LATELY_JAVA_DIR}/headers -d ${LATELY_JAVA_DIR}/headers/classes
            ${LATELY_JAVA_CLASSES}
    COMMAND ${CMAKE_COMMAND} -E touch ${LATELY_JNI_HEADER}
    DEPENDS ${LATELY_JAVA_CLASSES}
    VERBATIM)

# find_package(JNI) of CMake 3.25 does not find every JDK, and the folder is known. What differs by system is in a folder
# of its own, which a JDK has for its own system only.
set(LATELY_JNI_INCLUDES ${LATELY_JDK}/include ${LATELY_JDK}/include/${LATELY_JAVA_OS})
if(APPLE)
    set(LATELY_JNI_INCLUDES ${LATELY_JDK}/include ${LATELY_JDK}/include/darwin)
elseif(WIN32)
    set(LATELY_JNI_INCLUDES ${LATELY_JAVA_SOURCE}/src/main/native/windows ${LATELY_JDK}/include)
endif()

set(LATELY_JNI_MAP ${LATELY_JAVA_SOURCE}/src/main/native/exports.map)
add_library(lately_jni MODULE ${LATELY_JAVA_SOURCE}/src/main/native/lately_jni.c ${LATELY_JNI_HEADER})
target_include_directories(lately_jni PRIVATE ${LATELY_JAVA_DIR}/headers ${LATELY_JNI_INCLUDES})
target_compile_options(lately_jni PRIVATE -O3 -g0 -Wall -Wextra -Wpedantic -Wconversion -Werror)
target_link_libraries(lately_jni PRIVATE lately::shared)
set_target_properties(lately_jni PROPERTIES
    C_STANDARD 11 C_EXTENSIONS OFF C_VISIBILITY_PRESET default
    LIBRARY_OUTPUT_DIRECTORY ${LATELY_JAVA_NATIVES}
    # A new library is copied beside it, also where the linker sees only what it exports.
    LINK_DEPENDS "${LATELY_JNI_MAP};${LATELY_SHARED}"
    # Beside the core, wherever that is: what the loader does, for systems that look for the file.
    BUILD_WITH_INSTALL_RPATH ON INSTALL_RPATH "$<IF:$<PLATFORM_ID:Darwin>,@loader_path,$ORIGIN>")
if(WIN32)
    set_target_properties(lately_jni PROPERTIES PREFIX "")
elseif(NOT APPLE)
    target_link_options(lately_jni PRIVATE -Wl,--version-script=${LATELY_JNI_MAP} -Wl,--no-undefined)
endif()
add_custom_command(TARGET lately_jni POST_BUILD
    COMMAND ${CMAKE_COMMAND} -E copy_if_different ${LATELY_SHARED} ${LATELY_JAVA_NATIVES}/${LATELY_SONAME}
    VERBATIM)

# What others wrote of the library, with its terms: a jar is handed on without any other package of ours.
set(LATELY_JAVA_LICENCES ${LATELY_JAVA_NATIVES}/THIRD-PARTY.txt)
add_custom_target(lately_java_licences
    COMMAND ${CMAKE_COMMAND} -E make_directory ${LATELY_JAVA_NATIVES}
    COMMAND ${CMAKE_COMMAND} -E copy_if_different ${LATELY_LICENCES_DIR}/THIRD-PARTY-library.txt ${LATELY_JAVA_LICENCES}
    BYPRODUCTS ${LATELY_JAVA_LICENCES}
    VERBATIM)
add_dependencies(lately_java_licences lately_tool)
add_dependencies(lately_jni lately_java_licences)

# ---- stand-ins for tests: a library with a mistake on purpose, and a core of long ago with today's glue ----

set(LATELY_JAVA_STAND_INS ${LATELY_JAVA_DIR}/stand-ins)
add_library(lately_java_faulty MODULE ${LATELY_JAVA_SOURCE}/src/test/native/faulty.c)
target_include_directories(lately_java_faulty PRIVATE ${LATELY_JNI_INCLUDES})
set_target_properties(lately_java_faulty PROPERTIES
    OUTPUT_NAME faulty LIBRARY_OUTPUT_DIRECTORY ${LATELY_JAVA_STAND_INS})
add_library(lately_java_old SHARED ${LATELY_JAVA_SOURCE}/src/test/native/old.c)
set_target_properties(lately_java_old PROPERTIES
    OUTPUT_NAME lately SOVERSION ${LATELY_ABI}
    # A new glue is copied beside it.
    LINK_DEPENDS $<TARGET_FILE:lately_jni>
    LIBRARY_OUTPUT_DIRECTORY ${LATELY_JAVA_STAND_INS}/old RUNTIME_OUTPUT_DIRECTORY ${LATELY_JAVA_STAND_INS}/old)
if(WIN32)
    set_target_properties(lately_java_faulty lately_java_old PROPERTIES PREFIX "")
elseif(NOT APPLE)
    # Its functions have versions as those of every release have: without them the dynamic linker itself would stop.
    target_link_options(lately_java_old PRIVATE -Wl,--version-script=${PROJECT_SOURCE_DIR}/cmake/lately.map)
endif()
add_dependencies(lately_java_old lately_jni)
add_custom_command(TARGET lately_java_old POST_BUILD
    COMMAND ${CMAKE_COMMAND} -E copy_if_different $<TARGET_FILE:lately_jni> ${LATELY_JAVA_STAND_INS}/old
    VERBATIM)
