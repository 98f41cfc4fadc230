# A crate, with nothing but the packed file of the library: what a registry would serve.

run(${CARGO} package --manifest-path ${SOURCE}/Cargo.toml -p lately --locked --no-verify --allow-dirty --quiet
    --target-dir ${room}/target)
file(GLOB packed ${room}/target/package/lately-*.crate)
file(ARCHIVE_EXTRACT INPUT ${packed} DESTINATION ${room})
get_filename_component(folder ${packed} NAME_WLE)

# The versions of the library's own dependencies that this machine has.
file(COPY_FILE ${SOURCE}/Cargo.lock ${project}/Cargo.lock)
run(${CARGO} build --offline --quiet --config "patch.crates-io.lately.path='${room}/${folder}'"
    --target-dir ${room}/target)
check_verdicts(${room}/target/debug/verdicts)
