# The JDKs of this machine: that of javac first, then what JAVA_HOME, LATELY_JDKS and the usual folders have.

set(LATELY_JDKS "" CACHE STRING "Folders of further JDKs to test with")

# Folders that are JDKs of Java 11 or later with the headers for C, each once, that of `javac` first.
function(lately_find_jdks output javac)
    file(REAL_PATH ${javac} real)
    get_filename_component(first ${real}/../.. ABSOLUTE)
    file(GLOB usual LIST_DIRECTORIES true
        /usr/lib/jvm/* /usr/lib64/jvm/* /usr/java/* /opt/jdk* /opt/java/* $ENV{HOME}/.sdkman/candidates/java/*
        /Library/Java/JavaVirtualMachines/*/Contents/Home)
    foreach(candidate ${first} $ENV{JAVA_HOME} ${LATELY_JDKS} ${usual})
        if(EXISTS ${candidate}/bin/javac)
            file(REAL_PATH ${candidate}/bin/javac real)
            get_filename_component(home ${real}/../.. ABSOLUTE)
            lately_jdk_name(name ${home})
            if(name MATCHES "jdk([0-9]+)" AND CMAKE_MATCH_1 GREATER_EQUAL 11 AND EXISTS ${home}/include/jni.h)
                list(APPEND homes ${home})
            endif()
        endif()
    endforeach()
    list(REMOVE_DUPLICATES homes)
    set(${output} ${homes} PARENT_SCOPE)
endfunction()

# "jdk17.0.15", as its javac says.
function(lately_jdk_name output home)
    execute_process(COMMAND ${home}/bin/javac -version OUTPUT_VARIABLE text ERROR_VARIABLE text)
    string(REGEX MATCH "[0-9][0-9.]*" version "${text}")
    set(${output} jdk${version} PARENT_SCOPE)
endfunction()
