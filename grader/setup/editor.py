"""Writes what an editor's clangd reads: .clangd for the labs' CUDA, grader/compile_commands.json for the grader's C++.

Usage: editor.py REPOSITORY
"""

import json
import shlex
import subprocess
import sys
from pathlib import Path

OURS = "# Written by the set-up (grader/setup/editor.py); without this line it is left as it is.\n"


def main() -> None:
    repository = Path(sys.argv[1]).resolve()
    settings = repository / ".clangd"
    if not settings.exists() or settings.read_text(encoding="utf-8").startswith(OURS):
        settings.write_text(OURS + cuda_settings(repository), encoding="utf-8")
    commands = json.dumps(compile_commands(repository / "grader"), indent=1)
    (repository / "grader/compile_commands.json").write_text(commands + "\n", encoding="utf-8")


def cuda_settings(repository: Path) -> str:
    """For whoever writes a lab: as nvcc compiles it (tmagrade/building/nvcc.py)."""
    toolkit = repository / ".venv/cuda"
    flags = [
        *["-xcuda", "-std=c++20", "--cuda-gpu-arch=sm_90a", f"--cuda-path={toolkit}"],
        # clang knows the toolkits that were there before it.
        "-Wno-unknown-cuda-version",
        f"-I{repository / 'labs/common'}",
        f"-I{repository / 'solutions'}",  # the ladders include a solution
        f"-isystem{toolkit / 'include/cccl'}",
        # What CUDA's headers have for nvcc alone, or clang's do not have.
        "-D_CG_CLUSTER_INTRINSICS_AVAILABLE",
        f"-include{repository / 'grader/setup/editor/clang-lacks.h'}",
    ]
    listed = "".join(f"    - {json.dumps(flag)}\n" for flag in flags)
    return (
        "If:\n"
        "  PathMatch: (.*/)?(labs|solutions)/.*\\.cuh?\n"
        "CompileFlags:\n"
        "  Add:\n"
        f"{listed}"
        "Diagnostics:\n"
        # A constant string as a part of an instruction: nvcc has it since CUDA 12.
        "  Suppress: [asm_invalid_input_constraint]\n"
    )


def compile_commands(grader: Path) -> list[dict[str, str]]:
    # Relative paths, because make splits at spaces.
    asked = ["make", "-s", "--no-print-directory", "BUILD=../build", "CUDA_HOME=../.venv/cuda", "flags"]
    flags = shlex.split(subprocess.run(asked, cwd=grader, capture_output=True, text=True, check=True).stdout)
    sources = sorted(path.relative_to(grader) for path in grader.rglob("*.cpp"))
    return [
        {
            "directory": str(grader),
            "file": str(source),
            "command": shlex.join(["g++", *flags, "-c", str(source)]),
        }
        for source in sources
    ]


if __name__ == "__main__":
    main()
