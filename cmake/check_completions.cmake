# The installed completions of SHELL, in that shell, whose PROGRAM is given: it reads the file, and offers --window for
# what begins like it.
cmake_policy(VERSION 3.25)

# What the shell prints must match `wanted`.
function(expect wanted)
    execute_process(COMMAND ${ARGN} OUTPUT_VARIABLE offered COMMAND_ERROR_IS_FATAL ANY)
    if(NOT offered MATCHES "${wanted}")
        message(FATAL_ERROR "${SHELL} offers\n${offered}\nand not: ${wanted}")
    endif()
    message(STATUS "completions: ${SHELL} offers --window")
endfunction()

if(SHELL STREQUAL bash)
    expect("^--window\n$" ${PROGRAM} --norc -c
        "source $0 && COMP_WORDS=(lately --wi) COMP_CWORD=1 && _lately lately --wi lately && echo \"\${COMPREPLY[*]}\""
        ${PREFIX}/share/bash-completion/completions/lately)
elseif(SHELL STREQUAL fish)
    expect("^--window\tFind duplicates[^\n]*\n$" ${PROGRAM} --no-config -c
        "source $argv[1] && complete --do-complete 'lately --wi'" ${PREFIX}/share/fish/vendor_completions.d/lately.fish)
elseif(SHELL STREQUAL zsh)
    # zsh completes at a terminal only; here it calls what would offer the options, which shows them.
    expect("\n--window=\\[Find duplicates" ${PROGRAM} -f -c
        "fpath=($1 $fpath) && compdef() : && _arguments() print -rl -- \"$@\" && autoload -U _lately && _lately"
        zsh ${PREFIX}/share/zsh/site-functions)
else()
    message(FATAL_ERROR "no completions are tested for '${SHELL}'")
endif()
