"""What students receive: the one list."""

import fnmatch
import subprocess
from pathlib import Path

from tmagrade.basics.errors import UsageError

MOST_NAMED = 20

# A file is released if a pattern of RELEASED fits it and none of HELD_BACK does. A star also stands for slashes. What
# is new in the repository is thus held back until somebody thinks of it here.
RELEASED = [
    ".devcontainer/devcontainer.json",
    ".editorconfig",
    ".gitignore",
    ".vscode/*.json",
    "LICENSE",
    "Makefile",
    "labs/Makefile",
    "labs/common/*.cuh",
    "labs/common/lab.mk",
    *(f"labs/lab*/{name}" for name in ("*.cu", "*.cuh", "lab.toml", "Makefile", "README.md")),
    "handout/*.md",
    "handout/*.svg",
    "handout/guide/elsewhere/*",
    "handout/guide/wgmma/*",
    "handout/site/*",
    "handout/reference/grades.schema.json",
    "grader/Makefile",
    *(
        f"grader/{name}/*"
        for name in ("common", "contract", "emulator", "judge", "runner", "checks", "setup", "tmagrade")
    ),
]

HELD_BACK = [
    "*/__pycache__/*",
    "grader/setup/*lock.*",
    "grader/checks/*grader_*",  # what a submission must not be able to prepare for
    "handout/*instructors*",
    "handout/inside/add-a-finding.md",
    "handout/inside/add-a-lab.md",
    "handout/inside/add-an-instruction.md",
    "handout/inside/claims.md",
    "handout/inside/class-scale.md",
    "handout/inside/site.md",
    "handout/reference/attacks.md",
    "handout/reference/cutlass.md",
    "handout/reference/repositories.md",
]


def is_released(name: str) -> bool:
    return _fits(name, RELEASED) and not _fits(name, HELD_BACK)


def _fits(name: str, patterns: list[str]) -> bool:
    return any(fnmatch.fnmatchcase(name, pattern) for pattern in patterns)


def released_files(root: Path) -> list[str]:
    """The files of the repository that students receive. What git does not know is nobody's but the instructor's;
    a copy of the repository without git has nothing else in it."""
    if (root / ".git").exists():
        names = [name for name in _listed_by_git(root) if (root / name).is_file()]
    else:
        names = [str(path.relative_to(root)) for path in root.rglob("*") if path.is_file() and not path.is_symlink()]
    return sorted(name for name in names if is_released(name))


def demand_tracked(root: Path) -> None:
    """A new lab that nobody has told git of would be missing, and nobody would notice before the students."""
    if not (root / ".git").exists():
        return
    names = sorted(name for name in _listed_by_git(root, "--others", "--exclude-standard") if is_released(name))
    if names:
        more = [f"and {len(names) - MOST_NAMED} more"] if len(names) > MOST_NAMED else []
        listed = "".join(f"\n  {name}" for name in names[:MOST_NAMED] + more)
        raise UsageError(
            f"git does not track these files, so students would not receive them:{listed}\n"
            "`git add` those that they are to have, and name the others in .gitignore or .git/info/exclude;"
            " or leave all of them out: --leave-untracked (make release UNTRACKED=leave)"
        )


def _listed_by_git(root: Path, *options: str) -> list[str]:
    command = ["git", "ls-files", "-z", *options]
    listed = subprocess.run(command, cwd=root, capture_output=True, text=True)
    if listed.returncode != 0:
        raise UsageError(
            f"git does not say what belongs to the course, so there is no release: {listed.stderr.strip()}"
        )
    return [name for name in listed.stdout.split("\0") if name]
