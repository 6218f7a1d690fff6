"""The kernels of a program as PTX, to tell whether a mutation has changed any."""

from __future__ import annotations

import hashlib
import re
from pathlib import Path

ENTRY = re.compile(r"^\.visible \.entry (\w+)\(", re.MULTILINE)
NO_CODE = re.compile(r"^\s*(?:\.loc|\.file|//|\$L__tmp|$)")
KERNEL = re.compile(r"__global__(?P<head>[^{;]*)[{;]")


def kernels(folder: Path) -> dict[str, str]:
    """A digest of each kernel, by its mangled name."""
    found: dict[str, str] = {}
    for file in sorted(folder.glob("*.ptx")):
        text = re.split(r"^\s*\.section|^\.file", file.read_text(), maxsplit=1, flags=re.MULTILINE)[0]
        begins = list(ENTRY.finditer(text))
        for begin, end in zip(begins, [*(b.start() for b in begins[1:]), len(text)]):
            lines = [line for line in text[begin.start() : end].splitlines() if not NO_CODE.match(line)]
            body = re.sub(r"\$L__BB\d+_", "$L__BB_", "\n".join(lines))
            found[f"{file.name} {begin[1]}"] = hashlib.sha256(body.encode()).hexdigest()
    return found


def names_of_kernels(code: str) -> set[str]:
    """Those that a piece of source defines."""
    names = set()
    for kernel in KERNEL.finditer(code):
        head = re.sub(r"__\w+__\s*\([^()]*\)", " ", kernel["head"])
        if name := re.search(r"(\w+)\s*\(", head):
            names.add(name[1])
    return names


def changed(before: dict[str, str], after: dict[str, str], names: set[str]) -> bool:
    """Whether any kernel of these names (all, without names) is another one."""
    if not names:
        return before != after
    marks = tuple(f"{len(name)}{name}" for name in names)
    return any(
        before.get(kernel) != after.get(kernel)
        for kernel in before.keys() | after.keys()
        if any(mark in kernel for mark in marks)
    )
