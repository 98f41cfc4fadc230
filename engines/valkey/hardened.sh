#!/bin/sh
# Builds redis-server of Debian's own source with the C library's allocator and AddressSanitizer, in the folder $1, as
# $1/redis-server: what reads or writes where it must not ends it. Fetches with lists of its own, so it changes nothing of this
# machine and needs no root. Needs apt-get, dpkg-source, gcc and make.
set -e
room=$1
[ -x "$room/redis-server" ] && exit 0
mkdir -p "$room/lists/partial" "$room/source"
apt-get indextargets --format '$(REPO_URI) $(RELEASE) $(COMPONENT)' \
    'Origin: Debian' 'Created-By: Packages' 'Component: main' | grep -v backports | sort -u |
    sed 's,^,deb-src [signed-by=/usr/share/keyrings/debian-archive-keyring.gpg] ,' >"$room/sources.list"
fetch() {
    apt-get -q -o Dir::Etc::SourceList="$room/sources.list" -o Dir::Etc::SourceParts=/dev/null \
        -o Dir::State::Lists="$room/lists" -o Dir::Cache::srcpkgcache= -o Dir::Cache::pkgcache= "$@"
}
fetch update
cd "$room/source"
fetch source redis
make -C redis-*/src -j"${JOBS:-2}" redis-server MALLOC=libc SANITIZER=address BUILD_TLS=no USE_SYSTEMD=no
cp redis-*/src/redis-server "$room/redis-server"
