#!/bin/sh
# Installs on Debian what the tests of the module need and is missing: both servers, libclang, hiredis, venv of Python, what unpacks
# a source package. Does nothing where all of it is there; asks for root only if something is missing; if it gets none, it says
# what is missing and fails. Without apt-get it does nothing: the configuration names what is missing.
set -e
command -v apt-get >/dev/null || exit 0
missing=
need() { command -v "$1" >/dev/null || missing="$missing $2"; }
need redis-server redis-server
need valkey-server valkey-server
need python3 python3
need pkg-config pkg-config
need dpkg-source dpkg-dev
pkg-config --exists hiredis 2>/dev/null || missing="$missing libhiredis-dev"
python3 -c 'import ensurepip, venv' 2>/dev/null || missing="$missing python3-venv"
# libclang-cpp is another library, and comes with other packages.
ls /usr/lib/llvm-*/lib/ 2>/dev/null | grep -Eq '^libclang(-[0-9.]+)?\.so' || [ -n "${LIBCLANG_PATH:-}" ] || missing="$missing libclang-dev"
[ -n "$missing" ] || exit 0
if [ "$(id -u)" != 0 ]; then
    command -v sudo >/dev/null && exec sudo "$0"
    echo "As root: apt-get install$missing (valkey-server is among the backports of Debian 12)" >&2
    exit 1
fi
. /etc/os-release
# Debian 12 has it among its backports only, at the mirror that this machine uses.
if [ "${VERSION_CODENAME:-}" = bookworm ] && ! grep -rqs bookworm-backports /etc/apt/sources.list /etc/apt/sources.list.d; then
    mirror=$(cat /etc/apt/sources.list /etc/apt/sources.list.d/* 2>/dev/null |
        sed -n 's/^URIs: *\(.*\/debian\)\/* *$/\1/p; s/^deb \([^[][^ ]*\/debian\)\/* .*/\1/p' | head -n 1)
    echo "deb $mirror bookworm-backports main" >/etc/apt/sources.list.d/bookworm-backports.list
fi
apt-get update
# In this run level no service is started: the tests start their own servers.
RUNLEVEL=1 DEBIAN_FRONTEND=noninteractive apt-get install -y --no-install-recommends $missing
