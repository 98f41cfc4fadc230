# The installed completions, each in its own shell: it reads the file, and offers --window for what begins like it.
cmake_policy(VERSION 3.25)

# What the shell prints must match `wanted`.
function(expect shell wanted)
    execute_process(COMMAND ${ARGN} OUTPUT_VARIABLE offered COMMAND_ERROR_IS_FATAL ANY)
    if(NOT offered MATCHES "${wanted}")
        message(FATAL_ERROR "${shell} offers\n${offered}\nand not: ${wanted}")
    endif()
    message(STATUS "completions: ${shell} offers --window")
endfunction()

expect(bash "^--window\n$" ${BASH} --norc -c
    "source $0 && COMP_WORDS=(lately --wi) COMP_CWORD=1 && _lately lately --wi lately && echo \"\${COMPREPLY[*]}\""
    ${PREFIX}/share/bash-completion/completions/lately)
expect(fish "^--window\tFind duplicates[^\n]*\n$" ${FISH} --no-config -c
    "source $argv[1] && complete --do-complete 'lately --wi'" ${PREFIX}/share/fish/vendor_completions.d/lately.fish)
# zsh completes at a terminal only; here it calls what would offer the options, which shows them.
expect(zsh "\n--window=\\[Find duplicates" ${ZSH} -f -c
    "fpath=($1 $fpath) && compdef() : && _arguments() print -rl -- \"$@\" && autoload -U _lately && _lately"
    zsh ${PREFIX}/share/zsh/site-functions)
