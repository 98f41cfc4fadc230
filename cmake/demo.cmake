# The main job on a sample stream that it makes itself: verdicts and figures. `cmake --workflow --preset demo`.
add_custom_target(demo
    COMMAND ${CARGO} build --release --locked -p lately-cli
    COMMAND ${CARGO} run --release --locked -p lately-cli --example demo
    WORKING_DIRECTORY ${PROJECT_SOURCE_DIR}
    USES_TERMINAL
    VERBATIM)
