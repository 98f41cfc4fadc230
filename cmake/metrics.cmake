# Metrics: the alerts of packaging/metrics by Prometheus's own program, and the artefact for Micrometer. The tests of the other
# exporters are those of their languages; packaging/tests/metrics.rs compares all tables with packaging/metrics/metrics.tsv.

set(LATELY_METRICS_DIR ${PROJECT_SOURCE_DIR}/packaging/metrics)
lately_find_tool(PROMTOOL promtool)
lately_can_test(can "the alerts" PYTHON3 PROMTOOL)
if(can)
    add_test(NAME metrics.rules COMMAND ${PROMTOOL} check rules ${LATELY_METRICS_DIR}/alerts.yml)
    add_test(NAME metrics.alerts COMMAND ${PROMTOOL} test rules ${LATELY_METRICS_DIR}/alerts.test.yml)
    lately_add_check(metrics.dashboard dashboard BOARD=${LATELY_METRICS_DIR}/dashboard.json PROMTOOL=${PROMTOOL})
    set_tests_properties(metrics.rules metrics.alerts metrics.dashboard PROPERTIES LABELS metrics)
endif()

# With the jar of the binding that this build made.
if(LATELY_JAVA_JAR)
    add_test(NAME java.micrometer COMMAND ${CMAKE_COMMAND} -E env JAVA_HOME=${LATELY_JDK}
        ${MVN} --batch-mode --no-transfer-progress --file ${PROJECT_SOURCE_DIR}/bindings/java-metrics/pom.xml
        -Dlately.jar=${LATELY_JAVA_JAR} -Dlately.build=${LATELY_JAVA_DIR}/micrometer clean package)
    lately_java_test(java.micrometer)
endif()
