"""handout/inside/add-a-finding.md does what it says: its lines are put where it says, in a copy of the emulator."""

import json
import re
import shutil
import subprocess
from pathlib import Path

import pytest

from tmagrade.basics.paths import HERE

PAGE = HERE.root / "handout/inside/add-a-finding.md"
# <!-- into: path, behind: "text" -->, and the fenced block below it.
INTO = re.compile(r'^<!-- into: (\S+), behind: "([^"\n]+)" -->\n```\w*\n(.*?)^```$', re.MULTILINE | re.DOTALL)
COMPILER = ["g++", "-std=c++20", "-Wall", "-Wextra", "-Werror", "-I."]
PROGRAM = """
#include <cstdio>
#include "emulator/launcher/registry.h"
int main() { std::puts(launcher::registry_json().c_str()); }
"""


@pytest.fixture
def copy(tmp_path: Path) -> Path:
    for folder in ("emulator", "contract", "common"):
        shutil.copytree(HERE.grader / folder, tmp_path / "grader" / folder)
    shutil.copytree(HERE.grader / "tests/emulator", tmp_path / "grader/tests/emulator")
    return tmp_path


def steps() -> list[tuple[str, str, str]]:
    return INTO.findall(PAGE.read_text())


def follow(root: Path, path: str, behind: str, added: str) -> None:
    lines = (root / path).read_text().splitlines(keepends=True)
    [place] = [index for index, line in enumerate(lines) if behind in line]
    # A row of a table or a call may go on in the lines below.
    whole = lines[place]
    while whole.count("{") != whole.count("}") or whole.count("(") != whole.count(")"):
        place += 1
        whole += lines[place]
    lines.insert(place + 1, added)
    (root / path).write_text("".join(lines))


def compiled(root: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run([*COMPILER, *arguments], cwd=root / "grader", capture_output=True, text=True)


def registry_of(root: Path) -> subprocess.CompletedProcess[str]:
    (root / "grader/main.cpp").write_text(PROGRAM)
    sources = ["main.cpp", "emulator/launcher/registry.cpp", "contract/findings/finding_codes.cpp"]
    return compiled(root, "-o", "registry", *sources)


def test_who_follows_the_page_has_a_finding(copy: Path) -> None:
    for step in steps():
        follow(copy, *step)
    built = registry_of(copy)
    assert built.returncode == 0, built.stderr
    registry = json.loads(subprocess.run([copy / "grader/registry"], capture_output=True, text=True).stdout)
    [code] = [row for row in registry["codes"] if row["code"] == "empty-copy"]
    assert (code["kind"], code["cost"], code["page"]) == ("finding", "nothing", "handout/findings/empty-copy.md")
    [sentence] = [row for row in registry["sentences"] if row["code"] == "empty-copy"]
    assert sentence["help"] == "leave the copy out, or count its bytes"


@pytest.mark.parametrize("file", ["emulator/isa/tma/bulk_copy.cpp", "tests/emulator/findings_of_kernels_test.cpp"])
def test_what_the_page_reports_and_tests_compiles(copy: Path, file: str) -> None:
    for step in steps():
        follow(copy, *step)
    include = HERE.root / ".venv/cuda/include"
    checked = compiled(copy, "-fsyntax-only", "-isystem", str(include), file)
    assert checked.returncode == 0, checked.stderr


def test_a_sentence_whose_code_has_no_row_does_not_compile(copy: Path) -> None:
    [sentence] = [step for step in steps() if step[0].endswith("tensor_maps.def")]
    follow(copy, *sentence)
    built = registry_of(copy)
    assert built.returncode != 0
    assert "empty_copy" in built.stderr


def test_a_sentence_and_a_code_are_a_row_each() -> None:
    names = [Path(path).name for path, _, _ in steps()]
    assert names == ["tensor_maps.def", "codes.def", "bulk_copy.cpp", "findings_of_kernels_test.cpp"]
