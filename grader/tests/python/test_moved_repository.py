"""A repository that was moved or copied with its .venv works on itself, and not on what it was copied from."""

import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tmagrade.basics.paths import HERE

SETUP = HERE.root / "grader/setup"


def write_environment(root: Path) -> Path:
    """A .venv that was made elsewhere, with a program of pip's, the package's path, and the toolkit of the wheels."""
    version = f"python{sys.version_info.major}.{sys.version_info.minor}"
    site = root / ".venv/lib" / version / "site-packages"
    (site / "nvidia/cu13").mkdir(parents=True)
    (root / ".venv/bin").mkdir()
    base = Path(sys.executable).resolve()
    (root / ".venv/pyvenv.cfg").write_text(f"home = {base.parent}\ninclude-system-site-packages = false\n")
    (root / ".venv/bin/python").symlink_to(base)
    (root / ".venv/bin/mypy").write_text("#!/elsewhere/.venv/bin/python\nprint('here')\n")
    (root / ".venv/bin/mypy").chmod(0o755)
    (root / ".venv/bin/ruff").write_bytes(b"\x7fELF\0#!/elsewhere/.venv/bin/python\n")
    (root / ".venv/cuda").symlink_to(f"/elsewhere/.venv/lib/{version}/site-packages/nvidia/cu13")
    (site / "tmagrade.pth").write_text("/elsewhere/grader\n")
    (root / "grader/tmagrade").mkdir(parents=True)
    (root / "grader/tmagrade/__init__.py").write_text("")
    return site


@pytest.fixture
def moved(tmp_path: Path) -> Path:
    """A repository elsewhere than where its environment was made, after the set-up's step for that."""
    root = tmp_path / "moved"
    write_environment(root)
    subprocess.run([SETUP / "here.sh", root], check=True)
    return root


def package_of(root: Path) -> str:
    asked = [str(root / ".venv/bin/python"), "-I", "-c", "import tmagrade; print(tmagrade.__file__)"]
    return subprocess.run(asked, check=True, capture_output=True, text=True).stdout.strip()


def test_its_environment_has_its_own_package(moved: Path) -> None:
    assert package_of(moved) == str(moved / "grader/tmagrade/__init__.py")


def test_a_copy_has_its_own_package_at_once(moved: Path, tmp_path: Path) -> None:
    copy = tmp_path / "copy"
    shutil.copytree(moved, copy, symlinks=True)
    assert package_of(copy) == str(copy / "grader/tmagrade/__init__.py")


def test_the_programs_of_its_environment_start(moved: Path) -> None:
    done = subprocess.run([moved / ".venv/bin/mypy"], capture_output=True, text=True)
    assert done.stdout == "here\n"
    assert (moved / ".venv/bin/mypy").read_text().startswith(f"#!{moved}/.venv/bin/python\n")


def test_a_binary_program_is_left_alone(moved: Path) -> None:
    assert (moved / ".venv/bin/ruff").read_bytes() == b"\x7fELF\0#!/elsewhere/.venv/bin/python\n"


def test_its_toolkit_is_in_its_own_environment(moved: Path) -> None:
    assert (moved / ".venv/cuda").resolve().is_relative_to(moved)
    assert not (moved / ".venv/cuda").readlink().is_absolute()


def test_the_set_up_notices_that_it_was_moved() -> None:
    makefile = (HERE.root / "Makefile").read_text()
    assert "ifneq ($(CURDIR),$(shell cat .venv/.editor 2>/dev/null))" in makefile
    assert "grader/setup/here.sh . &&" in makefile
