# The library for Linux with musl, as on Alpine, on ARCH. The folder OUT gets liblately.a, that once more with
# names of its own (liblately_musl.a), and the licences of what is in them. They need nothing but musl: what Rust would
# take from gcc's library to unwind the stack, they bring themselves. All are made of one object, as cmake/one_object.cmake does
# it for this machine.
cmake_policy(VERSION 3.25)
include(${CMAKE_CURRENT_LIST_DIR}/musl_compiler.cmake)

function(run)
    execute_process(COMMAND ${ARGN} WORKING_DIRECTORY ${SOURCE} COMMAND_ERROR_IS_FATAL ANY)
endfunction()

set(target ${ARCH}-unknown-linux-musl)
execute_process(COMMAND ${RUSTC} --print sysroot OUTPUT_VARIABLE sysroot OUTPUT_STRIP_TRAILING_WHITESPACE
    COMMAND_ERROR_IS_FATAL ANY)
set(unwinder ${sysroot}/lib/rustlib/${target}/lib/self-contained/libunwind.a)
if(NOT EXISTS ${unwinder})
    message(FATAL_ERROR "Rust has no ${target}: rustup target add ${target}")
endif()
file(MAKE_DIRECTORY ${OUT})
string(ASCII 31 between)
run(${CMAKE_COMMAND} -E env --unset=MAKEFLAGS "CARGO_ENCODED_RUSTFLAGS=${FLAGS}${between}-Ctarget-feature=-crt-static"
    CARGO_PROFILE_RELEASE_STRIP=symbols ${CARGO} rustc --release --locked -p lately-capi --lib --crate-type staticlib
    --target ${target} --target-dir ${CARGO_DIR})

set(symbols ${SOURCE}/tests/symbols.txt)
file(STRINGS ${symbols} roots)
list(TRANSFORM roots PREPEND "-Wl,--undefined=")
run(${MUSL_CC} -r -nostdlib -Wl,--gc-sections -Wl,--force-group-allocation ${roots}
    -o ${OUT}/lately.o ${CARGO_DIR}/${target}/release/liblately.a ${unwinder})
run(${MUSL_TOOLS}strip --strip-debug -R .llvmbc -R .llvmcmd ${OUT}/lately.o)
run(${MUSL_TOOLS}objcopy --keep-global-symbols=${symbols} ${OUT}/lately.o)
file(REMOVE ${OUT}/liblately.a)
run(${MUSL_TOOLS}ar rcsD ${OUT}/liblately.a ${OUT}/lately.o)
# For who may meet both this library and that for glibc on one line of a linker: lately_x is lately_musl_x.
list(TRANSFORM roots REPLACE ".*=lately_(.*)" "lately_\\1 lately_musl_\\1")
list(JOIN roots "\n" names)
file(WRITE ${OUT}/names.txt "${names}\n")
run(${MUSL_TOOLS}objcopy --redefine-syms=${OUT}/names.txt ${OUT}/lately.o)
file(REMOVE ${OUT}/liblately_musl.a)
run(${MUSL_TOOLS}ar rcsD ${OUT}/liblately_musl.a ${OUT}/lately.o)
file(REMOVE ${OUT}/lately.o ${OUT}/names.txt)

execute_process(COMMAND ${LICENCES} ${SOURCE} lately-capi ${target} OUTPUT_VARIABLE licences COMMAND_ERROR_IS_FATAL ANY)
file(WRITE ${OUT}/THIRD-PARTY.txt "${licences}\nWhat unwinds the stack is LLVM's libunwind, as Rust brings it: \
Apache-2.0 WITH LLVM-exception, which asks for no\nnotice of what is linked into a program.\n")
