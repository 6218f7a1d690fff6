#!/usr/bin/env bash
# Checks for the distribution's packages that the grader builds on. Installs what is missing as root or
# through passwordless sudo; otherwise prints the one line to type and stops. Where the release holds all of ours prebuilt,
# nvcc's own host compiler is enough, as long as nothing is to be compiled.
# Usage: packages.sh [to-compile]
set -euo pipefail

missing=()
need() { missing+=("$1"); }
has_header() { echo "#include <$1>" | g++ -std=c++20 -E -x c++ - >/dev/null 2>&1; }

gxx_major() { g++ -dumpversion 2>/dev/null | cut -d. -f1; }
need_gxx() { [ "$(gxx_major || true)" ] && [ "$(gxx_major)" -ge "$1" ] || need g++; }

if [ -e prebuilt/sources.sha256 ] && [ "${1:-}" != to-compile ]; then
    need_gxx 10
else
    need_gxx 12
    command -v bwrap >/dev/null || need bubblewrap
    # Debian's python3 comes without ensurepip, which python3-venv brings.
    python3 -c 'import ensurepip, venv' 2>/dev/null || need python3-venv
    # Without a compiler no header can be looked up: name them all, apt skips those that are there.
    has_header gtest/gtest.h || need libgtest-dev
    has_header zstd.h || need libzstd-dev
    has_header lz4.h || need liblz4-dev
    has_header nlohmann/json.hpp || need nlohmann-json3-dev
fi

[ ${#missing[@]} -eq 0 ] && exit 0

if ! command -v apt-get >/dev/null; then
    echo "set-up: this machine lacks (by Debian's names): ${missing[*]}" >&2
    echo "        Install them with your distribution's package manager, then run make again." >&2
    exit 1
fi

if [ "$(id -u)" -eq 0 ]; then
    as_root=()
elif sudo -n true 2>/dev/null; then
    as_root=(sudo -n)
else
    echo "set-up: some packages are missing. Type this line, then run make again:" >&2
    echo "    sudo apt-get update && sudo apt-get install -y ${missing[*]}" >&2
    exit 1
fi

echo "set-up: apt-get install ${missing[*]}"
log=$(mktemp)
trap 'rm -f "$log"' EXIT
export DEBIAN_FRONTEND=noninteractive
if ! { "${as_root[@]}" apt-get update &&
    "${as_root[@]}" apt-get install -y --no-install-recommends "${missing[@]}"; } >"$log" 2>&1; then
    tail -n 15 "$log" >&2
    echo "set-up: apt-get could not install ${missing[*]} (its last lines are above)." >&2
    exit 1
fi
