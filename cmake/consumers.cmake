# The projects of examples/consumers/, built and run by cmake/consumers/check.cmake: against an installation that was
# moved, the published module, jar or crate.

lately_require_program(MAKE make "apt-get install make")
lately_require_program(MESON meson "apt-get install meson")

# What the check of a project needs to know of this build.
set(LATELY_CONSUMER_FACTS
    -D SOURCE=${PROJECT_SOURCE_DIR} -D LIBDIR=${CMAKE_INSTALL_LIBDIR} -D SONAME=${LATELY_SONAME}
    -D READELF=${READELF} -D CC=${CMAKE_C_COMPILER} -D CXX=${CMAKE_CXX_COMPILER} -D PKG_CONFIG=${PKG_CONFIG}
    -D MAKE=${MAKE} -D MESON=${MESON} -D GO=${GO} -D CARGO=${CARGO} -D MVN=${MVN} -D JDK=${LATELY_JDK})

# consumer.<road>[.<linkage>], with the rest of the arguments for its check.
function(lately_add_consumer road linkage)
    set(name consumer.${road}.${linkage})
    add_test(NAME ${name} COMMAND ${CMAKE_COMMAND} -D ROAD=${road} -D LINKAGE=${linkage} ${LATELY_CONSUMER_FACTS}
        ${ARGN} -P ${PROJECT_SOURCE_DIR}/cmake/consumers/check.cmake)
    set_tests_properties(${name} PROPERTIES FIXTURES_REQUIRED prefix LABELS consumer)
endfunction()

foreach(road cmake make meson go)
    foreach(linkage shared static)
        lately_add_consumer(${road} ${linkage} -D PREFIX=${LATELY_PREFIX})
    endforeach()
endforeach()
set_tests_properties(consumer.go.shared consumer.go.static PROPERTIES RESOURCE_LOCK go)
lately_add_consumer(maven jar -D JAR=${LATELY_JAVA_JAR} -D POM=${PROJECT_SOURCE_DIR}/bindings/java/pom.xml)
lately_add_consumer(cargo crate)
set_tests_properties(consumer.cargo.crate PROPERTIES RESOURCE_LOCK cargo)
