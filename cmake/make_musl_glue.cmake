# What a jar has for Linux with musl on ARCH, in the folder OUT: the archive of the folder CORE and the glue between it and Java in
# one library, the licences. JNI_INCLUDES are folders, apart by commas.
cmake_policy(VERSION 3.25)
include(${CMAKE_CURRENT_LIST_DIR}/musl_compiler.cmake)

file(MAKE_DIRECTORY ${OUT})
file(COPY ${CORE}/THIRD-PARTY.txt DESTINATION ${OUT})
string(REPLACE "," ";" JNI_INCLUDES ${JNI_INCLUDES})
list(TRANSFORM JNI_INCLUDES PREPEND -I)
set(native ${SOURCE}/bindings/java/src/main/native)
execute_process(COMMAND ${MUSL_CC} -std=c11 -shared -fPIC -O3 -g0 -Wall -Wextra -Wpedantic -Wconversion -Werror
        -I${SOURCE}/include ${JNI_INCLUDES} ${native}/lately_jni.c ${CORE}/liblately.a
        -Wl,--version-script=${native}/exports.map -Wl,--no-undefined -Wl,--gc-sections -Wl,-z,relro,-z,now -Wl,-z,noexecstack
        -Wl,-s -o ${OUT}/liblately_jni.so
    COMMAND_ERROR_IS_FATAL ANY)
