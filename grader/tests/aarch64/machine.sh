#!/usr/bin/env bash
# Runs a command on a machine where programs for aarch64 run beside this one's own, under qemu. Nothing of this machine
# changes: what the kernel is told of such programs holds in a namespace of the command's.
# Usage: machine.sh FOLDER COMMAND [ARGUMENT...], with setup.sh's FOLDER
set -euo pipefail

if [ "$1" != --inside ]; then
    root=$(cd "$1/root" && pwd)
    shift
    export QEMU_LD_PREFIX=$root
    # Where somebody has told the kernel for all.
    grep -qs '^enabled' /proc/sys/fs/binfmt_misc/qemu-aarch64 && exec "$@"
    exec unshare --user --map-root-user --mount -- "${BASH_SOURCE[0]}" --inside "$@"
fi
shift

fail() {
    echo "compile-aarch64: $*: this needs Linux 6.7 or later, or a kernel that has been told of qemu-aarch64 by root" \
        "(Debian's packages qemu-user-static and binfmt-support do)" >&2
    exit 1
}

# Linux, "Kernel Support for miscellaneous Binary Formats": the head of an ELF file for aarch64. F: the interpreter is
# opened here, so that it is there in every sandbox.
elf='\x7fELF\x02\x01\x01\x00\x00\x00\x00\x00\x00\x00\x00\x00\x02\x00\xb7\x00'
mask='\xff\xff\xff\xff\xff\xff\xff\x00\xff\xff\xff\xff\xff\xff\xff\xff\xfe\xff\xff\xff'
known=/proc/sys/fs/binfmt_misc
mount -t binfmt_misc none $known 2>/dev/null || fail "cannot mount $known in a namespace"
printf '%s' ":qemu-aarch64:M::$elf:$mask:$(command -v qemu-aarch64-static):F" >$known/register 2>/dev/null \
    || fail "cannot register qemu-aarch64-static"
exec "$@"
