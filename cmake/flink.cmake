# The Flink operator (engines/flink): its tests on each Flink that it is built for, its example, and its table of figures.
#   flink.alone                             in the check: what needs no cluster
#   cmake --workflow --preset flink         the tests in their short form, the example, and a project of Gradle
#   cmake --workflow --preset flink-long    every test, which takes an hour
#   target flink_figures                    the table of engines/flink/README.md, which takes many minutes

lately_need_tools("Flink" JAVAC MVN)

set(LATELY_FLINK_DIR ${PROJECT_BINARY_DIR}/flink)
set(LATELY_FLINK_LINES 1.20 2)

# Maven for one line of Flink, with the jar of the binding that this build made.
function(lately_flink_maven output line)
    set(${output} ${CMAKE_COMMAND} -E env JAVA_HOME=${LATELY_JDK} ${MVN} --batch-mode --no-transfer-progress
        --file ${PROJECT_SOURCE_DIR}/engines/flink/pom.xml -P flink-${line} -Dlately.jar=${LATELY_JAVA_JAR}
        -Dlately.build=${LATELY_FLINK_DIR}/${line} ${ARGN} PARENT_SCOPE)
endfunction()

# In the check: what needs no cluster, on one Flink. The rest are the part `flink` of .ci/parts.
lately_flink_maven(alone 1.20 -Dlately.build=${LATELY_FLINK_DIR}/alone "-Dlately.left.out=long | figures | cluster"
    "-Dlately.jvm=-XX:TieredStopAtLevel=1 -XX:+UseSerialGC" clean test)
add_test(NAME flink.alone COMMAND ${alone})
set_tests_properties(flink.alone PROPERTIES LABELS flink ${LATELY_MAVEN_TEST})

# What does not depend on Flink is tested on one of them.
set(LATELY_FLINK_LEFT_OUT_1.20 "long | figures")
set(LATELY_FLINK_LEFT_OUT_2 "long | figures | once")

foreach(line IN LISTS LATELY_FLINK_LINES)
    lately_flink_maven(short ${line} "-Dlately.left.out=${LATELY_FLINK_LEFT_OUT_${line}}"
        "-Dlately.jvm=-XX:TieredStopAtLevel=1 -XX:+UseSerialGC" clean package)
    add_test(NAME flink.${line} COMMAND ${short})
    set_tests_properties(flink.${line} PROPERTIES LABELS flink ${LATELY_MAVEN_TEST})
    lately_flink_maven(long ${line} -Dlately.left.out=figures clean package)
    add_test(NAME flink.${line}.long COMMAND ${long})
    set_tests_properties(flink.${line}.long PROPERTIES LABELS flink-long RESOURCE_LOCK maven TIMEOUT 7200)
endforeach()

lately_flink_maven(figures 1.20 -Dlately.build=${LATELY_FLINK_DIR}/figures -Dlately.left.out=long -Dtest=FiguresTest test)
lately_add_target(flink_figures COMMAND ${figures} DEPENDS lately_java_jar)

# The example over the stream that the dedup programs are compared on, held to what an exact memory says: in this project, and in
# one of Gradle that knows nothing but the jar and the POM of the test above.
lately_flink_maven(example 1.20 -Dlately.build=${LATELY_FLINK_DIR}/example)
lately_need_tools("the example of the Flink operator" PYTHON3)
list(JOIN example "," example)
lately_add_check(flink.example flink_example ROAD=maven MAVEN=${example} STREAM=$<TARGET_FILE:dedup_stream>)
set_tests_properties(flink.example PROPERTIES LABELS flink ${LATELY_MAVEN_TEST})
lately_find_tool(GRADLE gradle)
lately_need_tools("the Flink operator from Gradle" GRADLE)
lately_add_check(flink.gradle flink_example ROAD=gradle GRADLE=${GRADLE} JDK=${LATELY_JDK} BUILT=${LATELY_FLINK_DIR}/1.20
    BINDING=${LATELY_JAVA_JAR} STREAM=$<TARGET_FILE:dedup_stream>)
set_tests_properties(flink.1.20 PROPERTIES FIXTURES_SETUP flink_jar)
set_tests_properties(flink.gradle PROPERTIES LABELS flink FIXTURES_REQUIRED flink_jar)
