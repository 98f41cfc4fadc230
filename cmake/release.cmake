# `cmake --workflow --preset release`: the folder dist/ with everything that a release consists of, a bill of materials and
# the sums. docs/RELEASING.md says what a maintainer does with it.
add_custom_target(dist
    COMMAND ${CMAKE_COMMAND} -D SOURCE=${PROJECT_SOURCE_DIR} -D BUILD=${PROJECT_BINARY_DIR} -D VERSION=${PROJECT_VERSION}
            -D CARGO=${CARGO} -D HOST=${LATELY_HOST} -D SBOM=${LATELY_TOOL_DIR}/release/sbom -D MVN=${MVN}
            -D JDK=${LATELY_JDK} -D NATIVES=${LATELY_JAVA_DIR}/natives -D STAND_INS=${LATELY_JAVA_STAND_INS}
            -P ${PROJECT_SOURCE_DIR}/cmake/make_dist.cmake
    USES_TERMINAL
    VERBATIM)
add_dependencies(dist lately_rust lately_tool lately_java_jar)
