# Rust: what rustdoc says of the crate. Its JSON is not stable yet, hence RUSTC_BOOTSTRAP, for this list alone.

run_into(said ${CMAKE_COMMAND} -E env RUSTC_BOOTSTRAP=1 ${CARGO} rustdoc --quiet --locked -p lately --lib
    --manifest-path ${SOURCE}/Cargo.toml --target-dir ${DOC_DIR} -- -Z unstable-options --output-format json)
run_into(list ${CARGO_DIR}/debug/examples/interface ${DOC_DIR}/doc/lately.json)
hold(rust.txt "${list}")
