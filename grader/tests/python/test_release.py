"""What students receive: all that they need, nothing that gives answers away, and a release is whole or not there."""

import os
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from conftest import write_program
from held_back import text_of

from staff.release.contents import demand_tracked, is_released, released_files
from staff.release.texts import students_page, students_text
from staff.release.write import write_release
from staff.skeletons.skeleton import skeleton_of
from tmagrade.__main__ import STUDENTS
from tmagrade.basics.errors import GraderFault, UsageError
from tmagrade.basics.paths import HERE
from tmagrade.building.sandbox import HELD_BACK_ENTRY

REGION = re.compile(r"// BEGIN SOLUTION\n(.*?)// END SOLUTION", re.DOTALL)
LINK = re.compile(r"\]\(([^)\s#]+)[^)\s]*\)")
# A quoted source line of a diagnostic: a mistake that the handout shows on purpose.
DIAGNOSED_LINE = re.compile(r"^ *\d+ \| .*$", re.MULTILINE)


@pytest.fixture(scope="module")
def released(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder that `make release` writes."""
    folder = tmp_path_factory.mktemp("release") / "for students"
    command = ["make", "-s", "release", f"TO={folder}", "UNTRACKED=leave", "SETUP=none"]
    done = subprocess.run(command, cwd=HERE.root, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr
    return folder


@pytest.fixture(scope="module")
def names(released: Path) -> set[str]:
    return {str(path.relative_to(released)) for path in released.rglob("*") if path.is_file()}


def dense(text: str) -> str:
    return "".join(text.split())


def passages(solution: str) -> Iterator[str]:
    """Any three lines of code that follow each other in what students are to write, without spaces. Fewer lines can be
    what the guide, too, has to say of an instruction."""
    for region in REGION.findall(solution):
        lines = [dense(line.partition("//")[0]) for line in region.splitlines() if not line.strip().startswith("//:")]
        lines = [line for line in lines if line.strip("{}();")]
        some = ("".join(lines[first : first + 3]) for first in range(max(1, len(lines) - 2)))
        yield from (passage for passage in some if len(passage) >= 40)


@pytest.mark.parametrize(
    "pattern",
    [
        *("solutions/**/*", "grader/tests/**/*", "grader/checks/*/grader_checks.cpp", "handout/pictures/*.py"),
        *(
            "grader/staff/**/*",
            *(f"handout/inside/{name}.md" for name in ("add-a-lab", "add-a-finding", "add-an-instruction")),
            *(f"handout/inside/{name}.md" for name in ("claims", "class-scale", "site")),
            ".ci/*",
            "maintainer.mk",
        ),
    ],
)
def test_what_gives_answers_away_is_left_out(names: set[str], pattern: str) -> None:
    held_back = {str(path.relative_to(HERE.root)) for path in HERE.root.glob(pattern)}
    assert held_back
    assert names & held_back == set()


def test_no_text_names_a_folder_of_the_machine_that_wrote_it(released: Path, names: set[str]) -> None:
    folders = {str(place) for place in (HERE.root, HERE.root.resolve(), Path.home()) if len(place.parts) > 2}
    assert [name for name in sorted(names) for folder in folders if folder in text_of(released / name)] == []


def test_nothing_that_was_built_is_in_it(names: set[str]) -> None:
    assert [name for name in names if name.startswith("build/")] == []


@pytest.mark.parametrize("lab", sorted(path.name for path in HERE.solutions.glob("lab*")))
def test_no_passage_of_a_solution_is_in_any_file(released: Path, lab: str) -> None:
    texts = {
        path: dense("\n".join(line.partition("//")[0] for line in DIAGNOSED_LINE.sub("", text_of(path)).splitlines()))
        for path in released.rglob("*")
        if path.is_file()
    }
    written = [passage for source in (HERE.solutions / lab).glob("*.cu") for passage in passages(source.read_text())]
    # What a later lab's skeleton gives has been learned by then, and the guide teaches some idioms.
    public = "".join(text for path, text in texts.items() if path.match("labs/*/*.cu") or path.match("guide/*"))
    secret = [passage for passage in written if passage not in public]
    # What mends a hunt is often a line that another lab's skeleton has.
    assert len(secret) > (0.5 if lab.endswith("-hunts") else 0.8) * len(written)
    everything = "\0".join(texts.values())
    found = [passage for passage in secret if passage in everything]
    assert {(path.name, passage) for passage in found for path, text in texts.items() if passage in text} == set()


@pytest.mark.parametrize("word", ["RESULTS.md", "tests/attacks", "BEGIN SOLUTION", "BEGIN INSTRUCTORS"])
def test_no_text_names_what_is_held_back(released: Path, names: set[str], word: str) -> None:
    assert [name for name in names if word in text_of(released / name)] == []


@pytest.mark.parametrize(
    "pattern",
    [
        ".vscode/tasks.json",
        "labs/*/*.cu",
        "labs/*/lab.toml",
        "grader/checks/*/checks.cpp",
        "grader/checks/*/entry.cu",
        "grader/checks/*/parts.def",
    ],
)
def test_what_a_student_needs_is_there(names: set[str], pattern: str) -> None:
    needed = {str(path.relative_to(HERE.root)) for path in HERE.root.glob(pattern)}
    assert needed
    assert needed <= names


def test_its_handout_names_no_command_that_it_lacks(released: Path) -> None:
    rules = "".join((released / name).read_text() for name in ("Makefile", "labs/Makefile", "labs/common/lab.mk"))
    has = {name for names in re.findall(r"^([a-z][a-z -]*):(?!=)", rules, re.MULTILINE) for name in names.split()}
    named = {
        (str(page.relative_to(released)), target)
        for page in released.rglob("*.md")
        for target in re.findall(r"(?:`|^)make ([a-z][a-z-]*)", page.read_text(), re.MULTILINE)
    }
    assert {(page, target) for page, target in named if target not in has} == set()


def test_its_handout_names_no_file_that_it_lacks(released: Path) -> None:
    # What the course keeps is named as the course's.
    path = re.compile(r"(?<!course's )`((?:grader|solutions|docker|tests)/[\w./-]+)`")
    named = {
        (str(page.relative_to(released)), name)
        for page in released.rglob("*.md")
        for name in path.findall(" ".join(page.read_text().split()))
    }
    assert {(page, name) for page, name in named if not (released / name).exists()} == set()


def test_every_link_leads_somewhere(released: Path) -> None:
    dead = [
        (str(page.relative_to(released)), link)
        for page in released.rglob("*.md")
        for link in LINK.findall(re.sub(r"^```.*?^```$", "", page.read_text(), flags=re.MULTILINE | re.DOTALL))
        if "://" not in link and not (page.parent / link).exists()
    ]
    assert dead == []


def test_a_copy_without_git_gives_the_same_release(released: Path, names: set[str], tmp_path: Path) -> None:
    tracked = subprocess.run(["git", "ls-files", "-z"], cwd=HERE.root, capture_output=True, text=True, check=True)
    for name in filter(None, tracked.stdout.split("\0")):
        if (HERE.root / name).is_file() and not name.startswith("grader/tests/"):
            (tmp_path / "copy" / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(HERE.root / name, tmp_path / "copy" / name)
    write_release(type(HERE)(tmp_path / "copy"), tmp_path / "out", force=False)
    again = {str(path.relative_to(tmp_path / "out")) for path in (tmp_path / "out").rglob("*") if path.is_file()}
    assert again == names
    assert all((tmp_path / "out" / name).read_bytes() == (released / name).read_bytes() for name in names)


def test_a_lab_that_the_instructor_has_solved_in_place_is_released_unsolved(released: Path) -> None:
    for solution in HERE.solutions.glob("lab*/*.cu"):
        skeleton = released / "labs" / solution.parent.name / solution.name
        assert skeleton.read_text() == skeleton_of(solution.read_text())
    assert not is_released("labs/lab3-bulk-copy/program")
    assert not is_released("solutions/lab3-bulk-copy/lab3.cu")


# Writing


def test_a_folder_that_is_not_empty_is_replaced_only_by_force_and_keeps_its_git(tmp_path: Path) -> None:
    out = tmp_path / "out"
    (out / ".git").mkdir(parents=True)
    (out / ".git/HEAD").write_text("kept")
    (out / "old").touch()
    with pytest.raises(UsageError, match="out is not empty; with --force"):
        write_release(HERE, out, force=False)
    assert (out / "old").exists()
    write_release(HERE, out, force=True)
    assert not (out / "old").exists()
    assert (out / ".git/HEAD").read_text() == "kept"
    assert os.listdir(tmp_path) == ["out"]  # noqa: PTH208


@pytest.mark.parametrize("out", [HERE.root, HERE.root.parent])
def test_the_repository_itself_is_not_written_over(out: Path) -> None:
    with pytest.raises(UsageError, match="holds this very repository"):
        write_release(HERE, out, force=True)


def test_a_release_that_fails_leaves_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*_: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("shutil.copymode", fail)
    with pytest.raises(OSError, match="No space left"):
        write_release(HERE, tmp_path / "out", force=False)
    assert list(tmp_path.iterdir()) == []


@pytest.fixture
def tracked(tmp_path: Path) -> Path:
    """A repository with a page and a lab."""
    for name in ("handout/index.md", "labs/lab3-bulk-copy/lab.toml", ".gitignore"):
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text("*.html\nbuild\n")
    git(tmp_path, "init", "-q")
    git(tmp_path, "add", ".")
    return tmp_path


def git(root: Path, *arguments: str) -> None:
    subprocess.run(["git", *arguments], cwd=root, check=True, capture_output=True)


def test_a_lab_that_git_does_not_track_is_named_and_not_left_out_in_silence(tracked: Path) -> None:
    demand_tracked(tracked)
    for name in ("labs/lab14-new/lab.toml", "labs/lab14-new/lab14.cu", "grader/checks/lab14-new/entry.cu"):
        (tracked / name).parent.mkdir(parents=True, exist_ok=True)
        (tracked / name).touch()
    with pytest.raises(UsageError, match=r"git does not track .*") as refused:
        demand_tracked(tracked)
    said = str(refused.value).splitlines()
    assert said[1:4] == ["  grader/checks/lab14-new/entry.cu", "  labs/lab14-new/lab.toml", "  labs/lab14-new/lab14.cu"]
    assert "git add" in said[4]
    assert ".git/info/exclude" in said[4]
    git(tracked, "add", "labs/lab14-new", "grader")
    demand_tracked(tracked)
    assert "labs/lab14-new/lab14.cu" in released_files(tracked)


@pytest.mark.parametrize(
    "name",
    ["handout/index.html", "build/labs/x.md", "labs/lab3-bulk-copy/program", "solutions/lab14-new/lab14.cu", "notes"],
)
def test_what_no_student_would_receive_is_nobody_s_business(tracked: Path, name: str) -> None:
    (tracked / name).parent.mkdir(parents=True, exist_ok=True)
    (tracked / name).touch()
    demand_tracked(tracked)


def test_of_many_files_some_are_named(tracked: Path) -> None:
    for number in range(25):
        (tracked / f"handout/page{number}.md").touch()
    with pytest.raises(UsageError, match=r"\n  handout/page9?\d*\.md\n(?s:.*)  and 5 more\n"):
        demand_tracked(tracked)


def test_a_git_that_does_not_answer_gives_no_release_of_all_that_lies_about(tracked: Path) -> None:
    (tracked / ".git/index").write_text("damaged")
    with pytest.raises(UsageError, match="git does not say what belongs to the course, so there is no release: "):
        released_files(tracked)


def test_lines_between_marks_are_left_out_with_the_marks() -> None:
    text = "a\n# BEGIN INSTRUCTORS\nb\n# END INSTRUCTORS\nc\n<!-- BEGIN SOLUTION -->\nd\n<!-- END SOLUTION -->\n"
    assert students_text(text, "x") == "a\nc\n"


@pytest.mark.parametrize(
    "text", ["BEGIN SOLUTION", "END SOLUTION", "BEGIN SOLUTION\nEND INSTRUCTORS", "BEGIN SOLUTION\n" * 2]
)
def test_marks_that_do_not_match_stop_the_release(text: str) -> None:
    with pytest.raises(GraderFault, match="x:"):
        students_text(text, "x")


def test_rows_that_lead_to_what_is_held_back_are_left_out() -> None:
    text = "| [a](a.md) |\n| [b](../b.md#there) |\n- [c](https://c.org)\nSee [b](../b.md).\nNext: [b](../b.md).\n"
    assert students_page(text, "handout/index.md", {"handout/a.md"}) == (
        "| [a](a.md) |\n- [c](https://c.org)\nSee [b](../b.md).\n"
    )


# Working


@pytest.fixture(scope="module")
def home(released: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A student's home: the release, with what building it gives."""
    home = tmp_path_factory.mktemp("student") / "my labs"
    shutil.copytree(released, home)
    for folder in ("bin", "lib"):
        shutil.copytree(HERE.build / folder, home / "build" / folder, symlinks=True)
    return home


def make(home: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    environment = os.environ | {"PATH": f"{Path(sys.executable).parent}:{os.environ['PATH']}"}
    environment = {name: value for name, value in environment.items() if not name.startswith(("MAKE", "TMAGRADE"))}
    environment["PWD"] = os.path.normpath(home)  # as a shell has it
    return subprocess.run(
        ["make", *arguments, "SETUP=none"], cwd=home, capture_output=True, text=True, env=environment, timeout=500
    )


def test_its_make_lists_only_targets_that_it_has(home: Path) -> None:
    printed = make(home, "help", "ALL=yes").stdout.partition("Here:\n")[2]
    targets = re.findall(r"^  make (\S+)", printed, re.MULTILINE)
    assert {"student", "doctor", "setup", "watch", "hand-in", "site-open"} <= set(targets)
    assert {"grade", "forget", "test", "lint", "release", "skeletons", "bench", "conformance"} & set(targets) == set()


def test_its_make_begins_with_what_a_student_types(home: Path) -> None:
    lines = [line.split(maxsplit=1)[1] for line in make(home).stdout.splitlines() if line.split()[:1] == ["make"]]
    firsts = [re.split(r"\s{2,}", line)[0] for line in lines]
    assert firsts[0] == "-C labs"
    assert {"PART=name", "watch", "check", "hand-in"} < set(firsts[1:12])
    here = firsts[firsts.index("submit") + 1 :]
    assert here[:2] == ["watch", "hand-in"]
    assert {"site-open", "site", "doctor", "setup"} <= set(here)
    assert {"actions", "student"} & set(firsts) == set()
    assert lines[-1].startswith("help ALL=yes")


@pytest.mark.parametrize("folder", [".", "labs"])
@pytest.mark.parametrize("target", ["watch", "hand-in"])
def test_what_a_lab_s_folder_has_is_found_from_above(home: Path, tmp_path: Path, folder: str, target: str) -> None:
    for arguments in ([target], [target, "LAB=lab"], [target, "LAB=lab99"]):
        asked = make(home / folder, "-s", *arguments)
        assert f"make {target} LAB=lab0: which lab?" in asked.stderr
        assert asked.returncode == 2
    write_program(tmp_path / "python", '#!/bin/sh\necho "in $PWD, typed in $TMAGRADE_TYPED_IN: $@"\n')
    done = make(home / folder, "-s", target, "LAB=lab1", "PART=one-tile", f"PYTHON={tmp_path}/python")
    typed_in = os.path.normpath(home / folder)
    assert done.stdout.startswith(f"in {home}/labs/lab1-async-copy, typed in {typed_in}: "), done.stdout + done.stderr
    assert f"tmagrade {target} . --lab lab1" in done.stdout
    assert ("--part one-tile" in done.stdout) == (target == "watch")


def test_it_has_no_code_of_the_course_s_staff_and_nothing_that_names_it(released: Path, names: set[str]) -> None:
    assert [name for name in names if name.startswith("grader/staff/")] == []
    texts = [name for name in sorted(names) if "grader/staff" in text_of(released / name)]
    assert texts == ["Makefile"]  # which includes what is there


def test_its_tmagrade_has_what_a_student_types_and_nothing_of_the_staff_s(home: Path) -> None:
    command = [sys.executable, "-P", "-m", "tmagrade", "--help"]
    environment = os.environ | {"PYTHONPATH": str(home / "grader"), "COLUMNS": "200"}
    printed = subprocess.run(command, cwd=home, capture_output=True, text=True, env=environment).stdout
    has = set(re.findall(r"^│ ([a-z][a-z-]*) ", printed, re.MULTILINE))
    assert has == {*STUDENTS, "actions", "doctor", "hand-in", "labs", "submit"}


def test_its_make_of_a_lab_tests_what_the_student_wrote(home: Path) -> None:
    untouched = make(home / "labs/lab0-hello-hopper", "-s")
    assert "Score: 0" in untouched.stdout, untouched.stdout + untouched.stderr
    shutil.copyfile(
        HERE.solutions / "lab0-hello-hopper/lab0.cu", home / "labs/lab0-hello-hopper/lab0.cu"
    )  # as if a student had
    solved = make(home / "labs/lab0-hello-hopper", "-s")
    assert "Score: 75/75" in solved.stdout, solved.stdout + solved.stderr
    listed = make(home / "labs", "-s").stdout
    assert re.search(r"^lab0-hello-hopper +#+ +4 of 4$", listed, re.MULTILINE), listed
    assert "Next: part one-tile of lab1-async-copy" in listed
    assert re.search(r"^  facts +done$", make(home / "labs", "-s", "parts").stdout, re.MULTILINE)


def test_a_launcher_that_is_a_template_is_called_without_what_only_the_grader_tries(home: Path) -> None:
    lab = home / "labs/lab4-single-tile"
    shutil.copyfile(HERE.solutions / "lab4-single-tile/lab4.cu", lab / "lab4.cu")
    assert not (home / "grader/checks/lab4-single-tile" / HELD_BACK_ENTRY).exists()
    tried = make(lab, "-s", "PART=load", "CASE=64 x 128")
    assert tried.stdout == "load  64 x 128  OK\n", tried.stdout + tried.stderr
