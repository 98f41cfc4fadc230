# The main job on a sample stream that it makes itself: verdicts and figures. `cmake --workflow --preset demo`.
lately_add_target(demo
    COMMAND ${LATELY_CARGO} build --release --locked -p lately-cli --target-dir ${LATELY_TOOL_DIR}
    COMMAND ${LATELY_CARGO} run --release --locked -p lately-cli --example demo --target-dir ${LATELY_TOOL_DIR})
