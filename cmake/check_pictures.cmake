# Prints the pictures of the evaluation's quick form into a folder and asks poppler about each: the page is a column of 240 pt wide,
# it has a font, and every font is embedded. A release has the same files of the full form.
cmake_policy(VERSION 3.25)
file(REMOVE_RECURSE ${ROOM})
set(results ${ROOM}/results)
file(MAKE_DIRECTORY ${ROOM})
execute_process(COMMAND ${CARGO} build --quiet --release --locked --manifest-path evaluation/Cargo.toml WORKING_DIRECTORY ${SOURCE} COMMAND_ERROR_IS_FATAL ANY)
# The pages of quick results are nobody's: that they cannot be written is no fault here.
execute_process(COMMAND ${SOURCE}/evaluation/target/release/evaluation run all --quick --keep --results ${results} --docs ${ROOM}/docs
    WORKING_DIRECTORY ${SOURCE} OUTPUT_QUIET ERROR_QUIET)
execute_process(COMMAND ${SOURCE}/evaluation/target/release/evaluation print ${ROOM} --results ${results} WORKING_DIRECTORY ${SOURCE}
    COMMAND_ERROR_IS_FATAL ANY)
file(GLOB pictures ${ROOM}/*.pdf)
list(LENGTH pictures count)
file(GLOB drawn ${results}/*.svg)
list(LENGTH drawn expected)
if(count EQUAL 0 OR NOT count EQUAL expected)
    message(FATAL_ERROR "${count} pictures were printed, and ${expected} were drawn")
endif()
foreach(picture IN LISTS pictures)
    execute_process(COMMAND ${PDFFONTS} ${picture} OUTPUT_VARIABLE fonts COMMAND_ERROR_IS_FATAL ANY)
    # name, type, encoding, then emb, sub and uni.
    if(NOT fonts MATCHES "DejaVuSansCondensed +CID TrueType +Identity-H +yes yes yes" OR fonts MATCHES " no +(yes|no) +(yes|no) ")
        message(FATAL_ERROR "${picture}: a font is not embedded:\n${fonts}")
    endif()
    execute_process(COMMAND ${PDFINFO} ${picture} OUTPUT_VARIABLE facts COMMAND_ERROR_IS_FATAL ANY)
    if(NOT facts MATCHES "Page size: +240 x ")
        message(FATAL_ERROR "${picture} is not 240 pt wide:\n${facts}")
    endif()
endforeach()
message(STATUS "${count} pictures, 240 pt wide, with their fonts embedded")
