# C: the functions with their types, by libabigail, and the macros. The header is what says them: artefacts.exports holds
# the built library to the same names, and tests/house/header.rs the header to the sources. Of the functions only their types
# are looked at, so each gets a body that does nothing; there is nothing of Rust in the list.

set(header ${SOURCE}/include/lately.h)
file(READ ${header} text)
string(REGEX REPLACE "(\n(LATELY_NODISCARD )?LATELY_API[^{};]*\\));" "\\1 { __builtin_trap(); }" text "${text}")
file(WRITE ${room}/lately.c "${text}")
run_into(said ${CMAKE_COMMAND} -E chdir ${room}
    ${CC} -std=c11 -g -gdwarf-4 -fPIC -shared -fno-eliminate-unused-debug-types lately.c -o liblately.so)
run_into(abi ${ABIDW} --no-corpus-path --no-comp-dir-path --no-show-locs --no-elf-needed --no-architecture
    --type-id-style hash ${room}/liblately.so)
hold(c.abi.xml "${abi}")

run_into(macros ${CC} -std=c11 -E -dM ${header})
string(REGEX MATCHALL "#define LATELY_[^\n]*" macros "${macros}")
list(SORT macros)
list(JOIN macros "\n" macros)
hold(c.macros.txt "${macros}\n")
