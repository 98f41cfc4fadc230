# C++, if there is a compiler: CMake ends the configuration if a language has none, so it is asked about that first.

# Tried again as long as there is none: it is installed between two runs.
if(NOT CMAKE_CXX_COMPILER)
    unset(CMAKE_CXX_COMPILER CACHE)
endif()
if(NOT DEFINED CMAKE_CXX_COMPILER AND NOT DEFINED ENV{CXX})
    # As the other tools: what the PATH does not have is not there.
    find_program(LATELY_CXX NAMES c++ g++ clang++ icpx NO_CACHE NO_CMAKE_SYSTEM_PATH)
endif()
if(DEFINED CMAKE_CXX_COMPILER OR DEFINED ENV{CXX} OR LATELY_CXX)
    include(CheckLanguage)
    check_language(CXX)
endif()
if(CMAKE_CXX_COMPILER)
    enable_language(CXX)
else()
    lately_lacks(CXX "no C++ compiler is installed")
endif()
