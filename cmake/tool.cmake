# The command `lately` with its man pages, completions and licences, as they are installed.
# Target: lately_tool, which makes ${LATELY_TOOL} and what stands in ${LATELY_PAGES_DIR} and ${LATELY_LICENCES_DIR}.

# Apart from the library's: what the command asks of shared dependencies must not find its way into that.
set(LATELY_TOOL_DIR ${PROJECT_BINARY_DIR}/cargo-tool)
set(LATELY_TOOL ${LATELY_TOOL_DIR}/release/lately${CMAKE_EXECUTABLE_SUFFIX})
set(LATELY_PAGES_DIR ${PROJECT_BINARY_DIR}/pages)
set(LATELY_LICENCES_DIR ${PROJECT_BINARY_DIR}/licences)
file(MAKE_DIRECTORY ${LATELY_PAGES_DIR} ${LATELY_LICENCES_DIR})

# Pages that the command writes about itself: what is asked for, and the file.
set(LATELY_PAGES man lately.1 man-plan lately-plan.1 bash lately.bash zsh _lately fish lately.fish)
# Licences: the package, and what the file is about.
set(LATELY_LICENCES lately library lately-cli tool)

# Appends to the list `commands` one that runs the rest of the arguments and keeps what they print in `file`.
function(lately_keep_output file)
    list(APPEND commands COMMAND ${CMAKE_COMMAND} -D FILE=${file} -P ${PROJECT_SOURCE_DIR}/cmake/keep_output.cmake
        -- ${ARGN})
    set(commands ${commands} PARENT_SCOPE)
endfunction()

set(pages ${LATELY_PAGES})
set(commands)
while(pages)
    list(POP_FRONT pages what file)
    lately_keep_output(${LATELY_PAGES_DIR}/${file} ${LATELY_TOOL} --generate ${what})
endwhile()
set(licences ${LATELY_LICENCES})
while(licences)
    list(POP_FRONT licences package about)
    lately_keep_output(${LATELY_LICENCES_DIR}/THIRD-PARTY-${about}.txt
        ${LATELY_TOOL_DIR}/release/licences ${PROJECT_SOURCE_DIR} ${package} ${LATELY_HOST})
endwhile()

add_custom_target(lately_tool ALL
    COMMAND ${LATELY_CARGO} build --release --locked -p lately-cli -p packaging --bin lately --bin licences --bin sbom
            --target-dir ${LATELY_TOOL_DIR}
    ${commands}
    BYPRODUCTS ${LATELY_TOOL}
    WORKING_DIRECTORY ${PROJECT_SOURCE_DIR}
    USES_TERMINAL
    COMMENT "cargo build --release -p lately-cli"
    VERBATIM)
# One after the other: both want every core.
add_dependencies(lately_tool lately_rust)
