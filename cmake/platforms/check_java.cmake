# The Java suite on a Java for Windows under Wine: every test class, over the packed jar, with the JVM's check of native
# calls. That check only prints, so what it prints is looked for, as JniReportsIT does with Maven's reports. PrintWarnings
# is off for warnings of the JVM itself, to which Wine does not tell how its processors are grouped; and Java's own list of
# networks, from which it draws random numbers, has no more local references than it asked for without IPv6.
# What needs the memory limit of a Unix shell is left out, and nothing else. Time limits are off: threads start slowly
# there; ctest has a limit for the whole.
cmake_policy(VERSION 3.25)

# The folders of this machine as Wine has them.
foreach(folder JAR LAUNCHER TESTS SOURCE NATIVES STAND_INS)
    set(${folder} "Z:${${folder}}")
endforeach()
# A Java that was made without the flight recorder has no test of it.
execute_process(COMMAND ${WINE} ${JRE}/bin/java.exe --list-modules OUTPUT_VARIABLE modules COMMAND_ERROR_IS_FATAL ANY)
set(without)
if(NOT modules MATCHES "jdk\\.jfr@")
    set(without --exclude-classname=.*FlightRecorderTest)
endif()
execute_process(COMMAND ${WINE} ${JRE}/bin/java.exe -XX:+UseSerialGC -Xms160m -Xmx160m -XX:+AlwaysPreTouch -Xcheck:jni
        -XX:-PrintWarnings -Djava.net.preferIPv4Stack=true
        "-Dlately.child.options=-XX:+UseSerialGC -Xmx64m -XX:-PrintWarnings -Djava.net.preferIPv4Stack=true"
        --enable-native-access=ALL-UNNAMED -Dlately.root=${SOURCE} -Dlately.jar=${JAR} -Dlately.platforms=windows-x86_64
        -Dlately.test.natives=${NATIVES} -Dlately.faulty=${STAND_INS}/faulty.dll -Dlately.old=${STAND_INS}/old
        -Dlately.other.core=${STAND_INS}/core/lately.dll
        -cp "${JAR}\;${TESTS}\;${LAUNCHER}" org.junit.platform.console.ConsoleLauncher execute --disable-banner
        --disable-ansi-colors --details=tree "--scan-classpath=${TESTS}" --include-classname=.*\(Test|IT\)
        --exclude-classname=.*JniReportsIT ${without}
        "--exclude-methodname=.*#aSystemWithoutMemoryIsToldAndSurvived"
        --config=junit.jupiter.execution.timeout.mode=disabled
    OUTPUT_VARIABLE output ERROR_VARIABLE output RESULT_VARIABLE result)
message("${output}")
if(NOT result EQUAL 0)
    message(FATAL_ERROR "the suite ended with ${result}")
endif()
if(output MATCHES "(WARNING|FATAL ERROR) in native|WARNING: JNI |JNI local refs|unhandled exception in native")
    message(FATAL_ERROR "the JVM complains of a native call: ${CMAKE_MATCH_0}")
endif()
foreach(none "containers failed" "containers skipped" "tests failed" "tests skipped" "tests aborted")
    if(NOT output MATCHES "\\[ +0 ${none}")
        message(FATAL_ERROR "not every test ran and passed: ${none}")
    endif()
endforeach()
if(NOT output MATCHES "\\[ +([0-9]+) tests successful" OR CMAKE_MATCH_1 LESS 100)
    message(FATAL_ERROR "${CMAKE_MATCH_1} tests are not the suite")
endif()
message(STATUS "java: ${CMAKE_MATCH_1} tests passed on Windows' Java under Wine")
