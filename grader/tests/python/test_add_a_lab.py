"""handout/inside/add-a-lab.md makes a lab from nothing: what it says is done here, in a copy of the repository."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from page_steps import Command, Edit, Printed, steps

from tmagrade.basics.paths import HERE

PAGE = HERE.root / "handout/inside/add-a-lab.md"
LAB = "lab99-scale"


@pytest.fixture(scope="module")
def copy(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The repository, with what was built and set up."""
    root = tmp_path_factory.mktemp("course") / "tma-labs"
    listed = ["git", "ls-files", "--cached", "--others", "--exclude-standard", "-z"]
    names = subprocess.run(listed, cwd=HERE.root, capture_output=True, text=True, check=True).stdout.split("\0")
    for name in names:
        if name and (HERE.root / name).is_file():
            (root / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy2(HERE.root / name, root / name)
    being_written = shutil.ignore_patterns("*.pyc.*")
    for compiled in HERE.grader.rglob("__pycache__"):  # Python has them made again otherwise, for half a minute
        shutil.copytree(compiled, root / compiled.relative_to(HERE.root), ignore=being_written)
    # Those of folders, too: one that is newer than what was made of all its files has that made again.
    for folder in root.rglob("*/"):
        shutil.copystat(HERE.root / folder.relative_to(root), folder)
    for name in ("bin", "lib", "obj"):  # with their times: nothing is built again that has not changed
        shutil.copytree(HERE.build / name, root / "build" / name, symlinks=True)
    run(HERE.root, "make -s setup")  # otherwise the copy would set up what it shares, with its own path in it
    (root / ".venv").symlink_to((HERE.root / ".venv").resolve())
    return root


def run(root: Path, command: str) -> str:
    names = ("MAKE", "MFLAGS", "TMAGRADE", "PYTEST", "PYTHONPATH")
    environment = {name: value for name, value in os.environ.items() if not name.startswith(names)}
    done = subprocess.run(["bash", "-ec", command], cwd=root, env=environment, capture_output=True, text=True)
    assert done.returncode == 0, f"{command}\n{done.stdout}{done.stderr}"
    return done.stdout


@pytest.mark.long
def test_the_page_leads_to_a_graded_lab(copy: Path) -> None:
    printed = ""
    for step in steps(PAGE.read_text()):
        match step:
            case Command(text):
                printed = run(copy, text)
            case Edit():
                step.apply(copy)
            case Printed(lines):
                for line in lines:
                    assert line.rstrip() in [shown[: len(line)].rstrip() for shown in printed.splitlines()], printed

    emulator = "lib/emulator/libtmaemu.so"
    built, before = (folder / emulator for folder in (copy / "build", HERE.build))
    assert built.stat().st_mtime_ns == before.stat().st_mtime_ns, "a new lab has the emulator built again"

    # A student who gets as far as the solution.
    shutil.copyfile(copy / f"solutions/{LAB}/lab99.cu", copy / f"labs/{LAB}/lab99.cu")
    assert "Score: 100/100" in run(copy, f"make -s -C labs/{LAB}")

    formatter = Path(sys.executable).with_name("clang-format")
    made = [str(path) for path in copy.rglob(f"{LAB}/*") if path.suffix in (".h", ".cpp", ".cu")]
    checked = subprocess.run([formatter, "--dry-run", "-Werror", *made], capture_output=True, text=True)
    assert checked.returncode == 0, checked.stderr
