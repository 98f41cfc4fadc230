# Lays what a release of the Java binding is beside each other in TO: the jar, its sources, its documentation, its pom.
cmake_policy(VERSION 3.25)

set(name lately-${VERSION})
foreach(file ${name}.jar ${name}-sources.jar ${name}-javadoc.jar)
    if(NOT EXISTS ${FROM}/${file})
        message(FATAL_ERROR "Maven made no ${file}")
    endif()
    file(COPY ${FROM}/${file} DESTINATION ${TO})
endforeach()
file(COPY_FILE ${CMAKE_CURRENT_LIST_DIR}/../bindings/java/pom.xml ${TO}/${name}.pom)
message(STATUS "java: ${name}.jar, sources, documentation and pom are in ${TO}")
