# What the Go module of a release has of the library (packaging/go), in the folder TO: an archive for each platform, each with
# the licences of what is in it. They are built here as far as they are not: BUILD is the build folder of this machine.
cmake_policy(VERSION 3.25)

# What a build prints is shown if it fails.
function(run)
    execute_process(COMMAND ${ARGN} WORKING_DIRECTORY ${SOURCE} OUTPUT_VARIABLE said ERROR_VARIABLE said
        RESULT_VARIABLE result)
    if(NOT result EQUAL 0)
        message(FATAL_ERROR "${said}\n${ARGN}: ${result}")
    endif()
endfunction()

function(take platform archive licences)
    file(COPY_FILE ${archive} ${TO}/${platform}.a)
    file(COPY_FILE ${licences} ${TO}/THIRD-PARTY-${platform}.txt)
endfunction()

run(${CMAKE_COMMAND} --build ${BUILD} --target lately_musl)
foreach(preset glibc-x86_64 glibc-aarch64 windows)
    run(${CMAKE_COMMAND} --preset ${preset})
    run(${CMAKE_COMMAND} --build --preset ${preset} --target lately_rust lately_tool)
endforeach()
file(REMOVE_RECURSE ${TO})
file(MAKE_DIRECTORY ${TO})
set(licences licences/THIRD-PARTY-library.txt)
set(musl ${BUILD}/musl)
set(others ${SOURCE}/build)
take(linux_amd64_glibc ${others}/glibc-x86_64/lib/liblately.a ${others}/glibc-x86_64/${licences})
take(linux_amd64_musl ${musl}/x86_64/liblately_musl.a ${musl}/x86_64/THIRD-PARTY.txt)
take(linux_arm64_glibc ${others}/glibc-aarch64/lib/liblately.a ${others}/glibc-aarch64/${licences})
take(linux_arm64_musl ${musl}/aarch64/liblately_musl.a ${musl}/aarch64/THIRD-PARTY.txt)
take(windows_amd64 ${others}/windows/lib/static/liblately.a ${others}/windows/${licences})
message(STATUS "go: the library for five platforms is in ${TO}")
