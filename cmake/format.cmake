# docs/FORMAT.md is enough to read a snapshot: the reader that was written from it alone answers as the library does.

lately_require_program(PYTHON3 python3 "Python 3.8 or later (apt-get install python3)")

add_test(NAME format.reader
    COMMAND ${PYTHON3} -B ${PROJECT_SOURCE_DIR}/tests/format/compare.py ${LATELY_SHARED} ${PROJECT_SOURCE_DIR}/tests)
