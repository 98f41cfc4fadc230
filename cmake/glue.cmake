# The native library of a jar for one platform: the core, and the glue between it and Java, linked into one.
#   ${LATELY_JAVA_DIR}/natives/native/<os>-<arch>/     it, with the licences of what is in it, made by the target lately_jni

lately_find_tool(JAVAC javac)
include(cmake/jdks.cmake)
if(JAVAC)
    lately_find_jdks(LATELY_JDK_HOMES ${JAVAC})
    if(NOT LATELY_JDK_HOMES)
        lately_lacks(JAVAC "no JDK of Java 11 or later with jni.h is installed")
    endif()
endif()
lately_need_tools("Java" JAVAC)

set(LATELY_JAVA_SOURCE ${PROJECT_SOURCE_DIR}/bindings/java)
set(LATELY_JAVA_DIR ${PROJECT_BINARY_DIR}/java)
list(GET LATELY_JDK_HOMES 0 LATELY_JDK)

# The folder in the jar, as Platform.java names it.
string(TOLOWER ${CMAKE_SYSTEM_NAME} system)
string(REPLACE darwin macos LATELY_JAVA_OS ${system})
string(TOLOWER ${CMAKE_SYSTEM_PROCESSOR} LATELY_JAVA_ARCH)
string(REPLACE amd64 x86_64 LATELY_JAVA_ARCH ${LATELY_JAVA_ARCH})
string(REPLACE arm64 aarch64 LATELY_JAVA_ARCH ${LATELY_JAVA_ARCH})
set(LATELY_JAVA_NATIVES ${LATELY_JAVA_DIR}/natives/native/${LATELY_JAVA_OS}-${LATELY_JAVA_ARCH})

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
set(LATELY_JNI_INCLUDES ${LATELY_JDK}/include ${LATELY_JDK}/include/${system})
if(WIN32)
    set(LATELY_JNI_INCLUDES ${LATELY_JAVA_SOURCE}/src/main/native/windows ${LATELY_JDK}/include)
endif()

set(LATELY_JNI_MAP ${LATELY_JAVA_SOURCE}/src/main/native/exports.map)
add_library(lately_jni MODULE ${LATELY_JAVA_SOURCE}/src/main/native/lately_jni.c ${LATELY_JNI_HEADER})
target_include_directories(lately_jni PRIVATE ${LATELY_JAVA_DIR}/headers ${LATELY_JNI_INCLUDES})
target_compile_options(lately_jni PRIVATE -O3 -g0 -Wall -Wextra -Wpedantic -Wconversion -Werror)
# The archive, so that no other version in the process, by the same name, can take the place of the core.
target_link_libraries(lately_jni PRIVATE lately::static)
set_target_properties(lately_jni PROPERTIES
    C_STANDARD 11 C_EXTENSIONS OFF C_VISIBILITY_PRESET default
    LIBRARY_OUTPUT_DIRECTORY ${LATELY_JAVA_NATIVES}
    LINK_DEPENDS "${LATELY_JNI_MAP};${LATELY_STATIC}")
if(WIN32)
    set_target_properties(lately_jni PROPERTIES PREFIX "")
    target_link_options(lately_jni PRIVATE -static -Wl,--exclude-libs,ALL -s)
elseif(NOT APPLE)
    target_link_options(lately_jni PRIVATE -Wl,--version-script=${LATELY_JNI_MAP} -Wl,--no-undefined -Wl,--gc-sections
        -Wl,-z,relro,-z,now -Wl,-z,noexecstack -Wl,--as-needed -s)
    # Rust unwinds by it; every C compiler has it.
    target_link_libraries(lately_jni PRIVATE -lgcc_s)
endif()

# What others wrote of the library, with its terms: a jar is handed on without any other package of ours.
set(LATELY_JAVA_LICENCES ${LATELY_JAVA_NATIVES}/THIRD-PARTY.txt)
add_custom_target(lately_java_licences
    COMMAND ${CMAKE_COMMAND} -E make_directory ${LATELY_JAVA_NATIVES}
    COMMAND ${CMAKE_COMMAND} -E copy_if_different ${LATELY_LICENCES_DIR}/THIRD-PARTY-library.txt ${LATELY_JAVA_LICENCES}
    BYPRODUCTS ${LATELY_JAVA_LICENCES}
    VERBATIM)
add_dependencies(lately_java_licences lately_tool)
add_dependencies(lately_jni lately_java_licences)

# ---- stand-ins for tests: a library with a mistake on purpose, that of a release of long ago, and another core ----

set(LATELY_JAVA_STAND_INS ${LATELY_JAVA_DIR}/stand-ins)
add_library(lately_java_faulty MODULE ${LATELY_JAVA_SOURCE}/src/test/native/faulty.c)
add_library(lately_java_old MODULE ${LATELY_JAVA_SOURCE}/src/test/native/old_glue.c)
add_library(lately_java_core SHARED ${LATELY_JAVA_SOURCE}/src/test/native/other_core.c)
foreach(library lately_java_faulty lately_java_old)
    target_include_directories(${library} PRIVATE ${LATELY_JNI_INCLUDES})
endforeach()
set_target_properties(lately_java_faulty PROPERTIES
    OUTPUT_NAME faulty LIBRARY_OUTPUT_DIRECTORY ${LATELY_JAVA_STAND_INS})
set_target_properties(lately_java_old PROPERTIES
    OUTPUT_NAME lately_jni LIBRARY_OUTPUT_DIRECTORY ${LATELY_JAVA_STAND_INS}/old)
set_target_properties(lately_java_core PROPERTIES
    OUTPUT_NAME lately SOVERSION ${LATELY_ABI}
    LIBRARY_OUTPUT_DIRECTORY ${LATELY_JAVA_STAND_INS}/core RUNTIME_OUTPUT_DIRECTORY ${LATELY_JAVA_STAND_INS}/core)
if(WIN32)
    set_target_properties(lately_java_faulty lately_java_old lately_java_core PROPERTIES PREFIX "")
elseif(NOT APPLE)
    # Its functions have versions as those of every release have.
    target_link_options(lately_java_core PRIVATE -Wl,--version-script=${PROJECT_SOURCE_DIR}/cmake/lately.map)
endif()
