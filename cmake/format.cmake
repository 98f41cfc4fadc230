# docs/reference/format.md is enough to read a snapshot: the reader that was written from it alone answers as the library does.

lately_find_tool(PYTHON3 python3)
if(PYTHON3)
    execute_process(COMMAND ${PYTHON3} -c "import sys; sys.exit(sys.version_info < (3, 8))"
        RESULT_VARIABLE failed OUTPUT_QUIET ERROR_QUIET)
    if(failed)
        lately_lacks(PYTHON3 "python3 is not Python 3.8 or later")
    endif()
endif()
lately_can_test(can "the snapshot reader in Python" PYTHON3)
if(NOT can)
    return()
endif()

add_test(NAME format.reader
    COMMAND ${PYTHON3} -B ${PROJECT_SOURCE_DIR}/tests/format/compare.py ${LATELY_SHARED} ${PROJECT_SOURCE_DIR}/tests)
