#!/bin/sh
# Builds redis-server of Debian's own source with the C library's allocator and AddressSanitizer, in the folder $1, as
# $1/redis-server; and the module with AddressSanitizer, as $1/lately.so: what reads or writes where it must not ends the server.
# Fetches the source with lists of its own, so it changes nothing of this machine and needs no root. Needs Debian with dpkg-dev,
# gcc and make.
set -e
room=$1
mkdir -p "$room"

# The crates are built without their caller's choices, except the cargo that it means.
cd "$(dirname "$0")/module"
target=$(rustc -vV | sed -n 's/^host: //p')
RUSTC_BOOTSTRAP=1 RUSTFLAGS=-Zsanitizer=address CARGO_PROFILE_RELEASE_LTO=off \
    cargo build --release --locked --target "$target" --target-dir "$room/cargo"
cp "$room/cargo/$target/release/liblately_module.so" "$room/lately.so"
nm -D "$room/lately.so" | grep -q __asan_

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
nm -D redis-*/src/redis-server | grep -q __asan_init
cp redis-*/src/redis-server "$room/redis-server"
