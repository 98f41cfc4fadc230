# Tries the search for complaints of -Xcheck:jni: with one planted fault Maven's tests pass, and the run must fail for it.

execute_process(COMMAND ${CMAKE_COMMAND} -E env JAVA_HOME=${JDK} ${MVN} --batch-mode --no-transfer-progress
    --file ${POM} -Dlately.build=${BUILD} -Dlately.natives=${NATIVES} -Dlately.stand-ins=${STAND_INS}
    -Dmaven.javadoc.skip=true -Dtest=PlantedFault -Dit.test=JniReportsIT clean verify
    OUTPUT_VARIABLE output ERROR_VARIABLE output RESULT_VARIABLE result)
if(NOT output MATCHES "Tests run: 1, Failures: 0, Errors: 0, Skipped: 0")
    message(FATAL_ERROR "the planted fault did not run:\n${output}")
endif()
if(result EQUAL 0 OR NOT output MATCHES "theTestsLeftNoComplaintOfTheJvm[^\n]*(WARNING in native method[^\n]*)\n")
    message(FATAL_ERROR "the planted fault was not found:\n${output}")
endif()
message(STATUS "the run with a planted fault failed as it must: ${CMAKE_MATCH_1}")
