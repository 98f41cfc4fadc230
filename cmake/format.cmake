# docs/reference/format.md is enough to read a snapshot: the reader that was written from it alone answers as the library does.

lately_need_tools("the snapshot reader in Python" PYTHON3 PYTHON3_VENV)
add_test(NAME format.reader
    COMMAND ${LATELY_PYTHON_VENV}/bin/python -B ${PROJECT_SOURCE_DIR}/tests/format/compare.py ${LATELY_SHARED} ${PROJECT_SOURCE_DIR}/tests)
