# The libraries of a jar for Linux with musl, as on Alpine, in the folder OUT: the core, the glue, the licences of what is in
# them. They need nothing at run time but musl: what Rust would take from gcc's shared library, it brings itself.
cmake_policy(VERSION 3.25)

find_program(MUSL_GCC musl-gcc)
if(NOT MUSL_GCC)
    message(FATAL_ERROR "musl-gcc is not installed: apt-get install musl-tools")
endif()
set(target x86_64-unknown-linux-musl)
execute_process(COMMAND ${RUSTC} --print sysroot OUTPUT_VARIABLE sysroot OUTPUT_STRIP_TRAILING_WHITESPACE
    COMMAND_ERROR_IS_FATAL ANY)
set(unwinder ${sysroot}/lib/rustlib/${target}/lib/self-contained/libunwind.a)
if(NOT EXISTS ${unwinder})
    message(FATAL_ERROR "Rust has no ${target}: rustup target add ${target}")
endif()

# Whoever asks for gcc's library to unwind with gets Rust's own.
file(MAKE_DIRECTORY ${CARGO_DIR}/unwind ${OUT})
file(WRITE ${CARGO_DIR}/unwind/libgcc_s.so "INPUT(${unwinder})\n")
string(ASCII 31 between)
string(JOIN "${between}" flags "${FLAGS}" -Ctarget-feature=-crt-static -Lnative=${CARGO_DIR}/unwind)
execute_process(COMMAND ${CMAKE_COMMAND} -E env --unset=MAKEFLAGS CARGO_ENCODED_RUSTFLAGS=${flags}
        CARGO_PROFILE_RELEASE_STRIP=symbols CARGO_TARGET_X86_64_UNKNOWN_LINUX_MUSL_LINKER=${MUSL_GCC}
        ${CARGO} rustc --release --locked -p lately-capi --lib --crate-type cdylib --target ${target}
        --target-dir ${CARGO_DIR}
    WORKING_DIRECTORY ${SOURCE} COMMAND_ERROR_IS_FATAL ANY)
file(COPY_FILE ${CARGO_DIR}/${target}/release/liblately.so ${OUT}/liblately.so.${ABI})

list(TRANSFORM JNI_INCLUDES PREPEND -I)
set(native ${SOURCE}/bindings/java/src/main/native)
execute_process(COMMAND ${MUSL_GCC} -std=c11 -shared -fPIC -O2 -g0 -Wall -Wextra -Wpedantic -Wconversion -Werror
        -I${SOURCE}/include ${JNI_INCLUDES} ${native}/lately_jni.c -Wl,--version-script=${native}/exports.map
        -Wl,--no-undefined -Wl,-rpath,$ORIGIN -Wl,-s -L${OUT} -l:liblately.so.${ABI} -o ${OUT}/liblately_jni.so
    COMMAND_ERROR_IS_FATAL ANY)
execute_process(COMMAND ${LICENCES} ${SOURCE} lately-capi ${target} OUTPUT_FILE ${OUT}/THIRD-PARTY.txt
    COMMAND_ERROR_IS_FATAL ANY)
