# The projects of examples/consumers/, built and run by packaging/checks/consumer.py: against an installation
# that was moved, the published module, jar or crate; and against the Debian packages, installed in a root of their own.

lately_need_tools("the consumer projects" PYTHON3)

lately_find_tool(MAKE make)
if(NOT CMAKE_OBJDUMP)
    lately_lacks(CMAKE_OBJDUMP "objdump is not installed")
endif()
# The roads, and the tools that each needs.
set(roads cmake make meson go)
set(needs_cmake CXX)
set(needs_make MAKE PKG_CONFIG)
set(needs_meson MESON NINJA CXX PKG_CONFIG)
set(needs_go GO PKG_CONFIG)
# For another platform: what CMake is told of it, who runs the programs, and the roads that need nothing else there.
set(cross)
if(CMAKE_CROSSCOMPILING)
    set(roads cmake make)
    set(told -DCMAKE_SYSTEM_NAME=${CMAKE_SYSTEM_NAME} -DCMAKE_SYSTEM_PROCESSOR=${CMAKE_SYSTEM_PROCESSOR})
    if(WIN32)
        list(APPEND told -DCMAKE_EXE_LINKER_FLAGS=-static)
    endif()
    list(JOIN told " " told)
    list(JOIN CMAKE_CROSSCOMPILING_EMULATOR " " emulator)
    set(cross "TOLD=${told}" "EMULATOR=${emulator}" SUFFIX=${CMAKE_EXECUTABLE_SUFFIX})
else()
    lately_find_tool(MESON meson)
    lately_find_tool(NINJA ninja ninja-build samu)
endif()

# What the check of a project needs to know of this build.
set(LATELY_CONSUMER_FACTS
    LIBDIR=${CMAKE_INSTALL_LIBDIR} SONAME=${LATELY_SONAME} OBJDUMP=${CMAKE_OBJDUMP} CC=${CMAKE_C_COMPILER}
    CXX=${CMAKE_CXX_COMPILER} PKG_CONFIG=${PKG_CONFIG} MAKE=${MAKE} MESON=${MESON} GO=${GO} CARGO=${CARGO} MVN=${MVN}
    JDK=${LATELY_JDK} ${cross})

# consumer.<road>[.<linkage>], with the rest of the arguments for its check.
function(lately_add_consumer road linkage)
    set(name consumer.${road}.${linkage})
    lately_add_check(${name} consumer ROAD=${road} LINKAGE=${linkage} ${LATELY_CONSUMER_FACTS} ${ARGN})
    set_tests_properties(${name} PROPERTIES FIXTURES_REQUIRED prefix LABELS consumer)
endfunction()

set(open_roads)
foreach(road IN LISTS roads)
    lately_can_test(can "the consumer project with ${road}" ${needs_${road}} CMAKE_OBJDUMP)
    if(can)
        list(APPEND open_roads ${road})
        foreach(linkage shared static)
            lately_add_consumer(${road} ${linkage} PREFIX=${LATELY_PREFIX})
        endforeach()
    endif()
endforeach()
if(CMAKE_CROSSCOMPILING)
    return()
endif()
if(go IN_LIST open_roads)
    set_tests_properties(consumer.go.shared consumer.go.static PROPERTIES RESOURCE_LOCK go)
endif()
if(CMAKE_CXX_COMPILER)
    lately_add_consumer(fetch shared CARGO_DIR=${LATELY_CARGO_DIR})
    set_tests_properties(consumer.fetch.shared PROPERTIES RESOURCE_LOCK cargo)
endif()
if(LATELY_JAVA_JAR)
    set(published JAR=${LATELY_JAVA_JAR} POM=${PROJECT_SOURCE_DIR}/bindings/java/pom.xml)
    lately_add_consumer(maven jar ${published})
    lately_find_tool(GRADLE gradle)
    lately_can_test(can "the consumer project with Gradle" GRADLE)
    if(can)
        lately_add_consumer(gradle jar ${published} GRADLE=${GRADLE})
    endif()
endif()
lately_add_consumer(cargo crate)
set_tests_properties(consumer.cargo.crate PROPERTIES RESOURCE_LOCK cargo)

# cpack's packages for Debian.
lately_find_tool(DPKG dpkg)
lately_find_tool(FILE_PROGRAM file)
lately_find_tool(SHLIBDEPS dpkg-shlibdeps)
lately_find_tool(LINTIAN lintian)
lately_need_tools("Debian packages" DPKG FILE_PROGRAM SHLIBDEPS LINTIAN)
list(JOIN open_roads "," open_roads)
lately_add_check(package.debs debs BUILD=${PROJECT_BINARY_DIR} DPKG=${DPKG} LINTIAN=${LINTIAN} VERSION=${PROJECT_VERSION}
    LIST=${PROJECT_SOURCE_DIR}/tests/installed.txt ABI=${LATELY_ABI} ROADS=${open_roads} ${LATELY_CONSUMER_FACTS})
set_tests_properties(package.debs PROPERTIES LABELS consumer RESOURCE_LOCK go COST 90)
