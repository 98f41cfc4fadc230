# The evaluation (evaluation/), a workspace with its own lock file: `cmake --workflow --preset science`, and science-quick for
# what `.ci/run` asks when its files or the filters changed.
# The label science has the experiments in their quick form, compared with their tolerances; science-long what takes longer.

set(LATELY_SCIENCE ${PROJECT_SOURCE_DIR}/evaluation)

function(lately_add_science_test name label)
    add_test(NAME science.${name} COMMAND ${ARGN} WORKING_DIRECTORY ${PROJECT_SOURCE_DIR})
    set_tests_properties(science.${name} PROPERTIES LABELS ${label} RESOURCE_LOCK science)
endfunction()

# Compiled by the build, which has no time limit. Clippy and rustdoc share what it makes.
set(in_science --manifest-path ${LATELY_SCIENCE}/Cargo.toml)
set(all ${in_science} --workspace --locked)
lately_add_target(lately_science ALL
    COMMAND ${LATELY_HOST_CARGO} test --no-run ${all})

lately_find_component(can fmt "formatting of the evaluation")
if(can)
    lately_add_science_test(fmt science ${CARGO} fmt ${in_science} --all --check)
    lately_add_science_test(field.fmt science ${CARGO} fmt --manifest-path ${LATELY_SCIENCE}/field/rust/Cargo.toml --check)
endif()
lately_find_component(can clippy "lints of the evaluation")
if(can)
    lately_add_science_test(clippy science ${CARGO} clippy --profile test --all-targets ${all} -- -D warnings)
endif()
lately_add_science_test(doc science ${CARGO} doc --profile test ${all} --no-deps --quiet)
set_tests_properties(science.doc PROPERTIES ENVIRONMENT "RUSTDOCFLAGS=-D warnings")
lately_add_science_test(test science ${CARGO} test ${all} --no-fail-fast)
set_tests_properties(science.test PROPERTIES TIMEOUT 3000)
lately_find_tool(GOFMT gofmt)
lately_can_test(can "formatting of the field in Go" GOFMT)
if(can)
    lately_add_science_test(go.fmt science ${GOFMT} -l ${LATELY_SCIENCE}/field)
    set_tests_properties(science.go.fmt PROPERTIES FAIL_REGULAR_EXPRESSION "\\.go")
endif()

# ---- the long form ----

lately_find_tool(PDFFONTS pdffonts)
lately_find_tool(PDFINFO pdfinfo)
lately_can_test(can "the pictures of the evaluation" PYTHON3 PDFFONTS PDFINFO)
if(can)
    lately_add_science_test(pictures science-long ${PYTHON3} -B ${PROJECT_SOURCE_DIR}/packaging/checks/pictures.py CARGO=${CARGO}
        PDFFONTS=${PDFFONTS} PDFINFO=${PDFINFO})
endif()
# Drivers of languages that are not here are left out with a line; those in Rust and C++ must be there, and those of the others whose
# tools are here. The filter of dcrd may be missing: not every proxy of Go modules has it.
set(there rust cpp)
lately_find_tool(GO go)
lately_find_tool(JAVAC javac)
lately_find_tool(MVN mvn)
set(needs_go GO)
set(needs_java JAVAC MVN)
set(needs_servers PYTHON3)
foreach(driver go java servers)
    lately_can_test(can "the field of ${driver}" ${needs_${driver}})
    if(can)
        list(APPEND there ${driver})
    endif()
endforeach()
list(JOIN there "|" there)
lately_add_science_test(field science-long ${CARGO} evaluation run field --quick --drivers evaluation/field
    --sources ${PROJECT_BINARY_DIR}/field-sources)
set_tests_properties(science.field PROPERTIES FAIL_REGULAR_EXPRESSION "left out: all of `(${there})`")
lately_add_science_test(field.rust science-long ${CARGO} test --locked --manifest-path ${LATELY_SCIENCE}/field/rust/Cargo.toml
    --target-dir target/field/rust)
