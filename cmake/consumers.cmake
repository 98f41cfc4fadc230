# The projects of examples/consumers/, built and run by cmake/consumers/check.cmake: against an installation that was
# moved, the published module, jar or crate; and against the Debian packages, installed in a root of their own.

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
    set(cross -D "TOLD=${told}" -D "EMULATOR=${emulator}" -D SUFFIX=${CMAKE_EXECUTABLE_SUFFIX})
else()
    lately_find_tool(MESON meson)
    lately_find_tool(NINJA ninja ninja-build samu)
endif()

# What the check of a project needs to know of this build.
set(LATELY_CONSUMER_FACTS
    -D SOURCE=${PROJECT_SOURCE_DIR} -D LIBDIR=${CMAKE_INSTALL_LIBDIR} -D SONAME=${LATELY_SONAME}
    -D OBJDUMP=${CMAKE_OBJDUMP} -D CC=${CMAKE_C_COMPILER} -D CXX=${CMAKE_CXX_COMPILER} -D PKG_CONFIG=${PKG_CONFIG}
    -D MAKE=${MAKE} -D MESON=${MESON} -D GO=${GO} -D CARGO=${CARGO} -D MVN=${MVN} -D JDK=${LATELY_JDK} ${cross})

# consumer.<road>[.<linkage>], with the rest of the arguments for its check.
function(lately_add_consumer road linkage)
    set(name consumer.${road}.${linkage})
    add_test(NAME ${name} COMMAND ${CMAKE_COMMAND} -D ROAD=${road} -D LINKAGE=${linkage} ${LATELY_CONSUMER_FACTS}
        ${ARGN} -P ${PROJECT_SOURCE_DIR}/cmake/consumers/check.cmake)
    set_tests_properties(${name} PROPERTIES FIXTURES_REQUIRED prefix LABELS consumer)
endfunction()

set(open_roads)
foreach(road IN LISTS roads)
    lately_can_test(can "the consumer project with ${road}" ${needs_${road}} CMAKE_OBJDUMP)
    if(can)
        list(APPEND open_roads ${road})
        foreach(linkage shared static)
            lately_add_consumer(${road} ${linkage} -D PREFIX=${LATELY_PREFIX})
        endforeach()
    endif()
endforeach()
if(CMAKE_CROSSCOMPILING)
    return()
endif()
if(go IN_LIST open_roads)
    set_tests_properties(consumer.go.shared consumer.go.static PROPERTIES RESOURCE_LOCK go)
endif()
if(CXX)
    lately_add_consumer(fetch shared -D TREE=${PROJECT_SOURCE_DIR} -D CARGO_DIR=${LATELY_CARGO_DIR})
    set_tests_properties(consumer.fetch.shared PROPERTIES RESOURCE_LOCK cargo)
endif()
if(LATELY_JAVA_JAR)
    set(published -D JAR=${LATELY_JAVA_JAR} -D POM=${PROJECT_SOURCE_DIR}/bindings/java/pom.xml)
    lately_add_consumer(maven jar ${published})
    lately_find_tool(GRADLE gradle)
    lately_can_test(can "the consumer project with Gradle" GRADLE)
    if(can)
        lately_add_consumer(gradle jar ${published} -D GRADLE=${GRADLE})
    endif()
endif()
lately_add_consumer(cargo crate)
set_tests_properties(consumer.cargo.crate PROPERTIES RESOURCE_LOCK cargo)

# cpack's packages for Debian.
lately_find_tool(DPKG dpkg)
lately_find_tool(FILE_PROGRAM file)
lately_find_tool(SHLIBDEPS dpkg-shlibdeps)
lately_find_tool(LINTIAN lintian)
lately_can_test(can "Debian packages" DPKG FILE_PROGRAM SHLIBDEPS LINTIAN)
if(can)
    add_test(NAME package.debs COMMAND ${CMAKE_COMMAND} -D BUILD=${PROJECT_BINARY_DIR} -D DPKG=${DPKG} -D LINTIAN=${LINTIAN}
        -D LIST=${PROJECT_SOURCE_DIR}/tests/installed.txt -D VERSION=${PROJECT_VERSION} -D ABI=${LATELY_ABI}
        "-DROADS=${open_roads}" ${LATELY_CONSUMER_FACTS} -P ${PROJECT_SOURCE_DIR}/cmake/check_debs.cmake)
    set_tests_properties(package.debs PROPERTIES LABELS consumer RESOURCE_LOCK go COST 90)
endif()
