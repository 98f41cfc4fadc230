#!/bin/sh
# Builds the jar of lately's Java binding from this tree, and with it the program, with its tests: build.sh FOLDER
set -eu
root=$(cd ../../.. && pwd)
mkdir -p "$1"
folder=$(cd "$1" && pwd)
{
    cmake -S "$root" -B "$folder/jar" -D CMAKE_BUILD_TYPE=Release -D LATELY_JAR=ON -D LATELY_BUILD_CLI=OFF -D LATELY_INSTALL=OFF
    cmake --build "$folder/jar" --target lately_java_jar
    mvn --batch-mode --no-transfer-progress -Dlately.jar="$folder/jar/java/lately.jar" -Dlately.build="$folder/maven" clean package
} >"$folder/build.log" 2>&1 || { tail -n 30 "$folder/build.log" >&2; exit 1; }
