"""What the set-up writes for editors."""

import json
import shutil
import subprocess
import sys
from pathlib import Path

from tmagrade.basics.paths import HERE

EDITOR = HERE.grader / "setup/editor.py"


def small_repository(folder: Path) -> Path:
    (folder / "grader/judge").mkdir(parents=True)
    (folder / "grader/Makefile").write_text("flags:\n\t@echo '-std=c++20 -isystem $(CUDA_HOME)/include'\n")
    (folder / "grader/judge/main.cpp").write_text("int main() {}\n")
    return folder


def made_again(root: Path, was_in: Path) -> bool:
    """Whether the settings of a repository in `root` are written again, which were written when it was `was_in`."""
    shutil.copy(HERE.root / "Makefile", root)
    shutil.copytree(HERE.grader / "setup", root / "grader/setup")
    (root / "grader/Makefile").touch()
    (root / ".venv").mkdir()
    (root / ".venv/.editor").write_text(f"{was_in}\n")
    make = ["make", "-n", "-o", ".venv/.toolkit", ".venv/.editor"]
    return "editor.py" in subprocess.run(make, cwd=root, capture_output=True, text=True, check=True).stdout


def test_settings_are_written_again_where_the_repository_was_moved(tmp_path: Path) -> None:
    (tmp_path / "a course/grader").mkdir(parents=True)
    assert made_again(tmp_path / "a course", was_in=tmp_path / "elsewhere")


def test_settings_are_left_where_it_was_not(tmp_path: Path) -> None:
    (tmp_path / "a course/grader").mkdir(parents=True)
    assert not made_again(tmp_path / "a course", was_in=tmp_path / "a course")


def written(repository: Path) -> Path:
    subprocess.run([sys.executable, EDITOR, repository], check=True)
    return repository / ".clangd"


def test_every_file_of_the_graders_cpp_is_compiled_in_its_folder_with_its_flags(tmp_path: Path) -> None:
    repository = small_repository(tmp_path / "a course")
    written(repository)
    assert json.loads((repository / "grader/compile_commands.json").read_text()) == [
        {
            "directory": str(repository / "grader"),
            "file": "judge/main.cpp",
            "command": "g++ -std=c++20 -isystem ../.venv/cuda/include -c judge/main.cpp",
        }
    ]


def test_the_labs_are_cuda_for_hopper_of_the_toolkit_that_the_set_up_chose(tmp_path: Path) -> None:
    repository = small_repository(tmp_path / "a course")
    settings = written(repository).read_text()
    for flag in ("-xcuda", "--cuda-gpu-arch=sm_90a", f"--cuda-path={repository}/.venv/cuda"):
        assert f'    - "{flag}"\n' in settings


def test_settings_that_somebody_else_has_written_are_left(tmp_path: Path) -> None:
    repository = small_repository(tmp_path)
    (repository / ".clangd").write_text("# mine\n")
    assert written(repository).read_text() == "# mine\n"


def test_its_own_settings_are_written_anew(tmp_path: Path) -> None:
    repository = small_repository(tmp_path)
    settings = written(repository)
    before = settings.read_text()
    settings.write_text(before + "# of an older version\n")
    assert written(repository).read_text() == before
