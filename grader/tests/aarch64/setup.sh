#!/usr/bin/env bash
# Makes what builds and runs the grader for aarch64 on an x86-64 machine: a cross compiler from Debian's packages, and in
# FOLDER
#     qemu   what runs programs for aarch64
#     root   what they find of their system: Debian's libraries for aarch64
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
    [ ${#missing[@]} -eq 0 ] && return
    command -v apt-get >/dev/null || fail "this machine lacks (by Debian's names): ${missing[*]}"
    local as_root=(sudo -n)
    [ "$(id -u)" -ne 0 ] || as_root=()
    "${as_root[@]}" true 2>/dev/null || fail "type this line, then run make again: sudo apt-get install -y ${missing[*]}"
    "${as_root[@]}" apt-get update >/dev/null &&
        "${as_root[@]}" env DEBIAN_FRONTEND=noninteractive apt-get install -y --no-install-recommends "${missing[@]}" \
            >"$folder/apt.log" 2>&1 || fail "apt-get could not install ${missing[*]}; $folder/apt.log has its messages"
}

# This machine's distribution and its release: where it keeps its packages for both machines.
source_lists() {
    local ID VERSION_CODENAME
    . /etc/os-release
    release=$VERSION_CODENAME
    case $ID in
        debian)
            local all=http://deb.debian.org/debian
            for_here=("$all $release main" "$all $release-backports main")
            for_aarch64=("$all $release main")
            ;;
        ubuntu)
            local all=http://archive.ubuntu.com/ubuntu
            for_here=("$all $release main universe" "$all $release-backports main universe")
            for_aarch64=("http://ports.ubuntu.com/ubuntu-ports $release main universe")
            ;;
        *) fail "this needs Debian or Ubuntu, and here is $ID" ;;
    esac
    keys=/usr/share/keyrings/$ID-archive-keyring.gpg
}

# Unpacks packages in a folder, by a list of packages of its own: this machine goes on as if they were not there.
# Usage: fetch FOLDER OPTION... -- SOURCE... -- PACKAGE...
fetch() {
    local into=$1 apt=$folder/apt options=() sources=()
    shift
    while [ "$1" != -- ]; do options+=("$1") && shift; done
    shift
    while [ "$1" != -- ]; do sources+=("$1") && shift; done
    shift
    rm -rf "$apt" "$into"
    mkdir -p "$apt/lists/partial" "$apt/cache/archives/partial" "$apt/packages" "$into"
    printf "deb [signed-by=$keys] %s\n" "${sources[@]}" >"$apt/sources.list"
    options+=(-o APT::Sandbox::User=root -o Dir::State::Lists="$apt/lists" -o Dir::Cache="$apt/cache"
        -o Dir::Etc::SourceList="$apt/sources.list" -o Dir::Etc::SourceParts=/dev/null)
    (
        cd "$apt/packages"
        apt-get "${options[@]}" update && apt-get "${options[@]}" download "$@"
    ) >"$folder/apt.log" 2>&1 || fail "apt-get could not fetch $*; $folder/apt.log has its messages"
    for package in "$apt"/packages/*.deb; do dpkg-deb -x "$package" "$into"; done
    rm -rf "$apt"
}

fetch_libraries() {
    fetch "$folder/root" -o APT::Architecture=arm64 -o APT::Architectures=arm64 -- "${for_aarch64[@]}" -- "${libraries[@]}"
}

# Before version 8, qemu's table of pages held 24 bytes for each that a program reserves: 12 GB for tmaemu's two tebibytes
# of addresses, and ten seconds at each start.
fetch_qemu() {
    local known program
    rm -f "$folder/qemu"
    for known in qemu-aarch64-static qemu-aarch64; do
        is_new_enough "$known" && ln -s "$(command -v $known)" "$folder/qemu" && return
    done
    fetch "$folder/unpacked" -t "$release-backports" -- "${for_here[@]}" -- qemu-user qemu-user-static
    for program in "$folder"/unpacked/usr/bin/qemu-aarch64*; do
        is_new_enough "$program" && mv "$program" "$folder/qemu" && rm -rf "$folder/unpacked" && return
    done
    fail "$release has no qemu of version 8 or later"
}

is_new_enough() {
    local version
    version=$("$1" --version 2>/dev/null | sed -n '1s/.*version \([0-9]*\).*/\1/p')
    [ "${version:-0}" -ge 8 ]
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
source_lists
fetch_qemu
fetch_libraries
fetch_wheels
make_toolkit
make_compiler
