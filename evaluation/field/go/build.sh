#!/bin/sh
# Builds lately's C library from this tree, lays it out in a folder as pkg-config finds it, builds the program with it, and runs
# the tests: build.sh FOLDER
set -eu
root=$(cd ../../.. && pwd)
mkdir -p "$1"
folder=$(cd "$1" && pwd)
{
    cmake -S "$root" -B "$folder/cmake" -D CMAKE_BUILD_TYPE=Release -D LATELY_BUILD_CLI=OFF
    cmake --build "$folder/cmake" --target lately_rust
} >"$folder/library.log" 2>&1 || { tail -n 20 "$folder/library.log" >&2; exit 1; }
lib=$folder/prefix/lib
mkdir -p "$lib/pkgconfig" "$folder/prefix/include"
cp "$folder/cmake/lib/liblately.a" "$lib"
cp "$folder/cmake/lately-static.pc" "$lib/pkgconfig"
cp "$root"/include/*.h "$folder/prefix/include"
# Go's build cache does not know the library: the flag makes it link again when that has changed.
sum=$(cksum <"$lib/liblately.a" | tr -d ' ')
export PKG_CONFIG_PATH="$lib/pkgconfig" CGO_CFLAGS="-O2 -DLATELY_KEY=$sum"
go build -tags lately_static -o "$folder/field" .
go test -count=1 -tags lately_static ./... >"$folder/test.log" 2>&1 || { tail -n 30 "$folder/test.log" >&2; exit 1; }
