#!/usr/bin/env bash
# On a machine with an sm_90 GPU: runs each case of the built programs, and prints "CASE DIGEST" for each that finds
# what the CPU finds; `cutlass_cases.py --record FILE` takes that. The programs need libcudart.so on the loader's path.
# Usage: on-gpu.sh FOLDER
set -uo pipefail

for program in "$1"/*; do
    [ -x "$program" ] || continue
    for name in $("$program"); do
        said=$(timeout -s KILL 20 "$program" "$name")
        digest=$(sed -n 's/^digest //p' <<<"$said")
        if [ "$(tail -n 1 <<<"$said")" = ok ]; then
            echo "$name $digest"
        else
            echo "$name FAILED: $said"
        fi
    done
done
