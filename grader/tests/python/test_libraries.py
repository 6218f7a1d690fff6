"""What `make test-libraries` says of a library: grader/tests/real/libraries."""

from __future__ import annotations

import os
import sys
from dataclasses import replace
from pathlib import Path

import pytest

LIBRARIES = Path(__file__).parents[1] / "real/libraries"
sys.path.append(str(LIBRARIES))

import libraries as command  # noqa: E402
from emulated import Ran  # noqa: E402
from libraries import TABLE, Library, Suite, environment_of, have_library, read_table, verdict  # noqa: E402
from sources import NoSources, Program, Repository, digest_of  # noqa: E402

TEST = Suite("small", "test.py HERE", "tests", "(?m)^passed: 3$")
RIGHT = Ran(0, "passed: 3\n", "")
FOUND = "a.cu:7:5: error: shared memory is read here and written by another thread [data-race]\n"


@pytest.fixture
def library(tmp_path: Path) -> Library:
    kernels = tmp_path / "fast/kernels"
    kernels.mkdir(parents=True)
    (kernels / "product.cuh").write_text("// a product\n")
    (tmp_path / "fast/tests").mkdir()
    digest = digest_of(Program("fast", "kernels"), tmp_path / "fast")
    repository = Repository("fast", "https://nowhere.invalid/fast", "0" * 40)
    return Library(repository, (), "kernels", digest, ("true",), ".", {}, (TEST,))


def test_a_test_that_says_that_it_passed_is_right() -> None:
    assert verdict(TEST, RIGHT) == ""


@pytest.mark.parametrize("ran", [replace(RIGHT, returncode=1), replace(RIGHT, stdout="passed: 2\n")])
def test_a_test_that_ends_otherwise_or_says_less_is_wrong(ran: Ran) -> None:
    assert "says not all of" in verdict(TEST, ran)


def test_findings_are_those_of_the_table() -> None:
    assert verdict(TEST, replace(RIGHT, stderr=FOUND)) == "found data-race, expected nothing"
    assert verdict(replace(TEST, findings=("data-race",)), RIGHT) == "found nothing, expected data-race"
    assert verdict(replace(TEST, findings=("data-race",)), replace(RIGHT, stderr=FOUND)) == ""


def test_a_copy_is_taken_where_its_kernels_are_those_of_the_table(library: Library, tmp_path: Path) -> None:
    assert have_library(library, tmp_path) == tmp_path / "fast"
    (tmp_path / "fast/kernels/product.cuh").write_text("// another\n")
    with pytest.raises(NoSources, match="has the digest"):
        have_library(library, tmp_path)


def test_what_cannot_be_built_is_not_run(library: Library, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    broken = replace(library, build=("sh -c 'echo no compiler; exit 1'",))
    assert not command.test_library(broken, tmp_path / "fast")
    assert "fast: not built" in capsys.readouterr().out


def test_each_test_runs_in_its_folder_with_what_the_table_sets(
    library: Library, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    calls = []

    def run(words: list[str], _: float, folder: Path, environment: dict[str, str]) -> Ran:
        calls.append((words, folder, environment["FLAGS"]))
        return RIGHT

    monkeypatch.setattr(command, "run", run)
    assert command.test_library(replace(library, environment={"FLAGS": "HERE -ptx"}), tmp_path / "fast")
    (built, _, _), (words, folder, flags) = calls
    assert built == ["nice", "true"]
    assert words[2:] == ["test.py", str(LIBRARIES)]
    assert (folder, flags) == (tmp_path / "fast/tests", f"{LIBRARIES} -ptx")


def test_the_environment_is_the_users_own_otherwise(library: Library, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OF_THE_USER", "kept")
    monkeypatch.setenv("CUDA_HOME", "/toolkit")
    environment = environment_of(replace(library, environment={"INCLUDED": "TOOLKIT/include"}))
    assert (environment["OF_THE_USER"], environment["CUDA_HOME"]) == ("kept", "/toolkit")
    assert environment["INCLUDED"] == "/toolkit/include"
    assert "/toolkit/bin" in environment["PATH"].split(os.pathsep)


def test_a_library_that_is_not_in_the_table_is_an_error(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        command.main(["unknown"])
    assert "has no unknown" in capsys.readouterr().err


def test_each_library_of_the_table_is_pinned_and_each_finding_explained() -> None:
    libraries = read_table(TABLE.read_text(encoding="utf-8"))
    assert libraries
    for library in libraries:
        assert len(library.repository.commit) == 40
        assert library.digest
        assert all(bool(test.findings) == bool(test.why) for test in library.tests)
