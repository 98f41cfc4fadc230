# Packs the module of Valkey and Redis as OUT: the folder NAME with lately.so, its page, the licences of what is in it. The same
# module gives the same bytes.
cmake_policy(VERSION 3.25)

execute_process(COMMAND mktemp -d OUTPUT_VARIABLE room OUTPUT_STRIP_TRAILING_WHITESPACE COMMAND_ERROR_IS_FATAL ANY)
set(readable OWNER_READ OWNER_WRITE GROUP_READ WORLD_READ)
file(COPY ${SOURCE}/engines/valkey/README.md ${SOURCE}/LICENSE-MIT ${SOURCE}/LICENSE-APACHE DESTINATION ${room}/${NAME}
    FILE_PERMISSIONS ${readable})
# A server loads no module that is not a program.
file(COPY ${MODULE} DESTINATION ${room}/${NAME} FILE_PERMISSIONS ${readable} OWNER_EXECUTE GROUP_EXECUTE WORLD_EXECUTE)
execute_process(COMMAND ${LICENCES} ${SOURCE} lately-module ${TARGET}
    OUTPUT_FILE ${room}/${NAME}/THIRD-PARTY.txt COMMAND_ERROR_IS_FATAL ANY)
file(REMOVE ${OUT})
execute_process(COMMAND tar --sort=name --mtime=@0 --owner=0 --group=0 --numeric-owner --mode=u=rwX,go=rX -cf ${room}/archive.tar ${NAME}
    WORKING_DIRECTORY ${room} COMMAND_ERROR_IS_FATAL ANY)
execute_process(COMMAND gzip -9 -n -c ${room}/archive.tar OUTPUT_FILE ${OUT} COMMAND_ERROR_IS_FATAL ANY)
file(REMOVE_RECURSE ${room})
message(STATUS "${OUT}")
