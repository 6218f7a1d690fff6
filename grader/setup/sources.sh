#!/usr/bin/env bash
# Prints a digest of each file that the emulator, the runner and the judges are built from, in the form of sha256sum.
# Usage: sources.sh REPOSITORY
set -euo pipefail
cd "$1"
find grader/Makefile grader/common grader/contract grader/emulator grader/judge grader/runner grader/checks handout/findings -type f \
    ! -path '*/__pycache__/*' -print0 | LC_ALL=C sort -z | xargs -0 sha256sum
