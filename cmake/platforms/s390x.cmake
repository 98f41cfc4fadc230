# Toolchain: Linux on s390x, which is big-endian. A byte order that the code takes for granted fails here.
set(CMAKE_SYSTEM_PROCESSOR s390x)
set(LATELY_LIBC s390x)
include(${CMAKE_CURRENT_LIST_DIR}/linux.cmake)
