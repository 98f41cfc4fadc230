# Packs the sources as OUT: the folder lately-<version> with what git knows of the tree SOURCE, as it is there now. The same files
# give the same bytes. Recipes that build from source take this archive, since that of a tag is another one each time it is made.
cmake_policy(VERSION 3.25)

execute_process(COMMAND mktemp -d OUTPUT_VARIABLE room OUTPUT_STRIP_TRAILING_WHITESPACE COMMAND_ERROR_IS_FATAL ANY)
execute_process(COMMAND git ls-files --cached OUTPUT_FILE ${room}/files WORKING_DIRECTORY ${SOURCE} COMMAND_ERROR_IS_FATAL ANY)
execute_process(COMMAND tar --sort=name --mtime=@0 --owner=0 --group=0 --numeric-owner --mode=u=rwX,go=rX
        "--transform=flags=rh;s,^,lately-${VERSION}/," --files-from=${room}/files -cf ${room}/archive.tar
    WORKING_DIRECTORY ${SOURCE} COMMAND_ERROR_IS_FATAL ANY)
execute_process(COMMAND gzip -9 -n -c ${room}/archive.tar OUTPUT_FILE ${OUT} COMMAND_ERROR_IS_FATAL ANY)
file(REMOVE_RECURSE ${room})
message(STATUS "${OUT}")
