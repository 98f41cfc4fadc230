# Fills dist/: packages for Debian, an archive for each platform, the jars with their pom, the Go module, the crates, the
# pictures for print, the bill of materials, the sums. The folder is emptied first.
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

# The sources, which the recipes of Conan and vcpkg build.
run(${CMAKE_COMMAND} -D SOURCE=${SOURCE} -D VERSION=${VERSION} -D OUT=${dist}/lately-${VERSION}-source.tar.gz
    -P ${CMAKE_CURRENT_LIST_DIR}/make_source.cmake)

# For each platform; for this machine's by a preset, too, since what is built for the check needs the glibc that is here.
foreach(preset glibc-x86_64 glibc-aarch64 windows)
    message(STATUS "dist: building for ${preset}")
    run(${CMAKE_COMMAND} --preset ${preset})
    run(${CMAKE_COMMAND} --build --preset ${preset} --target lately_rust lately_tool)
    run(${CMAKE_COMMAND} -E chdir ${SOURCE}/build/${preset} cpack -B ${room}/packages)
endforeach()
foreach(preset glibc-x86_64 glibc-aarch64)
    run(${CMAKE_COMMAND} --build --preset ${preset} --target lately_valkey_archive)
    take(1 ${SOURCE}/build/${preset}/valkey/lately-valkey-${VERSION}-linux-*.tar.gz)
endforeach()
take(6 ${room}/packages/*.deb ${room}/packages/*.tar.gz ${room}/packages/*.zip)

# One jar for all of them, which passes its tests on the way.
message(STATUS "dist: the jar, and its tests on every JDK")
run(${CMAKE_COMMAND} --build ${BUILD} --target lately_java_full_jar)
set(jar lately-${VERSION})
set(jars ${BUILD}/java/full)
take(3 ${jars}/${jar}.jar ${jars}/${jar}-sources.jar ${jars}/${jar}-javadoc.jar)
file(COPY_FILE ${SOURCE}/bindings/java/pom.xml ${dist}/${jar}.pom)
run(python3 -B packaging/checks/maven.py VERSION=${VERSION} MVN=${MVN} JDK=${JDK} NATIVES=${jars}/natives JAR=${dist}/${jar}.jar)

# Whatever has been packed for glibc runs with an old one.
file(ARCHIVE_EXTRACT INPUT ${dist}/${jar}.jar DESTINATION ${room}/jar PATTERNS native/*)
file(GLOB packed ${dist}/lately-${VERSION}-linux-*.tar.gz ${dist}/lately-valkey-${VERSION}-linux-*.tar.gz)
foreach(archive IN LISTS packed)
    file(ARCHIVE_EXTRACT INPUT ${archive} DESTINATION ${room}/archives)
endforeach()
file(GLOB debs ${dist}/*.deb)
foreach(deb IN LISTS debs)
    run(dpkg-deb -x ${deb} ${room}/debs)
endforeach()
# Of each of two machines the library, the command, the module and the glue; and what the packages for Debian have.
set(unpacked ${room}/archives/lately-${VERSION}-linux-*)
file(GLOB binaries ${unpacked}/lib/*.so.${VERSION} ${unpacked}/bin/lately
    ${room}/archives/lately-valkey-${VERSION}-linux-*/lately.so
    ${room}/jar/native/linux-x86_64/*.so* ${room}/jar/native/linux-aarch64/*.so*
    ${room}/debs/usr/lib/*/*.so.${VERSION} ${room}/debs/usr/bin/lately)
list(LENGTH binaries count)
if(NOT count EQUAL 10)
    message(FATAL_ERROR "dist has other binaries than it should: ${binaries}")
endif()
file(STRINGS ${SOURCE}/cmake/platforms/glibc.cmake floor REGEX "^set\\(LATELY_GLIBC ")
string(REGEX REPLACE ".* (.*)\\)" "\\1" floor "${floor}")
list(JOIN binaries "," binaries)
run(python3 -B packaging/checks/artefacts.py WHAT=floor OBJDUMP=${OBJDUMP} FLOOR=${floor} FILES=${binaries})

foreach(tool conan vcpkg)
    run(python3 packaging/recipe.py ${tool} ${VERSION} ${dist} https://github.com/lately/lately/releases/download/v${VERSION} ${dist}/${tool})
endforeach()

run(${CARGO} package -p lately -p lately-cli --locked --no-verify --allow-dirty --quiet --target-dir ${room}/crates)
take(2 ${room}/crates/package/*.crate)

# The evaluation's results, tables and pictures, which are in no tree: of a full run, which the pages are written from.
set(results ${SOURCE}/target/evaluation)
if(NOT EXISTS ${results}/tables.md)
    message(FATAL_ERROR "no results in ${results}: cargo evaluation run all --full --keep")
endif()
run(${CARGO} test --quiet --locked --manifest-path evaluation/Cargo.toml --features results)
run(${CMAKE_COMMAND} -E chdir ${SOURCE}/target ${CMAKE_COMMAND} -E tar czf ${dist}/lately-${VERSION}-evaluation.tar.gz evaluation)
run(${CARGO} evaluation print ${dist}/pictures)

# The wheels of four Linux platforms, each for CPython with and without a GIL, that of Windows, and the sources.
run(${CMAKE_COMMAND} --build ${BUILD} --target lately_python_wheels)
take(10 ${BUILD}/python/dist/*.whl ${BUILD}/python/dist/*.tar.gz)

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
