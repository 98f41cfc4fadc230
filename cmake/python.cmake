# Python: a venv with what the tests need, the wheel, its tests, types and pages, and the wheels of a release.
#   ${LATELY_DEDUP_PYTHON}        the command of examples/dedup.py
#   ${LATELY_PYTHON_VENV}         a venv with the wheel and all tools, made by the target lately_python
#   ${LATELY_PYTHON_DIR}/wheels   the wheel of this machine

set(LATELY_PYTHON_SOURCE ${PROJECT_SOURCE_DIR}/bindings/python)
set(LATELY_PYTHON_DIR ${PROJECT_BINARY_DIR}/python)
set(LATELY_PYTHON_VENV ${LATELY_PYTHON_DIR}/venv)
lately_need_tools("the Python package" PYTHON3 PYTHON3_VENV)

# ---- the venv and the wheel ----

set(python ${LATELY_PYTHON_VENV}/bin/python)
set(pip ${python} -m pip --disable-pip-version-check --quiet install)
set(wanted ${LATELY_PYTHON_SOURCE}/tests/requirements.txt)
add_custom_command(OUTPUT ${LATELY_PYTHON_DIR}/venv.made
    COMMAND ${PYTHON3} -m venv --clear ${LATELY_PYTHON_VENV}
    COMMAND ${pip} --requirement ${wanted}
    COMMAND ${CMAKE_COMMAND} -E touch ${LATELY_PYTHON_DIR}/venv.made
    DEPENDS ${wanted}
    USES_TERMINAL
    COMMENT "a venv with the tools of the Python tests"
    VERBATIM)

# Built each time: cargo knows what has changed, also in the library.
set(LATELY_PYTHON_CARGO ${CMAKE_COMMAND} -E env --unset=MAKEFLAGS CARGO_TARGET_DIR=${LATELY_PYTHON_DIR}/cargo
    PYO3_PYTHON=${python})
set(LATELY_MATURIN ${LATELY_PYTHON_CARGO} ${python} -m maturin build --quiet --locked --release
    --manifest-path ${LATELY_PYTHON_SOURCE}/Cargo.toml)
lately_add_target(lately_python ALL
    COMMAND ${CMAKE_COMMAND} -E rm -rf ${LATELY_PYTHON_DIR}/wheels
    COMMAND ${LATELY_PYTHON_CARGO} ${python} ${LATELY_PYTHON_SOURCE}/wheels.py
    COMMAND ${LATELY_MATURIN} --out ${LATELY_PYTHON_DIR}/wheels --interpreter ${python}
    COMMAND ${pip} --no-index --no-deps --force-reinstall --find-links ${LATELY_PYTHON_DIR}/wheels lately
    DEPENDS ${LATELY_PYTHON_DIR}/venv.made)

# ---- tests ----

# A command in a folder where only the installed package is found.
function(lately_add_python_test name)
    add_test(NAME python.${name} COMMAND ${ARGN} WORKING_DIRECTORY ${LATELY_PYTHON_SOURCE}/tests)
    set_tests_properties(python.${name} PROPERTIES LABELS python
        ENVIRONMENT "PYTHONDONTWRITEBYTECODE=1;CARGO_TARGET_DIR=${LATELY_PYTHON_DIR}/cargo;PYO3_PYTHON=${python}"
        ENVIRONMENT_MODIFICATION "PATH=path_list_prepend:${LATELY_PYTHON_VENV}/bin")
endfunction()

lately_add_python_test(test ${python} -m pytest -q -p no:cacheprovider .)
lately_add_python_test(mypy ${python} -m mypy --strict --cache-dir ${LATELY_PYTHON_DIR}/mypy --package lately)
lately_add_python_test(typed ${python} -m mypy --strict --cache-dir ${LATELY_PYTHON_DIR}/mypy-typed typed.py)
lately_add_python_test(stubtest ${python} -m mypy.stubtest lately._lately)
lately_add_python_test(pyright ${python} -m pyright ${LATELY_PYTHON_SOURCE}/tests/typed.py)
if(TEST rust.fmt)
    lately_add_python_test(fmt ${CARGO} fmt --manifest-path ${LATELY_PYTHON_SOURCE}/Cargo.toml --check)
endif()
if(TEST rust.clippy)
    # In the profile of the wheel: macros, and what compiles them, are those of the wheel then.
    lately_add_python_test(clippy ${CARGO} clippy --release --manifest-path ${LATELY_PYTHON_SOURCE}/Cargo.toml --locked --all-targets
        -- -D warnings)
endif()

# docs/reference/format.md is enough to read a snapshot: the reader that was written from it alone answers as the library does.
add_test(NAME format.reader
    COMMAND ${python} -B ${PROJECT_SOURCE_DIR}/tests/format/compare.py ${LATELY_SHARED} ${PROJECT_SOURCE_DIR}/tests)

set(LATELY_DEDUP_PYTHON ${python} ${PROJECT_SOURCE_DIR}/examples/dedup.py)

# ---- a release ----

# Wheels for every platform, by zig's linker, and the sources: ${LATELY_PYTHON_DIR}/dist.
lately_add_target(lately_python_wheels
    COMMAND ${pip} --requirement ${LATELY_PYTHON_SOURCE}/release-requirements.txt
    COMMAND ${CMAKE_COMMAND} -E rm -rf ${LATELY_PYTHON_DIR}/dist
    COMMAND ${LATELY_PYTHON_CARGO} ${python} ${LATELY_PYTHON_SOURCE}/wheels.py --out ${LATELY_PYTHON_DIR}/dist
    DEPENDS ${LATELY_PYTHON_DIR}/venv.made)
