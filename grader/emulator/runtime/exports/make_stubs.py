#!/usr/bin/env python3
"""Writes what a replacement library needs so that it exports every name that CUDA's own exports.

NAMES lists what the real library exports (`nm -D`), a line a call: its name, and what further names append to it
(`cuCtxCreate _v2 _v3`). What only one version of the library has begins with its number (`13:cudaLogsCurrent`).

Names that the object files define are left alone. Of the others, a `_ptsz` or `_ptds` form (per-thread default stream)
jumps to the plain form, since streams hold no work here; the rest say that they are not modeled, with their name. The
version script gives every name the version that binaries ask for (`cudaMalloc@libcudart.so.13`), and hides everything
else.
"""

from __future__ import annotations

import argparse
import subprocess
from dataclasses import dataclass
from pathlib import Path

PER_THREAD_SUFFIXES = ("_ptsz", "_ptds")


def exported_names(listed: str, number: str) -> list[str]:
    """The names of the library's version with that number."""
    names = []
    for line in listed.splitlines():
        _, _, call = line.split()[0].rpartition(":")
        for form in line.split():
            only, _, end = form.rpartition(":")
            if only in ("", number):
                names.append(end if end == call else call + end)
    return names


def defined_names(objects: list[Path]) -> set[str]:
    """The global names that the object files define."""
    command = ["nm", "--defined-only", "--extern-only", "--format=posix", *map(str, objects)]
    output = subprocess.run(command, check=True, capture_output=True, text=True).stdout
    return {line.split()[0] for line in output.splitlines() if " " in line}


def plain_form(name: str) -> str | None:
    """The name of the call with the legacy default stream; None where this is no other form."""
    for suffix in PER_THREAD_SUFFIXES:
        if name.endswith(suffix):
            return name.removesuffix(suffix)
    return None


@dataclass(frozen=True)
class Machine:
    """How a function begins, goes on in another, and first makes the address of a place its argument."""

    begin: str
    jump: str  # {target}
    argument: str  # {place}


MACHINES = {
    "x86_64": Machine("endbr64", "jmp {target}@PLT", "leaq {place}(%rip), %rdi"),
    # bti c, which assemblers know by name from Armv8.5 on.
    "aarch64": Machine("hint 34", "b {target}", "adrp x0, {place}\n  add x0, x0, :lo12:{place}"),
}


def entry(name: str, machine: Machine) -> str:
    return f".globl {name}\n.type {name}, %function\n{name}:\n  {machine.begin}\n"


def alias(name: str, target: str, machine: Machine) -> str:
    return f"{entry(name, machine)}  {machine.jump.format(target=target)}\n"


def refusal(name: str, number: int, refuse: str, machine: Machine) -> str:
    return (
        f"{entry(name, machine)}  {machine.argument.format(place=f'.Lname{number}')}\n"
        f"  {machine.jump.format(target=refuse)}\n"
        f'.section .rodata\n.Lname{number}: .asciz "{name}"\n.text\n'
    )


def assembly(names: list[str], defined: set[str], refuse: str, machine: Machine) -> str:
    """The entry points that no object file defines; `refuse` is the function that says so."""
    parts = [".text\n"]
    for number, name in enumerate(names):
        if name in defined:
            continue
        if (target := plain_form(name)) is not None and target in defined:
            parts.append(alias(name, target, machine))
        else:
            parts.append(refusal(name, number, refuse, machine))
    parts.append('.section .note.GNU-stack,"",%progbits\n')
    return "".join(parts)


def version_script(names: list[str], version: str) -> str:
    """A linker version script; without a version the names are exported as they are."""
    listed = "".join(f"    {name};\n" for name in names)
    return f"{version}{' ' if version else ''}{{\n  global:\n{listed}  local: *;\n}};\n"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--names", type=Path, required=True)
    parser.add_argument("--machine", choices=MACHINES, required=True, help="that the library is for")
    parser.add_argument("--version", default="", help="version node of the names: all but the driver's have one")
    parser.add_argument("--refuse", required=True, help="the function that the other entry points call with their name")
    parser.add_argument("--assembly", type=Path, required=True, help="file to write")
    parser.add_argument("--version-script", type=Path, required=True, help="file to write")
    parser.add_argument("objects", type=Path, nargs="+")
    arguments = parser.parse_args()
    names = exported_names(arguments.names.read_text(), arguments.version.rpartition(".")[2])
    defined = defined_names(arguments.objects)
    arguments.assembly.write_text(assembly(names, defined, arguments.refuse, MACHINES[arguments.machine]))
    arguments.version_script.write_text(version_script(names, arguments.version))


if __name__ == "__main__":
    main()
