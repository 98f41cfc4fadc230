# Programs that are needed: all that are missing are named at once, each with what to install.

# Finds `name` into the variable `variable`; if it is missing, the configuration ends with `advice`.
function(lately_require_program variable name advice)
    find_program(${variable} ${name})
    if(NOT ${variable})
        lately_missing("${name}: ${advice}")
    endif()
endfunction()

# Notes that something is missing.
function(lately_missing what)
    set_property(GLOBAL APPEND_STRING PROPERTY LATELY_MISSING "\n  ${what}")
endfunction()

# The end of the configuration, if anything was missing.
function(lately_report_missing_programs)
    get_property(missing GLOBAL PROPERTY LATELY_MISSING)
    if(missing)
        message(FATAL_ERROR "These programs are missing (on Debian and Ubuntu, .ci/run installs them):${missing}")
    endif()
endfunction()
