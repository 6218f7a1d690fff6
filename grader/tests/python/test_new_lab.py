"""A new lab: what it may be called, that all of it is there, and that nothing of it is there after an error.

That it can be built and graded is in test_add_a_lab.py.
"""

import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from conftest import Course, Tmagrade

from staff.new_lab.name import name_lab
from staff.new_lab.write import write_new_lab
from staff.release.contents import is_released
from staff.sample_class.tables import read_class
from staff.skeletons.lab_pages import lacking, lists, pages_of
from staff.skeletons.made import differences
from staff.skeletons.skeleton import handed_in, skeletons
from tmagrade.basics.errors import GraderFault, UsageError
from tmagrade.basics.paths import HERE, Repository
from tmagrade.course.labs import load_lab, load_labs

KNOWN = load_labs(HERE.labs)
NAME = "lab77-two-words"


@pytest.fixture
def repository(tmp_path: Path) -> Repository:
    """As much of one as a new lab is added to."""
    for name in ("README.md", "handout/index.md"):
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(HERE.root / name, tmp_path / name)
    for lab in KNOWN:
        (tmp_path / "labs" / lab.id).mkdir(parents=True)
        shutil.copyfile(HERE.labs / lab.id / "lab.toml", tmp_path / "labs" / lab.id / "lab.toml")
    for name in ("solutions", "grader/checks", "grader/tests/class"):
        (tmp_path / name).mkdir(parents=True)
    return Repository(tmp_path)


@pytest.fixture
def formatter(repository: Repository) -> Path:
    """The repository with its clang-format."""
    program = repository.root / ".venv/bin/clang-format"
    program.parent.mkdir(parents=True)
    program.symlink_to(Path(sys.executable).with_name("clang-format"))
    shutil.copyfile(HERE.root / ".clang-format", repository.root / ".clang-format")
    return program


def contents(repository: Repository) -> dict[str, str | None]:
    """Every file's text, and every folder."""
    return {str(path): path.read_text() if path.is_file() else None for path in repository.root.rglob("*")}


@pytest.mark.parametrize(
    ("name", "title", "idea"),
    [
        (NAME, None, None),
        ("lab77-rmsnorm", "RMSNorm", "Put it together: each byte moves once."),
        ("lab777-a-name-that-is-just-short-enough2", "A" * 30, "An idea that needs more than one line. " * 3 + "End."),
    ],
)
def test_all_places_of_a_new_lab_say_the_same(
    repository: Repository, formatter: Path, name: str, title: str | None, idea: str | None
) -> None:
    written = write_new_lab(repository, name_lab(name, title, idea, KNOWN))
    lab = load_lab(repository.labs / name / "lab.toml")
    made = dict(lists(repository.root, load_labs(repository.labs))) | dict(pages_of(repository.root, lab))
    assert differences(made | dict(skeletons(repository.solutions, repository.labs)), repository.labs) == []
    assert list(lacking(repository.root, [lab])) == []
    sources = [str(repository.root / file) for file in written if file.endswith((".h", ".cpp", ".cu"))]
    checked = subprocess.run([formatter, "--dry-run", "-Werror", *sources], capture_output=True, text=True)
    assert checked.returncode == 0, checked.stderr


def test_a_labs_row_stands_where_its_number_belongs(repository: Repository) -> None:
    def numbers(page: str, row: str) -> list[int]:
        return [int(number) for number in re.findall(row, (repository.root / page).read_text(), re.MULTILINE)]

    before = numbers("README.md", r"^\| \[(\d+) ")
    shutil.rmtree(repository.labs / "lab5-tensor-ranks")
    others = load_labs(repository.labs)
    for name, known in ((NAME, KNOWN), ("lab5-again", others)):
        write_new_lab(repository, name_lab(name, None, None, known))
    assert numbers("README.md", r"^\| \[(\d+) ") == [*before, 77]
    assert numbers("handout/index.md", r"^\| \[Lab (\d+): ") == [*before, 77]


def test_the_wrong_student_of_a_new_lab_has_one_line_less_than_its_solution(repository: Repository) -> None:
    write_new_lab(repository, name_lab(NAME, None, None, KNOWN))
    lab = load_lab(repository.labs / NAME / "lab.toml")
    [wrong] = read_class(repository, [lab])
    solution = handed_in((repository.solutions / NAME / "lab77.cu").read_text()).splitlines()
    lost = [line for line in solution if line not in wrong.files["lab77.cu"].splitlines()]
    assert lost == ["  async_proxy_fence();  // each thread: my numbers, for the engine to see"]


@pytest.mark.parametrize(
    "name",
    ["", "lab", "lab77", "77-words", "lab77-", "lab77-Two", "lab77_two", "lab077-two", "lab77-two--words", "lab77-a/b"]
    + ["lab77-two words", "../lab77-two", "lab77-\xe9", "lab1000-two", "lab77-" + "x" * 40, "lab77-two\n"],
)
def test_a_name_that_is_none_is_refused(name: str) -> None:
    with pytest.raises(UsageError, match="is no name for a lab: it is `lab`, a number"):
        name_lab(name, None, None, KNOWN)


def test_a_number_that_is_taken_is_refused_and_the_next_one_named() -> None:
    free = 1 + len(KNOWN) - 1
    with pytest.raises(UsageError, match=f"there is a lab 3 already, lab3-bulk-copy; the next number is {free}"):
        name_lab("lab3-again", None, None, KNOWN)


@pytest.mark.parametrize(
    "page", ["README.md", "CONTRIBUTING.md", "maintainer.mk", "grader/staff/commands/course_commands.py"]
)
def test_the_example_of_a_new_labs_name_can_be_typed_as_it_stands(page: str) -> None:
    names = set(re.findall(r"lab\d+-two-words", (HERE.root / page).read_text()))
    assert names
    for name in names:
        name_lab(name, None, None, load_labs(HERE.labs))


@pytest.mark.parametrize("text", ['a "word"', "a\nline", "a | b", "a\\b", "${lab}", " a", "<b>"])
def test_an_idea_that_would_break_a_file_is_refused(text: str) -> None:
    with pytest.raises(UsageError, match="idea is one line without any of"):
        name_lab(NAME, None, text, KNOWN)


def test_a_file_that_is_there_stays_and_nothing_else_comes(repository: Repository) -> None:
    (repository.solutions / NAME).mkdir()
    (repository.solutions / NAME / "lab77.cu").write_text("mine")
    before = contents(repository)
    with pytest.raises(UsageError, match=f"solutions/{NAME}/lab77.cu is there already"):
        write_new_lab(repository, name_lab(NAME, None, None, KNOWN))
    assert contents(repository) == before


@pytest.mark.parametrize("written", range(13))
@pytest.mark.parametrize("error", [OSError(28, "No space left on device"), KeyboardInterrupt()])
def test_an_error_leaves_nothing(
    repository: Repository, monkeypatch: pytest.MonkeyPatch, written: int, error: BaseException
) -> None:
    before = contents(repository)
    write_text = Path.write_text
    left = [written]

    def fail(path: Path, text: str) -> int:
        left[0] -= 1
        if left[0] < 0:
            write_text(path, text[: len(text) // 2])
            raise error
        return write_text(path, text)

    monkeypatch.setattr(Path, "write_text", fail)
    if written < 12:  # files
        with pytest.raises(type(error)):
            write_new_lab(repository, name_lab(NAME, None, None, KNOWN))
        assert contents(repository) == before
    else:
        assert len(write_new_lab(repository, name_lab(NAME, None, None, KNOWN))) == 14


def test_a_list_of_labs_that_is_not_there_leaves_nothing(repository: Repository) -> None:
    (repository.root / "handout/index.md").write_text("# TMA labs\n")
    before = contents(repository)
    with pytest.raises(GraderFault, match=r"index\.md has no row of a table"):
        write_new_lab(repository, name_lab(NAME, None, None, KNOWN))
    assert contents(repository) == before


def test_the_command_names_what_it_wrote_and_what_comes_next(course: Course, tmagrade: Tmagrade) -> None:
    root = course.repository.root
    for name in ("README.md", "handout/index.md"):
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(HERE.root / name, root / name)
    course.repository.solutions.mkdir()
    status, printed = tmagrade("new-lab", NAME, "--title", "Words", "--idea", "Say less.")
    assert status == 0
    assert f"labs/{NAME}/lab.toml\n" in printed
    assert "make grade LABS=lab77" in printed
    assert "handout/inside/add-a-lab.md" in printed
    lab = load_lab(root / f"labs/{NAME}/lab.toml")
    assert (lab.title, lab.idea) == ("Words", "Say less.")

    status, printed = tmagrade("new-lab", NAME)
    assert (status, "there is a lab 77 already" in printed) == (2, True)


def test_students_have_no_page_on_new_labs() -> None:
    assert not is_released("handout/inside/add-a-lab.md")
