#!/usr/bin/env bash
# Compiles what pages of the book run to WebAssembly, as the Makefile beside this says, or writes the reason why not to
# build/browser/missing.txt: the book is made without it then, and says so.
# Usage: build.sh REPOSITORY PYTHON JOBS, with PYTHON relative to the repository
set -euo pipefail
cd "$1"
python=$2
folder=build/browser
mkdir -p "$folder"
rm -f "$folder/missing.txt"

give_up() {
    echo "$1" >"$folder/missing.txt"
    rm -f "$folder"/*.wasm
    echo "site: pages that run something will lack it: $1" >&2
    exit
}

"$python" -c 'import ziglang' 2>/dev/null \
    || give_up "the package ziglang of grader/setup/requirements-explorer.txt is not installed."
case $python in
    */*) python=../../../$python ;;
esac
log=$folder/log
MAKEFLAGS='' make -s -C grader/emulator/browser -j"$3" PYTHON="$python" OUT=../../../build/browser >"$log" 2>&1 \
    || give_up "the compiler failed; $log has its messages."
