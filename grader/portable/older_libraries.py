#!/usr/bin/env python3
"""Writes the assembly and the version script of a library to link against in place of one of this machine's: the same
name, and of each symbol the newest version that is not above a limit.

A program that is linked against it asks for no newer version, and so is taken by the loader of any system that has the
limit's (ELF gABI, "Symbol Versioning": ld.so compares a symbol's version by name). What came after the limit is not in
it, so a program that uses it does not link; newer_functions.c has what ours use.

Usage: older_libraries.py --limit GLIBC_2.31 --out FOLDER/libc.so.6 LIBRARY...
"""

from __future__ import annotations

import argparse
import re
import subprocess
from collections import defaultdict
from dataclasses import dataclass
from pathlib import Path

# A row of readelf --dyn-syms, which has sizes above 99999 in hexadecimal:
#    1190: 000000000009be70   265 IFUNC   GLOBAL DEFAULT   15 memcpy@@GLIBC_2.14
ROW = re.compile(r"^ *\d+: [0-9a-f]+ +(\w+) (FUNC|IFUNC|OBJECT|TLS) .* \d+ (\w+)@@?([\w.]+)$", re.MULTILINE)
# Where the assembler puts a symbol of a type, and what it calls the type.
PLACES = {
    "FUNC": (".text", "function"),
    "IFUNC": (".text", "function"),
    "OBJECT": (".data", "object"),
    "TLS": ('.section .tbss,"awT",@nobits', "tls_object"),
}


@dataclass(frozen=True)
class Symbol:
    name: str
    version: str
    kind: str  # of PLACES
    size: int


def number(version: str) -> tuple[str, tuple[int, ...]]:
    """GLIBC_2.2.5 as ("GLIBC", (2, 2, 5))."""
    family, _, digits = version.rpartition("_")
    return family, tuple(int(digit) for digit in digits.split(".")) if re.fullmatch(r"[\d.]+", digits) else ()


def symbols(library: Path) -> list[Symbol]:
    command = ["readelf", "--dyn-syms", "--wide", str(library)]
    printed = subprocess.run(command, check=True, capture_output=True, text=True).stdout
    return [Symbol(name, version, kind, int(size, 0)) for size, kind, name, version in ROW.findall(printed)]


def newest_allowed(found: list[Symbol], limits: dict[str, tuple[int, ...]]) -> list[Symbol]:
    """One symbol a name. A family of versions without a limit (GLIBC_PRIVATE is one) is left out."""
    newest: dict[str, Symbol] = {}
    for symbol in found:
        family, digits = number(symbol.version)
        if not digits or family not in limits or digits > limits[family]:
            continue
        known = newest.get(symbol.name)
        if known is None or number(known.version)[1] < digits:
            newest[symbol.name] = symbol
    return sorted(newest.values(), key=lambda symbol: symbol.name)


def assembly(chosen: list[Symbol]) -> str:
    lines = []
    for symbol in chosen:
        section, kind = PLACES[symbol.kind]
        lines += [
            section,
            f".globl {symbol.name}",
            f".type {symbol.name}, @{kind}",
            f".size {symbol.name}, {symbol.size}",
        ]
        lines.append(f"{symbol.name}: .skip {max(1, symbol.size) if symbol.kind != 'FUNC' else 1}")
    return "\n".join([*lines, '.section .note.GNU-stack,"",@progbits', ""])


def version_script(chosen: list[Symbol]) -> str:
    names = defaultdict(list)
    for symbol in chosen:
        names[symbol.version].append(symbol.name)
    nodes = [f"{version} {{ global: {'; '.join(names[version])}; }};" for version in sorted(names, key=number)]
    return "\n".join([*(nodes or ["{ local: *; };"]), ""])


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--limit", action="append", required=True)
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("libraries", type=Path, nargs="*")
    given = parser.parse_args()
    found = [symbol for library in given.libraries for symbol in symbols(library)]
    chosen = newest_allowed(found, dict(number(limit) for limit in given.limit))
    given.out.with_suffix(".s").write_text(assembly(chosen))
    given.out.with_suffix(".map").write_text(version_script(chosen))


if __name__ == "__main__":
    main()
