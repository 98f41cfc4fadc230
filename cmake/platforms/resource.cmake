# The version resource of a file for Windows, as an object that the linker takes.

# Sets `output` to the object for `file`, of type 1 (a program) or 2 (a DLL).
function(lately_add_resource output file type)
    get_filename_component(name ${file} NAME)
    set(LATELY_RC_FILE ${name})
    set(LATELY_RC_TYPE ${type})
    set(source ${PROJECT_BINARY_DIR}/resources/${name}.rc)
    configure_file(${PROJECT_SOURCE_DIR}/cmake/platforms/lately.rc.in ${source} @ONLY)
    add_custom_command(OUTPUT ${source}.o
        COMMAND ${CMAKE_RC_COMPILER} -i ${source} -o ${source}.o -O coff
        DEPENDS ${source}
        VERBATIM)
    set(${output} ${source}.o PARENT_SCOPE)
endfunction()
