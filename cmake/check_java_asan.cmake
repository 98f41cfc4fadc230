# Runs the tests of the verbs with the sanitized glue. The JVM itself leaks some, so the reports are searched for ours.

execute_process(COMMAND ${NM} ${GLUE}/liblately_jni.so OUTPUT_VARIABLE symbols COMMAND_ERROR_IS_FATAL ANY)
if(NOT symbols MATCHES "__asan_init" OR NOT symbols MATCHES "__ubsan_handle")
    message(FATAL_ERROR "${GLUE}/liblately_jni.so is not sanitized")
endif()
execute_process(COMMAND ${CC} -print-file-name=libasan.so OUTPUT_VARIABLE preload
    OUTPUT_STRIP_TRAILING_WHITESPACE COMMAND_ERROR_IS_FATAL ANY)

# The JVM handles its own faults and has thread-local storage that the leak checker trips over. Three frames are enough
# to tell who asked for memory; more would take minutes to print.
string(JOIN ":" options handle_segv=0 use_sigaltstack=0 intercept_tls_get_addr=0 detect_leaks=1 symbolize=0 malloc_context_size=3 exitcode=0
    print_suppressions=0 log_path=${BUILD}/asan)
execute_process(COMMAND ${CMAKE_COMMAND} -E env JAVA_HOME=${JDK} ${MVN} --batch-mode --no-transfer-progress
    --file ${POM} -Dlately.build=${BUILD} -Dlately.natives=${NATIVES} -Dlately.native.dir=${GLUE}
    -Dlately.preload=${preload} -Dlately.sanitizer=${options}
    "-Dtest=KeyVerbsTest,BatchTest,FilterTest,OptionsTest,StatusTest,TimeTest,VectorsTest,SharedTest,ClaimTest,SnapshotTest,LifetimeTest#closing*+the*" clean test
    OUTPUT_VARIABLE output ERROR_VARIABLE output RESULT_VARIABLE result)
if(NOT result EQUAL 0)
    message(FATAL_ERROR "the tests failed with the sanitized glue:\n${output}")
endif()
string(REGEX MATCHALL "Tests run: [0-9]+, Failures: 0[^\n]*" lines "${output}")
list(POP_BACK lines summary)

file(GLOB reports ${BUILD}/asan.*)
foreach(report IN LISTS reports)
    file(READ ${report} text)
    if(text MATCHES "LeakSanitizer: detected memory leaks")
        set(looked TRUE)
    endif()
    # Ours is what the core or the glue asked for itself: the frame above malloc.
    if(text MATCHES "(runtime error|fatal error|ERROR: AddressSanitizer)[^\n]*" OR text MATCHES "#1 [^\n]*lately[^\n]*")
        message(FATAL_ERROR "${CMAKE_MATCH_0}\nin ${report}")
    endif()
endforeach()
# A JVM always leaves something behind: a report without it would be one of a checker that did not look.
if(NOT looked)
    message(FATAL_ERROR "no report of the leak checker in ${BUILD}")
endif()
message(STATUS "sanitized glue: ${summary}; no error, no leak of ours")
