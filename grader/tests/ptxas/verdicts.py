"""What ptxas makes of the main loop that the guide prints, and of changes to it: compiles what variants.toml says,
counts in the machine code, and writes the table of handout/reference/ptxas-wgmma.md between its marks."""

from __future__ import annotations

import re
import struct
import subprocess
import sys
import tempfile
import tomllib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

HERE = Path(__file__).resolve().parent
ROOT = HERE.parents[2]
PAGE = ROOT / "handout/reference/ptxas-wgmma.md"
PROGRAM = ROOT / "handout/guide/wgmma/main-loop.cu"
BEGIN, END = "<!-- begin: variants.toml -->\n", "<!-- end -->\n"
KERNEL = re.compile(r"^// BEGIN KERNEL\n(.*?)^// END KERNEL\n", re.MULTILINE | re.DOTALL)

REMARK = re.compile(r"^ptxas info\s*: \((C\d+)\)(.*)$", re.MULTILINE)
# C7508 names no function: a kernel without launch bounds is compiled by itself.
WITHOUT_BOUNDS = "C7508"

# An instruction of sm_90 has 16 bytes, two words; the lowest nine bits say what it is.
OPERATION = 0x1FF
PRODUCT, WARPGROUP = 0x1F0, 0x1C5  # HGMMA; WARPGROUP.ARRIVE and WARPGROUP.DEPBAR
NO_REGISTER = 0xFF  # RZ: of an HGMMA that ptxas adds, since a group has to have one

# What is under way at the same time as what.
Overlap = Literal["of steps", "within a step", "none"]


@dataclass(frozen=True)
class Variant:
    change: str
    says: tuple[str, ...]
    overlap: Overlap
    kernel: str


@dataclass(frozen=True)
class Instruction:
    """Of the machine code: a product, which may end a group, or a wait."""

    product: bool  # one whose sums are kept
    ends_group: bool
    leaves: int | None = None  # how many groups a wait leaves pending


@dataclass(frozen=True)
class Verdict:
    remarks: dict[str, str]  # the words of each, by its code
    products: int
    waits: tuple[int, ...]
    overlap: Overlap

    @property
    def says(self) -> tuple[str, ...]:
        return tuple(sorted(self.remarks))


def edited(kernel: str, edits: Sequence[Sequence[str]]) -> str:
    for old, new in edits:
        assert kernel.count(old) == 1, f"{old!r} is in the kernel {kernel.count(old)} times"
        kernel = kernel.replace(old, new)
    return kernel


def variants() -> list[Variant]:
    match = KERNEL.search(PROGRAM.read_text())
    assert match
    rows = tomllib.loads((HERE / "variants.toml").read_text())["variant"]
    return [
        Variant(row["change"], tuple(row["says"]), row["overlap"], edited(match[1], row.get("edits", [])))
        for row in rows
    ]


def source_of(kernels: dict[str, str]) -> str:
    """One text with all kernels, each in a namespace with its name."""
    before = KERNEL.split(PROGRAM.read_text())[0]
    return before + "".join(f"namespace {name} {{\n{kernel}}}\n" for name, kernel in kernels.items())


def version(nvcc: Path) -> str:
    printed = subprocess.run([nvcc.with_name("ptxas"), "--version"], capture_output=True, text=True, check=True)
    found = re.search(r"\bV([\d.]+)$", printed.stdout, re.MULTILINE)
    assert found, printed.stdout
    return found[1]


def verdicts(nvcc: Path) -> list[Verdict]:
    """ptxas' verdict on each variant."""
    named = {f"variant_{number}": variant for number, variant in enumerate(variants())}
    alone = {name for name, variant in named.items() if WITHOUT_BOUNDS in variant.says}
    found: dict[str, Verdict] = {}
    for names in [set(named) - alone, *({name} for name in alone)]:
        found |= compiled(nvcc, {name: variant.kernel for name, variant in named.items() if name in names})
    return [found[name] for name in named]


def compiled(nvcc: Path, kernels: dict[str, str]) -> dict[str, Verdict]:
    with tempfile.TemporaryDirectory() as folder:
        source, cubin = Path(folder) / "variants.cu", Path(folder) / "variants.cubin"
        source.write_text(source_of(kernels))
        command: list[str | Path] = [nvcc, "-cubin", "-arch=sm_90a", "-std=c++20", "-diag-suppress=177", "-o", cubin]
        command += [f"-I{ROOT / 'labs/common'}", f"-I{PROGRAM.parent}", source]
        ran = subprocess.run(command, capture_output=True, text=True)
        assert ran.returncode == 0, ran.stderr
        remarks = REMARK.findall(ran.stdout + ran.stderr)
        code = dict(code_of(cubin.read_bytes()))
    return {name: verdict(name, remarks, code, alone=len(kernels) == 1) for name in kernels}


def verdict(name: str, remarks: list[tuple[str, str]], sections: dict[str, bytes], alone: bool) -> Verdict:
    said = {code: words for code, words in remarks if alone or f"N{len(name)}{name}" in words}
    text = b"".join(text for section, text in sections.items() if f"N{len(name)}{name}" in section)
    made = list(instructions(text))
    waits = tuple(each.leaves for each in made if each.leaves is not None)
    return Verdict(said, sum(each.product for each in made), waits, overlap(made))


def instructions(code: bytes) -> Iterator[Instruction]:
    for low, high in struct.iter_unpack("<QQ", code):
        if low & OPERATION == PRODUCT:
            yield Instruction(product=low >> 16 & 0xFF != NO_REGISTER, ends_group=high >> 20 & 7 == 0)
        elif low & OPERATION == WARPGROUP and low >> 47 & 1:
            yield Instruction(product=False, ends_group=False, leaves=high >> 8 & 7)


def overlap(made: list[Instruction]) -> Overlap:
    """What is under way when the products of the next step begin: the last wait is the one behind the loop."""
    groups: list[int] = [0]  # products in each; the last one is open
    at_once: list[int] = []  # products that begin from one wait to the next
    pending: list[int] = []  # products that a wait leaves
    for each in made:
        if each.leaves is None:
            groups[-1] += each.product
            groups += [0] if each.ends_group else []
        else:
            at_once.append(sum(groups))
            groups = groups[max(0, len(groups) - 1 - each.leaves) : -1] + [0]
            pending.append(sum(groups))
    if all(pending[:-1]) and len(pending) > 1:
        return "of steps"
    # Where each product is waited for, every wait is for all; a single product with another wait has a loop of its own.
    return "within a step" if max(at_once) > 1 or any(each.leaves for each in made) else "none"


def code_of(elf: bytes) -> Iterator[tuple[str, bytes]]:
    """The sections of a 64-bit ELF file that hold machine code, by their names."""
    (table,) = struct.unpack_from("<Q", elf, 40)
    size, count, names_at = struct.unpack_from("<HHH", elf, 58)
    headers = [struct.unpack_from("<IIQQQQ", elf, table + i * size) for i in range(count)]
    names = headers[names_at][4]
    for name, _, _, _, begin, length in headers:
        first = names + name
        text = elf[first : elf.index(b"\0", first)].decode()
        if text.startswith(".text."):
            yield text, elf[begin : begin + length]


def table(found: list[Verdict]) -> str:
    lines = ["| the change | `ptxas` says | products | waits | overlap |", "|---|---|---|---|---|"]
    for variant, each in zip(variants(), found, strict=True):
        said = ", ".join(each.says) or "nothing"
        lines.append(f"| {variant.change} | {said} | {each.products} | {in_words(each.waits)} | {each.overlap} |")
    return "\n".join(lines) + "\n"


def in_words(waits: tuple[int, ...]) -> str:
    if len(waits) > 2 and not any(waits):
        return f"{len(waits)} times 0"
    return ", ".join(map(str, waits))


def with_table(page: str, of: str, found: list[Verdict]) -> str:
    """The page with the table of what this version of ptxas makes of the variants."""
    before, rest = page.split(BEGIN)
    _, after = rest.split(END)
    return f"{before}{BEGIN}\n`ptxas` {of}, `-arch=sm_90a`:\n\n{table(found)}\n{END}{after}"


if __name__ == "__main__":
    compiler = Path(sys.argv[1])
    PAGE.write_text(with_table(PAGE.read_text(), version(compiler), verdicts(compiler)))
