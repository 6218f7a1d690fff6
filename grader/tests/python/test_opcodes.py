"""What an instruction is stands once: in its definition. Nobody else tells instructions by their names."""

import re
from pathlib import Path

import pytest

EMULATOR = Path(__file__).parents[2] / "emulator"
LIST = Path(__file__).parents[3] / "handout" / "reference" / "instructions.md"
OPCODES = re.findall(r"^\| `([a-z]\w*)", LIST.read_text(), re.MULTILINE)
# Those that parse the text, hand it out modifier by modifier, and define what it means.
KNOW_THE_TEXT = ("ptx/", "isa/", "program/instruction.", "program/decoder.cpp")
# A look at the words of a mnemonic, which is split at its dots.
OF_A_MNEMONIC = re.compile(rf'(?:\.|->)(?:parts|mnemonic)\b|\bopcode\(\)|[!=]=\s*"(?:{"|".join(OPCODES)})"')


def looks_at_mnemonics(emulator: Path) -> list[str]:
    """Each line of the emulator that looks at an instruction's name and has no business with it."""
    found = []
    for file in sorted(emulator.rglob("*.h")) + sorted(emulator.rglob("*.cpp")):
        name = file.relative_to(emulator).as_posix()
        if name.startswith(KNOW_THE_TEXT):
            continue
        for number, line in enumerate(file.read_text().splitlines(), 1):
            if OF_A_MNEMONIC.search(line.split("//")[0]):
                found.append(f"{name}:{number}: {line.strip()}")
    return found


def test_the_list_of_instructions_is_read() -> None:
    assert {"add", "ld", "mbarrier", "shfl", "setp"} <= set(OPCODES)


def test_nobody_tells_an_instruction_by_its_name() -> None:
    assert looks_at_mnemonics(EMULATOR) == []


@pytest.mark.parametrize(
    "line",
    [
        'if (instruction.parts.front() == "ld") return true;',
        'return program.sites[site]->mnemonic.starts_with("mbarrier.");',
        'const bool stores = opcode == "st";',
    ],
)
def test_a_look_at_the_name_is_found(tmp_path: Path, line: str) -> None:
    (tmp_path / "check").mkdir()
    (tmp_path / "check" / "facts.cpp").write_text(line + "\n")
    assert looks_at_mnemonics(tmp_path) == [f"check/facts.cpp:1: {line}"]
