# A program has AddressSanitizer in it: it names the sanitizer's start, and the library's own code asks it.
execute_process(COMMAND ${NM} ${PROGRAM} OUTPUT_VARIABLE text COMMAND_ERROR_IS_FATAL ANY)
foreach(name __asan_init __asan_report_load __ubsan_handle)
    if(NOT text MATCHES ${name})
        message(FATAL_ERROR "${PROGRAM} has no ${name}: it was built without the sanitizers")
    endif()
endforeach()
message(STATUS "asan: __asan_init and its reports are in ${PROGRAM}")
