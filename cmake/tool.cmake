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

# Pages that the command writes about itself: what is asked for, and the file. Windows reads none of these.
set(LATELY_PAGES man lately.1 man-plan lately-plan.1 bash lately.bash zsh _lately fish lately.fish)
set(resource)
if(WIN32)
    set(LATELY_PAGES)
    lately_add_resource(LATELY_TOOL_RESOURCE lately.exe 1)
    set(resource -- -C link-arg=${LATELY_TOOL_RESOURCE})
endif()
# Licences: the package, and what the file is about.
set(LATELY_LICENCES lately-capi library lately-cli tool)
set(tool COMMAND ${LATELY_CARGO} rustc --release ${LATELY_CARGO_FLAGS} -p lately-cli --bin lately
    --target-dir ${LATELY_TOOL_DIR} ${resource})
set(byproducts ${LATELY_TOOL})
if(NOT LATELY_BUILD_CLI)
    set(LATELY_PAGES)
    set(LATELY_LICENCES lately-capi library)
    set(tool)
    set(byproducts ${LATELY_LICENCES_DIR}/THIRD-PARTY-library.txt)
endif()

# Appends to the list `commands` one that runs the rest of the arguments and keeps what they print in `file`.
function(lately_keep_output file)
    list(JOIN ARGN "|" command)
    list(APPEND commands COMMAND ${CMAKE_COMMAND} -D FILE=${file} -D COMMAND=${command}
        -P ${PROJECT_SOURCE_DIR}/cmake/keep_output.cmake)
    set(commands ${commands} PARENT_SCOPE)
endfunction()

set(pages ${LATELY_PAGES})
set(commands)
while(pages)
    list(POP_FRONT pages what file)
    lately_keep_output(${LATELY_PAGES_DIR}/${file} ${CMAKE_CROSSCOMPILING_EMULATOR} ${LATELY_TOOL} --generate ${what})
endwhile()
set(licences ${LATELY_LICENCES})
while(licences)
    list(POP_FRONT licences package about)
    lately_keep_output(${LATELY_LICENCES_DIR}/THIRD-PARTY-${about}.txt
        ${LATELY_PACKAGING_DIR}/licences ${PROJECT_SOURCE_DIR} ${package} ${LATELY_TARGET})
endwhile()

# The programs that write licences and the bill of materials. They run for a moment, so they are not optimised.
lately_add_target(lately_packaging
    COMMAND ${LATELY_HOST_CARGO} build --locked -p packaging --bin licences --bin sbom
            --target-dir ${LATELY_TOOL_DIR})
lately_add_target(lately_tool ALL
    ${tool}
    ${commands}
    DEPENDS ${LATELY_TOOL_RESOURCE}
    BYPRODUCTS ${byproducts})
# One after the other: both want every core.
add_dependencies(lately_tool lately_rust lately_packaging)
