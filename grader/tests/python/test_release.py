"""What students receive."""

import subprocess

import pytest

from tmagrade.paths import HERE


@pytest.fixture(scope="module")
def released(tmp_path_factory: pytest.TempPathFactory) -> set[str]:
    """The files of `make release`."""
    folder = tmp_path_factory.mktemp("release")
    command = ["make", "-s", "release", f"TO={folder}", "SETUP=none"]
    done = subprocess.run(command, cwd=HERE.root, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr
    return {str(path.relative_to(folder)) for path in folder.rglob("*") if path.is_file()}


@pytest.mark.parametrize(
    "pattern", ["solutions/*/*.cu", "grader/tests/class/*/*/*.cu", "grader/checks/*/grader_checks.cpp"]
)
def test_what_gives_answers_away_is_left_out(released: set[str], pattern: str) -> None:
    kept_back = {str(path.relative_to(HERE.root)) for path in HERE.root.glob(pattern)}
    assert kept_back
    assert released & kept_back == set()


@pytest.mark.parametrize("pattern", ["labs/*/*.cu", "grader/checks/*/checks.cpp", "grader/checks/*/entry.cu"])
def test_what_a_student_needs_is_there(released: set[str], pattern: str) -> None:
    needed = {str(path.relative_to(HERE.root)) for path in HERE.root.glob(pattern)}
    assert needed
    assert needed <= released
