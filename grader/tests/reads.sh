#!/bin/bash
# Stands for a compiler where it is to be known only that one would take all the files: `make COMPILER=tests/reads.sh`.
# GCC reads each file, with all warnings that need no optimization, and leaves an empty object; of empty objects
# nothing is linked. Takes a tenth of the time that a sanitized build does.
set -euo pipefail

output=
compiles=
for ((i = 1; i <= $#; i++)); do
    case ${!i} in
    -o) next=$((i + 1)) && output=${!next} ;;
    -c) compiles=yes ;;
    # What is only asked, or preprocessed, as nvcc does for the device.
    -dumpmachine | -E) exec g++ "$@" ;;
    esac
done
[ "$output" ] || exec g++ "$@"
if [ "$compiles" ]; then
    # A header that is to be compiled before is: the others are read behind it.
    case $output in *.gch) exec g++ "$@" ;; esac
    g++ -fsyntax-only "$@"
    as -o "$output" /dev/null
else
    touch "$output"
fi
