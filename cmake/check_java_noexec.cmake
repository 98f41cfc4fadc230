# In a namespace of its own: where the folder of temporary files is mounted noexec, the error names it, and a folder that is not
# mounted so runs the program. Nothing of the machine is changed.
cmake_policy(VERSION 3.25)

execute_process(COMMAND mktemp -d OUTPUT_VARIABLE room OUTPUT_STRIP_TRAILING_WHITESPACE COMMAND_ERROR_IS_FATAL ANY)
file(MAKE_DIRECTORY "${room}/no exec" ${room}/exec)
execute_process(COMMAND mount -t tmpfs -o noexec none "${room}/no exec" COMMAND_ERROR_IS_FATAL ANY)

function(run output temp)
    execute_process(COMMAND ${JDK}/bin/java -Djava.io.tmpdir=${temp} -cp ${JAR} ${STRANGER}
        OUTPUT_VARIABLE said ERROR_VARIABLE said)
    set(${output} "${said}" PARENT_SCOPE)
endfunction()

run(refused "${room}/no exec")
if(NOT refused MATCHES "UnsatisfiedLinkError: [^\n]*failed to map segment[^\n]*if [^\n]*/no exec/lately-[0-9]+ is mounted noexec, name another")
    message(FATAL_ERROR "below a folder that is mounted noexec:\n${refused}")
endif()
run(ran ${room}/exec)
if(NOT ran MATCHES "^NEW DUPLICATE\n")
    message(FATAL_ERROR "below a folder that is not mounted noexec:\n${ran}")
endif()
execute_process(COMMAND umount "${room}/no exec" COMMAND_ERROR_IS_FATAL ANY)
file(REMOVE_RECURSE ${room})
message(STATUS "noexec: named as the cause to look at")
