# The main job on a sample stream that it makes itself: verdicts and figures. `cmake --workflow --preset demo`.
set(LATELY_DEMO ${CARGO} run --release --locked -p lately-cli --example demo)

add_custom_target(demo
    COMMAND ${LATELY_DEMO}
    WORKING_DIRECTORY ${PROJECT_SOURCE_DIR}
    USES_TERMINAL
    VERBATIM)
