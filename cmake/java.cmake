# Java: the jar of cmake/jar.cmake, that for all platforms, the tests on every JDK, and a stranger's programs.
#   ${LATELY_JAVA_DIR}/full/                       the jar for every platform that was built, with sources and
#                                                  documentation, by the target lately_java_full_jar
#   ${LATELY_DEDUP_JAVA}                           the command of examples/dedup.java

include(cmake/jar.cmake)
if(NOT LATELY_JAVA_JAR)
    return()
endif()

# ---- the libraries for musl ----

# The archive of cmake/musl.cmake with a glue of its own, when the jar for all platforms is asked for.
set(LATELY_JAVA_MUSL ${LATELY_JAVA_DIR}/musl)
list(JOIN LATELY_JNI_INCLUDES "," includes)
set(glueing)
foreach(arch IN LISTS LATELY_MUSL_ARCHS)
    list(APPEND glueing COMMAND ${CMAKE_COMMAND} -D SOURCE=${PROJECT_SOURCE_DIR} -D ARCH=${arch}
        -D OUT=${LATELY_JAVA_MUSL}/native/linux-${arch}-musl -D CORE=${LATELY_MUSL}/${arch} -D ROOM=${LATELY_MUSL}/room-${arch}
        -D JNI_INCLUDES=${LATELY_JAVA_DIR}/headers,${includes}
        -P ${PROJECT_SOURCE_DIR}/cmake/make_musl_glue.cmake)
endforeach()
lately_add_target(lately_java_musl ${glueing})
add_dependencies(lately_java_musl lately_musl lately_jni)

# ---- the jar for all platforms ----

# What this preset has built and what those of other platforms have, packed by the one who packs, tested on each.
set(LATELY_JAVA_FULL ${LATELY_JAVA_DIR}/full)
set(LATELY_JAVA_PLATFORMS linux-x86_64 linux-x86_64-musl linux-aarch64 linux-aarch64-musl windows-x86_64)
list(JOIN LATELY_JAVA_PLATFORMS "," platforms)
set(full_runs)
foreach(home IN LISTS LATELY_JDK_HOMES)
    lately_jdk_name(jdk ${home})
    list(APPEND full_runs COMMAND ${CMAKE_COMMAND} -E env JAVA_HOME=${home} ${MVN} --batch-mode --no-transfer-progress
        --file ${LATELY_JAVA_SOURCE}/pom.xml -Dlately.build=${LATELY_JAVA_FULL}/${jdk}
        -Dlately.natives=${LATELY_JAVA_FULL}/natives -Dlately.stand-ins=${LATELY_JAVA_STAND_INS}
        -Dlately.platforms=${platforms} clean verify)
endforeach()
lately_jdk_name(jdk ${LATELY_JAVA_PACKER})
set(jar ${LATELY_JAVA_FULL}/${jdk}/lately-${PROJECT_VERSION})
set(others glibc-x86_64 glibc-aarch64 windows)
list(TRANSFORM others PREPEND ${PROJECT_SOURCE_DIR}/build/)
list(JOIN others "," others)
lately_add_target(lately_java_full_jar
    COMMAND ${LATELY_RELEASE} WHAT=natives PLATFORMS=${platforms} HERE=${LATELY_JAVA_DIR}/natives MUSL=${LATELY_JAVA_MUSL}
            OTHERS=${others} OUT=${LATELY_JAVA_FULL}/natives
    ${full_runs}
    COMMAND ${CMAKE_COMMAND} -E copy ${jar}.jar ${jar}-sources.jar ${jar}-javadoc.jar ${LATELY_JAVA_FULL}
    COMMAND ${CMAKE_COMMAND} -E copy ${LATELY_JAVA_SOURCE}/pom.xml ${LATELY_JAVA_FULL}/lately-${PROJECT_VERSION}.pom
    DEPENDS lately_jni lately_java_musl lately_java_faulty lately_java_old lately_java_core)

# ---- tests ----

# Maven's local repository is not made for two at once: what needs it begins early. Maven itself runs for seconds, for which the
# first compiler of its JVM is enough.
set(LATELY_MAVEN_TEST RESOURCE_LOCK maven COST 200 ENVIRONMENT_MODIFICATION "MAVEN_OPTS=string_prepend:-XX:TieredStopAtLevel=1 ")
function(lately_java_test name)
    set_tests_properties(${name} PROPERTIES LABELS java ${LATELY_MAVEN_TEST})
endfunction()

set(stranger ${LATELY_JAVA_SOURCE}/src/test/java/stranger/Stranger.java)
lately_can_test(can "the programs on the pages for Java" PYTHON3)
# All tests and the packed jar, on every JDK that is here: that of javac in the check, the others in the part `jvm`. What does not
# depend on the JDK is done on one: in the long form a million filters on that of javac, the documentation by the one that packs.
foreach(home IN LISTS LATELY_JDK_HOMES)
    lately_jdk_name(jdk ${home})
    set(once)
    set(further .further)
    if(home STREQUAL LATELY_JDK)
        set(further "")
    endif()
    if(home STREQUAL LATELY_JDK AND "$ENV{LATELY_LONG}" STREQUAL "1")
        list(APPEND once -Dlately.filters=1000000)
    endif()
    if(NOT home STREQUAL LATELY_JAVA_PACKER)
        list(APPEND once -Dmaven.javadoc.skip=true)
    endif()
    add_test(NAME java.${jdk}${further} COMMAND ${CMAKE_COMMAND} -E env JAVA_HOME=${home}
        ${LATELY_MVN} -Dlately.build=${LATELY_JAVA_DIR}/${jdk} ${once} clean verify)
    lately_java_test(java.${jdk}${further})
    if(PYTHON3)
        lately_add_check(java.consumer.${jdk}${further} page WHAT=java JDK=${home} JAR=${LATELY_JAVA_JAR} STRANGER=${stranger}
            PAGES=${PROJECT_SOURCE_DIR}/README.md,${PROJECT_SOURCE_DIR}/docs/reference/java.md,${PROJECT_SOURCE_DIR}/docs/tutorial/java.md)
        set_tests_properties(java.consumer.${jdk}${further} PROPERTIES LABELS java)
    endif()
endforeach()

# A folder that is mounted noexec is named: where mounts can be made.
lately_find_tool(UNSHARE unshare)
if(UNSHARE)
    execute_process(COMMAND ${UNSHARE} --map-root-user --mount true RESULT_VARIABLE failed ERROR_QUIET)
    if(failed)
        lately_lacks(UNSHARE "this process may mount nothing")
    endif()
endif()
lately_can_test(can "Java's word for folders that are mounted noexec" PYTHON3 UNSHARE)
if(can AND CMAKE_SYSTEM_NAME STREQUAL Linux)
    add_test(NAME java.noexec COMMAND ${UNSHARE} --map-root-user --mount
        ${PYTHON3} -B ${PROJECT_SOURCE_DIR}/packaging/checks/java_faults.py WHAT=noexec JDK=${LATELY_JDK} JAR=${LATELY_JAVA_JAR} STRANGER=${stranger})
    set_tests_properties(java.noexec PROPERTIES LABELS java)
endif()

# The run with a fault in it, which must fail for it.
set(faults JDK=${LATELY_JDK} MVN=${MVN} POM=${LATELY_JAVA_SOURCE}/pom.xml NATIVES=${LATELY_JAVA_DIR}/natives)
if(PYTHON3)
    lately_add_check(java.planted_fault java_faults WHAT=planted_fault ${faults} BUILD=${LATELY_JAVA_DIR}/planted
        STAND_INS=${LATELY_JAVA_STAND_INS})
    lately_java_test(java.planted_fault)
endif()

# The glue under AddressSanitizer, UBSan and LeakSanitizer, in a JVM that knows of none of them.
lately_can_test(can "the Java glue under AddressSanitizer" PYTHON3 NM CC_ASAN)
if(can AND CMAKE_SYSTEM_NAME STREQUAL Linux AND CMAKE_C_COMPILER_ID STREQUAL GNU)
    set(LATELY_JAVA_ASAN ${LATELY_JAVA_DIR}/asan)
    add_library(lately_jni_asan MODULE ${LATELY_JAVA_SOURCE}/src/main/native/lately_jni.c ${LATELY_JNI_HEADER})
    target_include_directories(lately_jni_asan PRIVATE ${LATELY_JAVA_DIR}/headers ${LATELY_JNI_INCLUDES})
    target_compile_options(lately_jni_asan PRIVATE -O1 -g -fno-omit-frame-pointer -fsanitize=address,undefined
        -fno-sanitize-recover=undefined)
    target_link_options(lately_jni_asan PRIVATE -fsanitize=address,undefined)
    target_link_libraries(lately_jni_asan PRIVATE lately::static -lgcc_s)
    set_target_properties(lately_jni_asan PROPERTIES
        C_STANDARD 11 OUTPUT_NAME lately_jni LIBRARY_OUTPUT_DIRECTORY ${LATELY_JAVA_ASAN})
    lately_add_check(java.asan java_faults WHAT=asan ${faults} CC=${CMAKE_C_COMPILER} NM=${NM}
        BUILD=${LATELY_JAVA_DIR}/sanitized GLUE=${LATELY_JAVA_ASAN})
    lately_java_test(java.asan)
    lately_leave_to(jvm lately_jni_asan)
endif()

set(LATELY_DEDUP_JAVA ${LATELY_JDK}/bin/java -cp ${LATELY_JAVA_JAR} ${PROJECT_SOURCE_DIR}/examples/dedup.java)

# The middleware of docs/how-to/answer-each-request-once.md, whose packages nothing else here has. Spring 6 needs Java 17.
lately_jdk_name(jdk ${LATELY_JDK})
string(REGEX MATCH "[0-9]+" jdk ${jdk})
if(jdk GREATER_EQUAL 17)
    set(flags)
    if(jdk GREATER_EQUAL 24)
        set(flags -Dlately.flags=--enable-native-access=ALL-UNNAMED)
    endif()
    add_test(NAME java.spring COMMAND ${CMAKE_COMMAND} -E env JAVA_HOME=${LATELY_JDK} ${MVN} --batch-mode --no-transfer-progress
        --file ${PROJECT_SOURCE_DIR}/examples/spring/pom.xml -Dlately.jar=${LATELY_JAVA_JAR} -Dlately.build=${LATELY_JAVA_DIR}/spring
        ${flags} test)
    lately_java_test(java.spring)
endif()
