# docs/reference/format.md is enough to read a snapshot: the reader that was written from it alone answers as the library does.

lately_need_tools("the snapshot reader in Python" PYTHON3)
add_test(NAME format.reader
    COMMAND ${PYTHON3} -B ${PROJECT_SOURCE_DIR}/tests/format/compare.py ${LATELY_SHARED} ${PROJECT_SOURCE_DIR}/tests)
