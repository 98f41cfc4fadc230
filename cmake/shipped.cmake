# How cargo builds what is installed, wherever that is: LATELY_SHIPPED is the environment that it gets. Nothing names a
# folder of this machine: the sources of others are in /cargo, ours in /lately. And nothing has the names of inner
# functions, a sixth of the shared library.

set(LATELY_CARGO_HOME $ENV{CARGO_HOME})
if(NOT LATELY_CARGO_HOME)
    set(LATELY_CARGO_HOME $ENV{HOME}/.cargo)
endif()
string(ASCII 31 between)
string(JOIN "${between}" flags
    --remap-path-prefix=${LATELY_CARGO_HOME}=/cargo --remap-path-prefix=${PROJECT_SOURCE_DIR}=/lately)
if(DEFINED ENV{RUSTFLAGS})
    string(REPLACE " " "${between}" given "$ENV{RUSTFLAGS}")
    string(APPEND flags "${between}${given}")
endif()
set(LATELY_REMAPS "${flags}")
# cargo would look for the job server of make, which a command at the terminal does not get, and complain.
set(LATELY_ALONE --unset=MAKEFLAGS)
set(LATELY_SHIPPED ${LATELY_ALONE} CARGO_ENCODED_RUSTFLAGS=${flags} CARGO_PROFILE_RELEASE_STRIP=symbols)
