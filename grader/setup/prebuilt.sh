#!/usr/bin/env bash
# Puts the programs that the course's release holds into build/, where they are those of the sources that stand here:
# prebuilt/sources.sha256 has what they were built from. Where a source is another, says so and takes nothing of them;
# they come back when it is as it was.
# Usage: prebuilt.sh REPOSITORY
# Exit status: 0 where build/ holds them, 1 where what build/ is to hold must be compiled.
set -euo pipefail
cd "$1"
here=grader/setup
[ -e prebuilt/sources.sha256 ] || exit 1
in_use=build/bin/prebuilt.sha256

# Nothing that was prebuilt stays beside what is compiled. What compiling needs may not be there yet.
compile_instead() {
    echo "the programs of this release are not used: $1" >&2
    if [ -e "$in_use" ]; then rm -rf build/bin build/lib build/obj; fi
    "$here/packages.sh" to-compile || exit 2
    exit 1
}

changed=$({ diff <("$here/sources.sh" .) prebuilt/sources.sha256 || true; } | sed -n 's/^[<>] [0-9a-f]*  //p' | sort -u)
[ -z "$changed" ] || compile_instead "$(head -n 1 <<<"$changed") is not what they were built from"
if [ -e "$in_use" ] && cmp -s "$in_use" prebuilt/sources.sha256; then exit 0; fi

# On a GPU the toolkit's own runtime is loaded, which is not called the same in each version of CUDA.
runtime=$(cat prebuilt/runtime)
if [ -e /dev/nvidiactl ] && [ ! -e ".venv/cuda/lib64/$runtime" ] && [ ! -e ".venv/cuda/lib/$runtime" ]; then
    compile_instead "on this machine's GPU they need $runtime, which the toolkit here does not have"
fi
why=$(prebuilt/bin/tmaemu --version 2>&1 >/dev/null) || compile_instead "they do not run here: $why"

rm -rf build/bin build/lib build/obj
mkdir -p build
cp -R prebuilt/bin prebuilt/lib build/
cp prebuilt/sources.sha256 "$in_use"
