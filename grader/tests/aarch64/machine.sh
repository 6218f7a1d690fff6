#!/usr/bin/env bash
# Runs a command on a machine where programs for aarch64 run beside this one's own, under qemu. Nothing of this machine
# changes: what the kernel is told of such programs holds in a namespace of the command's.
# Usage: machine.sh FOLDER [--build BUILD] COMMAND [ARGUMENT...], with setup.sh's FOLDER. With --build, what is in BUILD is
# what the command finds in build/, and writes there.
set -euo pipefail

if [ "$1" != --inside ]; then
    folder=$(cd "$1" && pwd)
    shift
    export QEMU_LD_PREFIX=$folder/root
    exec unshare --user --map-root-user --mount -- "${BASH_SOURCE[0]}" --inside "$folder/qemu" "$@"
fi
qemu=$2
shift 2

fail() {
    echo "aarch64: $*" >&2
    exit 1
}

# Linux, "Kernel Support for miscellaneous Binary Formats": the head of an ELF file for aarch64. F: the interpreter is
# opened here, so that it is there in every sandbox.
elf='\x7fELF\x02\x01\x01\x00\x00\x00\x00\x00\x00\x00\x00\x00\x02\x00\xb7\x00'
mask='\xff\xff\xff\xff\xff\xff\xff\x00\xff\xff\xff\xff\xff\xff\xff\xff\xfe\xff\xff\xff'
known=/proc/sys/fs/binfmt_misc
{ mount -t binfmt_misc none $known && printf '%s' ":qemu-aarch64:M::$elf:$mask:$qemu:F" >$known/register; } 2>/dev/null \
    || fail "cannot tell the kernel of qemu-aarch64 in a namespace: this needs Linux 6.7 or later"
if [ "$1" = --build ]; then
    mount --bind "$2" build || fail "cannot put $2 in the place of build/"
    shift 2
fi
exec "$@"
