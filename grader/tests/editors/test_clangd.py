"""An editor with clangd, told what the set-up writes for it, shows no error in what students and maintainers edit."""

import re
import subprocess
from pathlib import Path

import pytest

from tmagrade.basics.paths import HERE

CLANGD = next((HERE.root / ".venv/lib").glob("python3*/site-packages/clangd/data/bin/clangd"))

CUDA = sorted(
    path
    for pattern in ("labs/lab*/*.cu", "labs/common/**/*.cuh", "solutions/lab*/*.cu", "solutions/ladders/*.cu")
    for path in HERE.root.glob(pattern)
)
# One of each component: all of them take as long as a build.
CPP = [
    HERE.grader / name
    for name in (
        "judge/examine/examiner.cpp",
        "runner/worker.cpp",
        "emulator/isa/sync/fence.cpp",
        "emulator/check/order.cpp",
    )
]


def errors_in(path: Path) -> list[str]:
    command: list[str | Path] = [CLANGD, f"--check={path}", "--check-completion=0", "--check-locations=0"]
    said = subprocess.run(command, cwd=HERE.root, capture_output=True, text=True, errors="replace").stderr
    assert "All checks completed" in said, said[-2000:]
    # "E[05:46:02.115] [pp_file_not_found] Line 10: in included file: ..."
    return re.findall(r"^E\[[^]]*\] +\[\S+\] (Line .*)", said, re.MULTILINE)


@pytest.mark.parametrize("path", CUDA + CPP, ids=lambda path: str(path.relative_to(HERE.root)))
def test_clangd_shows_no_error(path: Path) -> None:
    assert errors_in(path) == []


def test_clangd_shows_a_mistake() -> None:
    """Otherwise the test above would find nothing in whatever clangd does."""
    lab = HERE.labs / "lab3-bulk-copy"
    wrong = lab / "clangd-test.cu"
    try:
        wrong.write_text('#include "tma-interface.cuh"\n__global__ void add() { no_such_function(); }\n')
        assert len(errors_in(wrong)) == 1
    finally:
        wrong.unlink()
