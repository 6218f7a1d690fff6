#!/usr/bin/env bash
# Makes .venv/cuda a link to a CUDA toolkit of version 12.8 or later: one found on this machine, or NVIDIA's
# wheels installed into .venv.
# Usage: toolkit.sh REPOSITORY auto|wheels
set -euo pipefail
cd "$1"
choice=$2
oldest=12.8

version_of() { "$1/bin/nvcc" --version 2>/dev/null | sed -n 's/.*release \([0-9.]*\),.*/\1/p'; }

suits() {
    local version
    [ -x "$1/bin/nvcc" ] && [ -e "$1/include/cuda.h" ] && [ -e "$1/include/cuda_runtime.h" ] || return 1
    version=$(version_of "$1")
    [ -n "$version" ] && [ "$(printf '%s\n' "$oldest" "$version" | sort -V | head -n 1)" = "$oldest" ]
}

# nvcc may be a link (/usr/bin/nvcc, update-alternatives): the toolkit is where the file itself stands.
on_path() { local nvcc; nvcc=$(command -v nvcc) && dirname "$(dirname "$(readlink -f "$nvcc")")"; }

find_toolkit() {
    local candidate
    for candidate in "${CUDA_HOME:-}" "$(on_path || true)" /usr/local/cuda /usr/local/cuda-1[2-9].*; do
        if [ -n "$candidate" ] && suits "$candidate"; then
            echo "$candidate"
            return
        fi
    done
    return 1
}

install_wheels() {
    local status=0 toolkit
    echo "set-up: CUDA toolkit from NVIDIA's wheels (about 150 MB to fetch)"
    # A release with its own packages has made an environment without pip.
    .venv/bin/python -c 'import pip' 2>/dev/null || .venv/bin/python -m ensurepip >/dev/null
    grader/setup/install.sh .venv/bin/python grader/setup/requirements-cuda.txt || status=$?
    if [ "$status" -eq 1 ]; then
        echo "set-up: no CUDA toolkit $oldest or later here (looked at CUDA_HOME, PATH and /usr/local/cuda), and" >&2
        echo "        pip could not fetch NVIDIA's wheels (its last lines are above). Install a toolkit from" >&2
        echo "        https://developer.nvidia.com/cuda-downloads or connect to a network, and run make again." >&2
    fi
    [ "$status" -eq 0 ] || exit 1
    toolkit=$(.venv/bin/python -c 'import sysconfig; print(sysconfig.get_path("purelib"))')/nvidia/cu13
    # The wheels hold lib/libcudart.so.13 alone; nvcc's own profile looks into lib64 and lib64/stubs.
    ln -sfn lib "$toolkit/lib64"
    ln -sfn libcudart.so.13 "$toolkit/lib/libcudart.so"
    make_driver_stub "$toolkit"
    found=$toolkit
}

# -lcuda needs a libcuda.so to link against, which the wheels lack: every function that cuda.h declares, empty.
# At run time the loader takes the libcuda.so.1 of the driver or of the emulator.
make_driver_stub() {
    mkdir -p "$1/lib/stubs"
    grep -oE '\bcu[A-Z][A-Za-z0-9_]*' "$1/include/cuda.h" | sort -u |
        sed 's/.*/void &(void) {}/' |
        g++ -x c -w -shared -fPIC -Wl,-soname,libcuda.so.1 -o "$1/lib/stubs/libcuda.so" -
}

if [ "$choice" = wheels ] || ! found=$(find_toolkit); then
    install_wheels
fi
# A part of .venv is named from there, so that it is this repository's wherever that is moved or copied.
found=${found#"$(pwd)/.venv/"}
found=${found#"$(pwd -P)/.venv/"}
if [ -L .venv/cuda ] && [ "$(readlink .venv/cuda)" != "$found" ]; then
    # What was built against another toolkit's headers is stale, and make cannot see that.
    rm -rf build/obj build/bin build/lib build/tests
fi
ln -sfn "$found" .venv/cuda
echo "set-up: CUDA $(version_of .venv/cuda) from $found"
