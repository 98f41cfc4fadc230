# Fills dist/: packages for Debian, an archive for each platform, the jars with their pom, the Go module, the crates, the bill of
# materials, the sums. What stood there before is gone first.
cmake_policy(VERSION 3.25)

# It is filled elsewhere, so that there is no half of one.
file(REMOVE_RECURSE ${SOURCE}/dist)
execute_process(COMMAND mktemp -d OUTPUT_VARIABLE room OUTPUT_STRIP_TRAILING_WHITESPACE COMMAND_ERROR_IS_FATAL ANY)
set(dist ${room}/dist)
file(MAKE_DIRECTORY ${dist})

# What a command prints is shown if it fails: Maven says there what did.
function(run)
    execute_process(COMMAND ${ARGN} WORKING_DIRECTORY ${SOURCE} OUTPUT_VARIABLE said RESULT_VARIABLE result)
    if(NOT result EQUAL 0)
        message(FATAL_ERROR "${said}\n${ARGN}: ${result}")
    endif()
endfunction()

# Copies what a pattern finds, which must be `count` files.
function(take count)
    file(GLOB files ${ARGN})
    list(LENGTH files found)
    if(NOT found EQUAL count)
        message(FATAL_ERROR "${ARGN}: ${found} files, and ${count} belong to a release: ${files}")
    endif()
    file(COPY ${files} DESTINATION ${dist})
endfunction()

# For this machine, and for each other platform, which is built here.
run(${CMAKE_COMMAND} -E chdir ${BUILD} cpack -B ${room}/packages)
foreach(preset aarch64 windows)
    message(STATUS "dist: building for ${preset}")
    run(${CMAKE_COMMAND} --preset ${preset})
    run(${CMAKE_COMMAND} --build --preset ${preset} --target lately_rust lately_tool)
    run(${CMAKE_COMMAND} -E chdir ${SOURCE}/build/${preset} cpack -B ${room}/packages)
endforeach()
run(${CMAKE_COMMAND} --build ${BUILD} --target lately_valkey_archive)
run(${CMAKE_COMMAND} --build --preset aarch64 --target lately_valkey_archive)
take(2 ${BUILD}/valkey/lately-valkey-${VERSION}-linux-*.tar.gz ${SOURCE}/build/aarch64/valkey/lately-valkey-${VERSION}-linux-*.tar.gz)
take(6 ${room}/packages/*.deb ${room}/packages/*.tar.gz ${room}/packages/*.zip)

# One jar for all of them, which passes its tests on the way.
message(STATUS "dist: the jar, and its tests on every JDK")
run(${CMAKE_COMMAND} --build ${BUILD} --target lately_java_full_jar)
set(jar lately-${VERSION})
set(jars ${BUILD}/java/full)
take(3 ${jars}/${jar}.jar ${jars}/${jar}-sources.jar ${jars}/${jar}-javadoc.jar)
file(COPY_FILE ${SOURCE}/bindings/java/pom.xml ${dist}/${jar}.pom)

foreach(tool conan vcpkg)
    run(${CMAKE_COMMAND} -D SOURCE=${SOURCE} -D VERSION=${VERSION} -D FROM=${dist}
        -D URL=https://github.com/lately/lately/releases/download/v${VERSION} -D OUT=${dist}/${tool}
        -P ${CMAKE_CURRENT_LIST_DIR}/${tool}_recipe.cmake)
endforeach()

run(${CARGO} package -p lately -p lately-cli --locked --no-verify --allow-dirty --quiet --target-dir ${room}/crates)
take(2 ${room}/crates/package/*.crate)

# The Go module with the library in it.
run(${CMAKE_COMMAND} -D SOURCE=${SOURCE} -D BUILD=${BUILD} -D TO=${room}/go -P ${CMAKE_CURRENT_LIST_DIR}/gather_archives.cmake)
run(${CMAKE_COMMAND} -D SOURCE=${SOURCE} -D OUT=${dist}/go-proxy -D ARCHIVES=${room}/go
    -P ${CMAKE_CURRENT_LIST_DIR}/go_module.cmake)

execute_process(COMMAND ${SBOM} ${SOURCE} ${TARGETS} OUTPUT_FILE ${dist}/lately-${VERSION}.cdx.json
    COMMAND_ERROR_IS_FATAL ANY)

# Last, over all of it, in the form that sha256sum -c reads.
file(GLOB_RECURSE files RELATIVE ${dist} ${dist}/*)
list(SORT files)
set(sums)
foreach(file IN LISTS files)
    file(SHA256 ${dist}/${file} sum)
    string(APPEND sums "${sum}  ${file}\n")
endforeach()
file(WRITE ${dist}/SHA256SUMS "${sums}")
file(COPY ${dist} DESTINATION ${SOURCE})
file(REMOVE_RECURSE ${room})
list(LENGTH files count)
message(STATUS "dist: ${count} files and their sums")
