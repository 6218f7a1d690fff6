#!/usr/bin/env bash
# Makes what builds and runs the grader for aarch64 on an x86-64 machine: a cross compiler and qemu from Debian's
# packages, and in FOLDER
#     root   what programs find of their system: Debian's libraries for aarch64
#     wheels what NVIDIA's wheels for aarch64 hold
#     cuda   a toolkit whose nvcc runs here and compiles for there
#     g++    the cross compiler with those libraries
# Usage: setup.sh REPOSITORY FOLDER, with FOLDER relative to the repository
set -euo pipefail
cd "$1"
mkdir -p "$2"
folder=$(cd "$2" && pwd)
target=aarch64-linux-gnu
libraries=(libc6 libgcc-s1 libstdc++6 libzstd-dev libzstd1 liblz4-dev liblz4-1 libgtest-dev nlohmann-json3-dev)

fail() {
    echo "compile-aarch64: $*" >&2
    exit 1
}

need_tools() {
    local missing=()
    command -v $target-g++ >/dev/null || missing+=(g++-aarch64-linux-gnu)
    command -v qemu-aarch64-static >/dev/null || missing+=(qemu-user-static)
    [ ${#missing[@]} -eq 0 ] && return
    command -v apt-get >/dev/null || fail "this machine lacks (by Debian's names): ${missing[*]}"
    [ "$(id -u)" -eq 0 ] || fail "type this line, then run make again: sudo apt-get install -y ${missing[*]}"
    apt-get update >/dev/null && DEBIAN_FRONTEND=noninteractive apt-get install -y --no-install-recommends \
        "${missing[@]}" >"$folder/apt.log" 2>&1 || fail "apt-get could not install ${missing[*]}; $folder/apt.log has its messages"
}

# In a list of packages of its own: this machine goes on as if there were no aarch64.
fetch_libraries() {
    local apt=$folder/apt
    rm -rf "$apt" "$folder/root"
    mkdir -p "$apt/lists/partial" "$apt/cache/archives/partial" "$apt/packages" "$folder/root"
    (
        cd "$apt/packages"
        options=(-o APT::Architecture=arm64 -o APT::Architectures=arm64 -o APT::Sandbox::User=root
            -o Dir::State::Lists="$apt/lists" -o Dir::Cache="$apt/cache")
        apt-get "${options[@]}" update && apt-get "${options[@]}" download "${libraries[@]}"
    ) >"$folder/apt.log" 2>&1 || fail "apt-get could not fetch ${libraries[*]} for arm64; $folder/apt.log has its messages"
    for package in "$apt"/packages/*.deb; do dpkg-deb -x "$package" "$folder/root"; done
    rm -rf "$apt"
}

fetch_wheels() {
    rm -rf "$folder/wheels"
    mkdir -p "$folder/wheels"
    .venv/bin/python -m pip download -q --disable-pip-version-check --no-deps --require-hashes --only-binary :all: \
        --platform manylinux2014_aarch64 --platform manylinux_2_17_aarch64 -d "$folder/wheels" \
        -r grader/setup/requirements-cuda.txt || fail "pip could not fetch NVIDIA's wheels for aarch64"
    for wheel in "$folder"/wheels/*.whl; do
        .venv/bin/python -m zipfile -e "$wheel" "$folder/wheels" && rm "$wheel"
    done
}

# nvcc finds what it needs from where its own file stands, so that is a copy; the rest are links. Of targets it takes
# those whose folders are there.
make_toolkit() {
    local own wheels=$folder/wheels/nvidia/cu13 cuda=$folder/cuda
    own=$(readlink -f .venv/cuda)
    [ "$("$own/bin/nvcc" --version | sed -n 's/.*release \([0-9.]*\),.*/\1/p')" = 13.0 ] \
        || fail "nvcc and NVIDIA's wheels for aarch64 have to be of one version, 13.0: make setup CUDA=wheels"
    rm -rf "$cuda"
    mkdir -p "$cuda/own/bin" "$cuda/own/targets" "$cuda/targets/sbsa-linux/lib/stubs" "$cuda/bin"
    ln -s "$own"/bin/* "$cuda/own/bin/"
    rm "$cuda/own/bin/nvcc"
    cp "$own/bin/nvcc" "$cuda/own/bin/nvcc"
    ln -s "$own/nvvm" "$cuda/own/nvvm"
    ln -s ../../targets/sbsa-linux "$cuda/own/targets/sbsa-linux"
    ln -s "$wheels/include" "$cuda/targets/sbsa-linux/include"
    ln -s "$wheels"/lib/*.a "$wheels"/lib/*.so.* "$cuda/targets/sbsa-linux/lib/"
    ln -s libcudart.so.13 "$cuda/targets/sbsa-linux/lib/libcudart.so"
    ln -s targets/sbsa-linux/include "$cuda/include"
    ln -s targets/sbsa-linux/lib "$cuda/lib64"
    # As toolkit.sh does for this machine.
    grep -oE '\bcu[A-Z][A-Za-z0-9_]*' "$wheels/include/cuda.h" | sort -u | sed 's/.*/void &(void) {}/' |
        $target-g++ -x c -w -shared -fPIC -Wl,-soname,libcuda.so.1 -o "$cuda/lib64/stubs/libcuda.so" -
    cat >"$cuda/bin/nvcc" <<END
#!/bin/sh
NVCC_CCBIN=\${NVCC_CCBIN:-"$folder/g++"} exec "$cuda/own/bin/nvcc" --target-directory sbsa-linux "\$@"
END
    chmod +x "$cuda/bin/nvcc"
    ln -s ../own/bin/nvcc.profile "$cuda/bin/nvcc.profile"
}

make_compiler() {
    local root=$folder/root/usr
    cat >"$folder/g++" <<END
#!/bin/sh
exec $target-g++ "\$@" -idirafter "$root/include" -idirafter "$root/include/$target" -L"$root/lib/$target"
END
    chmod +x "$folder/g++"
}

need_tools
fetch_libraries
fetch_wheels
make_toolkit
make_compiler
