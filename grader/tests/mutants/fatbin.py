"""A program with other kernels: only these are compiled anew, and take the place of the old ones in the file."""

from __future__ import annotations

import struct
from pathlib import Path

MAGIC = 0xBA55ED50
HEADER = struct.Struct("<IHHQ")  # magic, version, bytes of this header, bytes behind it


def place_of_fatbin(binary: bytes) -> tuple[int, int]:
    """Where the largest fat binary of a program begins and ends."""
    magic = struct.pack("<I", MAGIC)
    found: list[tuple[int, int]] = []
    place = binary.find(magic)
    while place >= 0:
        _, version, header, rest = HEADER.unpack_from(binary, place)
        if version == 1 and header == HEADER.size and place + header + rest <= len(binary):
            found.append((place, place + header + rest))
        place = binary.find(magic, place + 1)
    return max(found, key=lambda each: each[1] - each[0])


def with_other_kernels(program: Path, fatbin: Path, to: Path) -> None:
    """The program was built with -no-compress, so that a compressed fat binary has room in it."""
    binary = bytearray(program.read_bytes())
    begin, end = place_of_fatbin(bytes(binary))
    other = fatbin.read_bytes()
    if len(other) > end - begin:
        raise ValueError(f"{fatbin} is larger than what it replaces")
    binary[begin:end] = other.ljust(end - begin, b"\0")
    to.write_bytes(binary)
    to.chmod(0o755)
