# Runs the example job of engines/flink over the stream of the dedup programs. Every duplicate within the window must be
# found, and no more records held back than the error rate allows.
#   ROAD     maven: in the project itself; gradle: in the project of engines/flink/examples/gradle, outside the tree, with nothing but
#            what is published
#   MAVEN    the command that builds the project itself
#   STREAM   the program that writes the stream, and to its argument "read new duplicate"
#   ROOM     a folder
#   For gradle: GRADLE, JDK, SOURCE (this tree), BUILT (where Maven packed lately-flink), BINDING (the jar of the binding)
cmake_policy(VERSION 3.25)

file(MAKE_DIRECTORY ${ROOM})
execute_process(COMMAND ${STREAM} ${ROOM}/truth OUTPUT_FILE ${ROOM}/stream COMMAND_ERROR_IS_FATAL ANY)
file(STRINGS ${ROOM}/truth truth LIMIT_COUNT 1)
string(REGEX MATCHALL "[0-9]+" truth "${truth}")
list(GET truth 0 read)
list(GET truth 1 new)
list(GET truth 2 duplicates)

# Runs a command; `output` and `result` are what it says and how it ends.
macro(run)
    execute_process(COMMAND ${ARGN} OUTPUT_VARIABLE output ERROR_VARIABLE output RESULT_VARIABLE result)
endmacro()

# A folder that is laid out as a Maven repository gets a jar and its pom, under the version that the pom has.
function(publish artifact jar pom)
    file(STRINGS ${pom} version REGEX "^  <version>" LIMIT_COUNT 1)
    string(REGEX REPLACE ".*<version>(.*)</version>.*" "\\1" version "${version}")
    set(folder ${ROOM}/published/dev/lately/${artifact}/${version})
    file(MAKE_DIRECTORY ${folder})
    file(COPY_FILE ${pom} ${folder}/${artifact}-${version}.pom)
    file(COPY_FILE ${jar} ${folder}/${artifact}-${version}.jar)
endfunction()

# Flink comes out of the repository of this machine, as far as it is there.
function(build_with_gradle)
    file(REMOVE_RECURSE ${ROOM}/published ${ROOM}/project)
    file(GLOB jar ${BUILT}/lately-flink-*.jar)
    publish(lately-flink ${jar} ${BUILT}/flattened-pom.xml)
    publish(lately ${BINDING} ${SOURCE}/bindings/java/pom.xml)
    file(COPY ${SOURCE}/engines/flink/examples/gradle/ DESTINATION ${ROOM}/project)
    file(COPY ${SOURCE}/engines/flink/src/test/java/example/FirstSightings.java DESTINATION ${ROOM}/project/src/main/java/example)
    file(WRITE ${ROOM}/init.gradle "allprojects { repositories { maven { url 'file://${ROOM}/published' } } }\n")
    set(ENV{JAVA_HOME} ${JDK})
    execute_process(COMMAND ${GRADLE} --no-daemon --quiet --gradle-user-home ${ROOM}/home --init-script ${ROOM}/init.gradle
            ${repository} installDist
        WORKING_DIRECTORY ${ROOM}/project COMMAND_ERROR_IS_FATAL ANY)
endfunction()

if(ROAD STREQUAL gradle)
    set(repository)
    if("$ENV{MAVEN_OPTS}" MATCHES "-Dmaven.repo.local=([^ ]+)")
        set(repository ${CMAKE_MATCH_0})
    endif()
    build_with_gradle()
    run(${ROOM}/project/build/install/first-sightings/bin/first-sightings ${ROOM}/stream)
else()
    run(${MAVEN} test-compile org.codehaus.mojo:exec-maven-plugin:3.5.0:exec -Dexec.executable=java
        -Dexec.classpathScope=test "-Dexec.args=-Xmx768m -cp %classpath example.FirstSightings ${ROOM}/stream")
endif()
if(NOT result EQUAL 0 OR NOT output MATCHES "read ([0-9]+), new ([0-9]+), duplicates ([0-9]+)")
    message(FATAL_ERROR "the example ended with ${result} and said\n${output}")
endif()
set(said "${CMAKE_MATCH_0}")
math(EXPR wrong "${CMAKE_MATCH_3} - ${duplicates}")
math(EXPR sum "${CMAKE_MATCH_2} + ${CMAKE_MATCH_3}")
# One in a million of the new ones, and 5 that chance may add to so few in less than one case of two hundred.
math(EXPR most "${new} / 1000000 + 5")
message(STATUS "${said}; exactly: new ${new}, duplicates ${duplicates}")
if(NOT CMAKE_MATCH_1 EQUAL read OR NOT sum EQUAL read OR wrong LESS 0 OR wrong GREATER most)
    message(FATAL_ERROR "exactly it is: read ${read}, new ${new}, duplicates ${duplicates}; at most ${most} may be held back wrongly")
endif()
