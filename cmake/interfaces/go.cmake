# Go: `go doc -all` without what it explains.

execute_process(COMMAND ${CMAKE_COMMAND} -E env GOWORK=off ${GO} doc -all . WORKING_DIRECTORY ${SOURCE}/bindings/go
    OUTPUT_VARIABLE page COMMAND_ERROR_IS_FATAL ANY)
string(REGEX MATCH "\n(CONSTANTS|VARIABLES|FUNCTIONS|TYPES)\n.*" page "${page}")
# The explanations of declarations are set in by four blanks, those of fields are comments.
string(REGEX REPLACE "\n    [^\n]*" "\n" page "${page}")
string(REGEX REPLACE "\n\t+//[^\n]*" "\n" page "${page}")
string(REGEX REPLACE " +// [^\n]*" "" page "${page}")
string(REGEX REPLACE "\n\n+" "\n" page "${page}")
hold(go.txt "${page}")
