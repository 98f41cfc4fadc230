# cmake -D FILE=... -D "COMMAND=one|argument|after|another" -P keep_output.cmake: what the command prints goes to the file,
# if it succeeds. (After -P, cmake would take options of the command for its own.)
cmake_policy(VERSION 3.25)

string(REPLACE "|" ";" command "${COMMAND}")
execute_process(COMMAND ${command} OUTPUT_FILE ${FILE}.new COMMAND_ERROR_IS_FATAL ANY)
file(RENAME ${FILE}.new ${FILE})
