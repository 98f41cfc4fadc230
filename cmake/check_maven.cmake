# Publishing to Maven Central without Central: the profile `publish` signs with a key that is thrown away, and packs what it would
# upload. That is looked at: the jar, its sources, its documentation and the pom, each with a signature that is good and with its
# sums; the pom has what Central asks for. Nothing is uploaded, and the local repository of this machine stays as it is.
#   cmake -D SOURCE=<tree> -D VERSION=<version> -D MVN=<mvn> -D JDK=<its JDK> -D NATIVES=<folder> [-D JAR=<tested jar>] -P ...
# With JAR, the jar that would be published must be that one, byte for byte.
cmake_policy(VERSION 3.25)

find_program(GPG gpg NO_CACHE)
if(NOT GPG)
    message(FATAL_ERROR "gpg is not installed: apt-get install gpg gpg-agent")
endif()
execute_process(COMMAND mktemp -d OUTPUT_VARIABLE room OUTPUT_STRIP_TRAILING_WHITESPACE COMMAND_ERROR_IS_FATAL ANY)
set(ENV{GNUPGHOME} ${room}/keys)
set(ENV{JAVA_HOME} ${JDK})
file(MAKE_DIRECTORY ${room}/keys)
file(CHMOD ${room}/keys PERMISSIONS OWNER_READ OWNER_WRITE OWNER_EXECUTE)

# What a command prints is shown if it fails.
function(run)
    execute_process(COMMAND ${ARGN} WORKING_DIRECTORY ${room} OUTPUT_VARIABLE said ERROR_VARIABLE said RESULT_VARIABLE result)
    if(NOT result EQUAL 0)
        message(FATAL_ERROR "${said}\n${ARGN}: ${result}")
    endif()
endfunction()

function(pack_bundle)
    run(${GPG} --batch --quiet --pinentry-mode loopback --passphrase "" --quick-generate-key "nobody <none@lately.invalid>"
        ed25519 sign never)
    # A token that is none: whoever tried to upload would be refused.
    file(WRITE ${room}/settings.xml
        "<settings><servers><server><id>central</id><username>none</username><password>none</password></server></servers></settings>\n")
    run(${MVN} --batch-mode --no-transfer-progress --settings ${room}/settings.xml --file ${SOURCE}/bindings/java/pom.xml
        -P publish -DskipPublishing=true -Dmaven.install.skip=true -Dmaven.test.skip=true -Dlately.build=${room}/build
        -Dlately.natives=${NATIVES} deploy)
    file(GLOB bundle ${room}/build/central-publishing/*.zip)
    file(ARCHIVE_EXTRACT INPUT ${bundle} DESTINATION ${room}/bundle)
endfunction()

function(check_sum algorithm file)
    string(TOLOWER ${algorithm} ending)
    file(${algorithm} ${file} sum)
    file(STRINGS ${file}.${ending} wanted LIMIT_COUNT 1)
    if(NOT sum STREQUAL wanted)
        message(FATAL_ERROR "${file}.${ending} is ${wanted}, and the file has ${sum}")
    endif()
endfunction()

function(check_bundle)
    set(folder ${room}/bundle/dev/lately/lately/${VERSION})
    set(packed .jar -sources.jar -javadoc.jar .pom)
    foreach(ending IN LISTS packed)
        set(file ${folder}/lately-${VERSION}${ending})
        run(${GPG} --batch --verify ${file}.asc ${file})
        check_sum(MD5 ${file})
        check_sum(SHA1 ${file})
    endforeach()
    file(READ ${folder}/lately-${VERSION}.pom pom)
    foreach(element name description url licenses developers scm)
        if(NOT pom MATCHES "\n  <${element}>")
            message(FATAL_ERROR "the pom has no <${element}>, which Maven Central asks for")
        endif()
    endforeach()
    if(DEFINED JAR)
        run(${CMAKE_COMMAND} -E compare_files ${JAR} ${folder}/lately-${VERSION}.jar)
    endif()
endfunction()

# A signature is of one file: this test can fail.
function(check_that_it_can_fail)
    set(jar ${room}/bundle/dev/lately/lately/${VERSION}/lately-${VERSION}.jar)
    file(APPEND ${jar} "x")
    execute_process(COMMAND ${GPG} --batch --verify ${jar}.asc ${jar} RESULT_VARIABLE result OUTPUT_QUIET ERROR_QUIET)
    if(result EQUAL 0)
        message(FATAL_ERROR "the signature of the jar is good for another file")
    endif()
endfunction()

pack_bundle()
check_bundle()
check_that_it_can_fail()
execute_process(COMMAND gpgconf --kill all OUTPUT_QUIET ERROR_QUIET)
file(REMOVE_RECURSE ${room})
message(STATUS "maven: what Maven Central would get is whole and signed")
