# The jar for this platform, with its native library in it.
#   ${LATELY_JAVA_JAR}     the jar, built by the target lately_java_jar
# It needs a JDK, Maven and what the library needs. cmake --preset jar && cmake --build --preset jar makes it and nothing else.

lately_find_tool(MVN mvn)
include(cmake/glue.cmake)
lately_need_tools("Java" JAVAC MVN)
set(LATELY_JAVA_JAR ${LATELY_JAVA_DIR}/lately.jar)

# Who packs: a JDK that knows what Java 22 and 24 have, for META-INF/versions, if there is one. It compiles for Java 11 too.
set(LATELY_JAVA_PACKER ${LATELY_JDK})
foreach(home IN LISTS LATELY_JDK_HOMES)
    lately_jdk_name(jdk ${home})
    if(jdk MATCHES "jdk([0-9]+)" AND CMAKE_MATCH_1 GREATER_EQUAL 22)
        set(LATELY_JAVA_PACKER ${home})
        break()
    endif()
endforeach()

file(GLOB LATELY_JAVA_LATER CONFIGURE_DEPENDS ${LATELY_JAVA_SOURCE}/src/main/java/module-info.java
    ${LATELY_JAVA_SOURCE}/src/main/java2[24]/dev/lately/*.java)

set(LATELY_MVN ${MVN} --batch-mode --no-transfer-progress --file ${LATELY_JAVA_SOURCE}/pom.xml
    -Dlately.natives=${LATELY_JAVA_DIR}/natives -Dlately.stand-ins=${LATELY_JAVA_STAND_INS})
add_custom_command(OUTPUT ${LATELY_JAVA_JAR}
    COMMAND ${CMAKE_COMMAND} -E env JAVA_HOME=${LATELY_JAVA_PACKER} ${LATELY_MVN} -Dlately.build=${LATELY_JAVA_DIR}/jar
            -Dmaven.test.skip=true -Dmaven.javadoc.skip=true clean package
    COMMAND ${CMAKE_COMMAND} -E copy ${LATELY_JAVA_DIR}/jar/lately-${PROJECT_VERSION}.jar ${LATELY_JAVA_JAR}
    DEPENDS ${LATELY_JAVA_CLASSES} ${LATELY_JAVA_LATER} ${LATELY_JAVA_SOURCE}/pom.xml lately_jni ${LATELY_STATIC}
            ${LATELY_JAVA_LICENCES}
    USES_TERMINAL
    VERBATIM)
add_custom_target(lately_java_jar ALL DEPENDS ${LATELY_JAVA_JAR})
