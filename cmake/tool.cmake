# The command `lately` with its man pages, completions and licences, as they are installed; without LATELY_BUILD_CLI
# the licences of the library alone.
# Targets: lately_tool, which makes ${LATELY_TOOL} and what stands in ${LATELY_PAGES_DIR} and ${LATELY_LICENCES_DIR};
# lately_packaging, the programs that write licences, in ${LATELY_PACKAGING_DIR}.

# Apart from the library's: what the command asks of shared dependencies must not find its way into that.
set(LATELY_TOOL_DIR ${PROJECT_BINARY_DIR}/cargo-tool)
set(LATELY_TOOL ${LATELY_TOOL_DIR}/${LATELY_BUILT}/lately${CMAKE_EXECUTABLE_SUFFIX})
set(LATELY_PACKAGING_DIR ${LATELY_TOOL_DIR}/debug)
set(LATELY_PAGES_DIR ${PROJECT_BINARY_DIR}/pages)
set(LATELY_LICENCES_DIR ${PROJECT_BINARY_DIR}/licences)
file(MAKE_DIRECTORY ${LATELY_PAGES_DIR} ${LATELY_LICENCES_DIR})

set(tool)
set(byproducts ${LATELY_LICENCES_DIR}/THIRD-PARTY-library.txt)
set(packages lately-capi)
set(abouts library)
set(resource)
if(WIN32)
    lately_add_resource(LATELY_TOOL_RESOURCE lately.exe 1)
    set(resource -- -C link-arg=${LATELY_TOOL_RESOURCE})
endif()
if(LATELY_BUILD_CLI)
    set(tool COMMAND ${LATELY_CARGO} rustc --release ${LATELY_CARGO_FLAGS} -p lately-cli --bin lately
        --target-dir ${LATELY_TOOL_DIR} ${resource})
    set(byproducts ${LATELY_TOOL})
    list(APPEND packages lately-cli)
    list(APPEND abouts tool)
endif()
# Pages that the command writes about itself: what is asked for, and the file. Windows reads none of these.
set(words)
set(LATELY_PAGES)
if(LATELY_BUILD_CLI AND NOT WIN32)
    set(words man man-plan bash zsh fish)
    set(LATELY_PAGES lately.1 lately-plan.1 lately.bash _lately lately.fish)
endif()
foreach(word page IN ZIP_LISTS words LATELY_PAGES)
    list(APPEND tool COMMAND ${CMAKE_CROSSCOMPILING_EMULATOR} ${LATELY_TOOL} --generate ${word} > ${LATELY_PAGES_DIR}/${page})
endforeach()
foreach(package about IN ZIP_LISTS packages abouts)
    list(APPEND tool COMMAND ${LATELY_PACKAGING_DIR}/licences ${PROJECT_SOURCE_DIR} ${package} ${LATELY_TARGET}
        > ${LATELY_LICENCES_DIR}/THIRD-PARTY-${about}.txt)
endforeach()

# The programs that write licences and the bill of materials. They run for a moment, so they are not optimised.
lately_add_target(lately_packaging
    COMMAND ${LATELY_HOST_CARGO} build --locked -p packaging --bin licences --bin sbom
            --target-dir ${LATELY_TOOL_DIR})
lately_add_target(lately_tool ALL
    ${tool}
    DEPENDS ${LATELY_TOOL_RESOURCE}
    BYPRODUCTS ${byproducts})
# One after the other: both want every core.
add_dependencies(lately_tool lately_rust lately_packaging)
