# C++ by Meson.

set(ENV{CXX} ${CXX})
run(${MESON} setup -D linkage=${LINKAGE} build)
run(${MESON} compile -C build)
check_program(build/verdicts)
