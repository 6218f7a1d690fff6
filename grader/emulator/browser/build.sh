#!/usr/bin/env bash
# Compiles the module of the tensor-map explorer, tensor_map_module.h, to WebAssembly with the Zig compiler's clang,
# which .venv/site has from PyPI. Its first run compiles a C++ library too, which takes most of its time.
# Usage: build.sh REPOSITORY PYTHON FOLDER; writes FOLDER/tensor-map.wasm, or the reason why not to FOLDER/missing.txt
set -euo pipefail
cd "$1"
python=$2
folder=$3
mkdir -p "$folder/objects"
rm -f "$folder/missing.txt" "$folder/tensor-map.wasm"
export ZIG_GLOBAL_CACHE_DIR=$PWD/$folder/cache ZIG_LOCAL_CACHE_DIR=$PWD/$folder/cache

give_up() {
    echo "$1" >"$folder/missing.txt"
    echo "site: the tensor-map explorer's page will lack its module: $1" >&2
    exit
}

"$python" -c 'import ziglang' 2>/dev/null \
    || give_up "the package ziglang of grader/setup/requirements-explorer.txt is not installed."

flags=(-target wasm32-wasi -std=c++20 -Os -DNDEBUG -fno-exceptions -Wall -Wextra -Werror)
emulator=grader/emulator
sources=("$emulator"/browser/tensor_map_module.cpp "$emulator"/stats/banks.cpp
    "$emulator"/tma/{tile,tensor_map,tensor_map_rules,operation_rules}.cpp)
log=$folder/log
compile() {
    local source
    # One by one: compiling and linking in one step was seen to wait forever on a busy machine.
    for source in "${sources[@]}"; do
        timeout 300 "$python" -m ziglang c++ "${flags[@]}" -Igrader -c \
            -o "$folder/objects/$(basename "$source" .cpp).o" "$source" || return
    done
    timeout 300 "$python" -m ziglang c++ "${flags[@]}" -mexec-model=reactor -s \
        -o "$folder/objects/whole.wasm" "$folder"/objects/*.o
}
compile >"$log" 2>&1 || give_up "the compiler failed; $log has its messages."
mv "$folder/objects/whole.wasm" "$folder/tensor-map.wasm"
