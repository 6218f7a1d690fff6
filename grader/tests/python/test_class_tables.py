"""The tables of the sample class: what they say, what they must not say, and the folders that are made from them."""

from pathlib import Path

import pytest
from conftest import Course, Tmagrade, write_lab

from staff.sample_class.edits import EditError, apply_edits, parse_edits, replace_once
from staff.sample_class.tables import Student, few_of_class, read_class
from staff.sample_class.write import write_class
from tmagrade.basics.errors import GraderFault
from tmagrade.basics.paths import HERE, Repository
from tmagrade.course.labs import load_labs
from tmagrade.machine.backend import Backend

TEXT = """\
load();
fence();
store();

load();
wait();
"""

SOLUTION = """\
int before;
  // BEGIN SOLUTION
  //: // TODO: load the tile.
  load();
  wait();
  // END SOLUTION
int after;
"""

TABLE = """\
[never-waits]
what = "Does not wait."
edit = '''
-  wait();
'''
verdicts = { pipeline = "fail", hygiene = "hazard" }
gpu = { pipeline = "pass" }
says = 'too soon'

[ben-another-way]
what = "Right in another way."
"""


def edited(edit: str, text: str = TEXT) -> str:
    return apply_edits(parse_edits(edit), text)


# Edits


def test_a_line_with_a_minus_goes_and_one_with_a_plus_comes() -> None:
    assert edited("-fence();\n+meet();\n") == TEXT.replace("fence", "meet")


def test_lines_that_stay_say_which_place_is_meant() -> None:
    assert edited(" load();\n-wait();\n") == "load();\nfence();\nstore();\n\nload();\n"
    assert edited(" \n+meet();\n load();\n") == TEXT.replace("\nload", "\nmeet();\nload")


def test_an_empty_line_of_an_edit_is_an_empty_line_that_stays() -> None:
    assert edited(" store();\n\n-load();\n") == TEXT.replace("\n\nload();", "\n")


def test_the_first_and_the_last_line_can_be_edited() -> None:
    assert edited("-load();\n fence();\n") == TEXT.removeprefix("load();\n")
    assert edited("-wait();\n") == TEXT.removesuffix("wait();\n")


def test_several_edits_stand_one_after_the_other() -> None:
    assert edited("-fence();\n@@\n-wait();\n+wait_long();\n") == "load();\nstore();\n\nload();\nwait_long();\n"


@pytest.mark.parametrize(
    ("edit", "complaint", "advice"),
    [
        ("-wait_long();", "the edit matches 0 times", "not there any more; .*\n    wait_long"),
        ("-ait();", "the edit matches 0 times", "not there any more"),
        (" fence();\n-wait();", "the edit matches 0 times", "they do not follow one another"),
        ("-load();", "the edit matches 2 times", "until no other place fits"),
        ("-fence();\n@@\n-fence();", "edit 2 of 2 matches 0 times", "not there any more"),
    ],
)
def test_an_edit_that_does_not_fit_in_exactly_one_place_is_an_error_that_says_what_to_do(
    edit: str, complaint: str, advice: str
) -> None:
    with pytest.raises(EditError, match=f"(?s){complaint}, but must match exactly once:\n    .*{advice}"):
        edited(edit)


def test_places_that_overlap_are_two() -> None:
    with pytest.raises(EditError, match="matches 2 times"):
        replace_once("a a a", "a a", "b")
    with pytest.raises(EditError, match="matches 2 times"):
        edited("-load();\n", "load();\nload();\n")


@pytest.mark.parametrize(
    ("edit", "complaint"),
    [
        ("", "has no lines"),
        ("@@", "has no lines"),
        ("-fence();\nstore();", "line 2 of the edit is 'store\\(\\);', but a line begins with a space"),
        ("@@ -1,2 +1,2 @@\n-fence();", "line 1 of the edit is .* @@ stands alone"),
        (" fence();", "changes nothing"),
        ("-fence();\n+fence();", "changes nothing"),
        ("-fence();\n@@\n+meet();", "the edit at line 3 does not say where"),
    ],
)
def test_an_edit_that_is_not_well_formed_is_an_error(edit: str, complaint: str) -> None:
    with pytest.raises(EditError, match=complaint):
        edited(edit)


# Tables


@pytest.fixture
def repository(course: Course) -> Repository:
    """The small course, with a solution and a sample class of two."""
    repository = course.repository
    write_text(repository.solutions / "lab3-bulk-copy/lab3.cu", SOLUTION)
    write_text(table_of(repository), TABLE)
    write_text(repository.class_tables / "lab3-bulk-copy/ben-another-way/lab3.cu", '#include "all.cuh"\n')
    write_text(repository.class_tables / "lab3-bulk-copy/ben-another-way/all.cuh", "int all;\n")
    write_text(repository.class_tables / "README.md", "How to read the tables.\n")
    return repository


def write_text(path: Path, text: str) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text)


def table_of(repository: Repository) -> Path:
    return repository.class_tables / "lab3-bulk-copy.toml"


def students_of(repository: Repository) -> list[Student]:
    return read_class(repository, load_labs(repository.labs))


def test_a_wrong_student_is_the_solution_as_it_is_handed_in_with_the_edit(repository: Repository) -> None:
    [wrong, _] = students_of(repository)
    assert (wrong.name, wrong.lab.id, wrong.what) == ("never-waits", "lab3-bulk-copy", "Does not wait.")
    assert wrong.files == {"lab3.cu": "int before;\n  load();\nint after;\n"}


def test_a_whole_text_is_the_files_of_its_folder(repository: Repository) -> None:
    [_, ben] = students_of(repository)
    assert ben.files == {"lab3.cu": '#include "all.cuh"\n', "all.cuh": "int all;\n"}


def test_an_edit_may_be_one_of_what_a_student_further_up_hands_in(repository: Repository) -> None:
    more = '''[never-loads]\nwhat = "Does neither."\nof = "never-waits"\nedit = """\n-  load();\n"""\n\n'''
    table_of(repository).write_text(replace_once(TABLE, "[ben-another-way]", f"{more}[ben-another-way]"))
    [_, both, _] = students_of(repository)
    assert both.files == {"lab3.cu": "int before;\nint after;\n"}
    table_of(repository).write_text(more + TABLE)
    with pytest.raises(GraderFault, match=r"of = 'never-waits', but no \[never-waits\] stands above"):
        students_of(repository)


def test_a_part_that_no_verdict_names_is_right_and_bandwidth_needs_a_gpu(repository: Repository) -> None:
    [wrong, ben] = students_of(repository)
    assert ben.expected(Backend.EMULATOR) == {
        "one-tile": "pass",
        "pipeline": "pass",
        "hygiene": "pass",
        "bandwidth": "pending",
    }
    assert set(ben.expected(Backend.GPU).values()) == {"pass"}
    assert wrong.expected(Backend.EMULATOR) == ben.verdicts | {"pipeline": "fail", "hygiene": "hazard"}
    assert wrong.expected(Backend.GPU) == ben.gpu | {"hygiene": "hazard"}


@pytest.mark.parametrize(
    ("old", "new", "complaint"),
    [
        ('what = "Does not wait."\n', "", r"lab3-bulk-copy.toml, \[never-waits\]: what is missing"),
        ("says = 'too soon'", "say = 'too soon'", r"\[never-waits\]: say: there is no such setting"),
        ("says = 'too soon'", "says = '(too soon'", r"\[never-waits\]: says = .* is no pattern"),
        ("says = 'too soon'", "says = 3", "says: Input should be a valid string, not 3"),
        (
            'pipeline = "fail"',
            'pipelines = "fail"',
            r"verdicts: there is no part 'pipelines', but one-tile, pipeline, hy",
        ),
        ('pipeline = "fail"', 'pipeline = "failed"', "verdicts: pipeline = 'failed' is none of .*fail, missing, pass"),
        ('pipeline = "fail"', 'pipeline = ["fail"]', "is none of"),
        ('pipeline = "pass" }', 'load = "pass" }', "gpu: there is no part 'load'"),
        ("[never-waits]", "[never_waits]", "small letters with dashes"),
        ("[never-waits]", "[../../labs]", "lab3-bulk-copy.toml: "),
        ("edit = '''\n-  wait();\n'''\n", "", r"\[never-waits\]: edit is missing, and so is the folder .*/never-waits"),
        ("[ben-another-way]", "[eve]", r"ben-another-way: .*lab3-bulk-copy.toml has no \[ben-another-way\]"),
        (
            'way."\n',
            "way.\"\nedit = '''\n-  wait();\n'''\n",
            r"\[ben-another-way\]: there is an edit, and a whole text",
        ),
    ],
)
def test_a_mistake_in_a_table_is_named(repository: Repository, old: str, new: str, complaint: str) -> None:
    table_of(repository).write_text(replace_once(TABLE, old, new))
    with pytest.raises(GraderFault, match=complaint):
        students_of(repository)


def test_a_table_of_no_lab_is_an_error(repository: Repository) -> None:
    write_text(repository.class_tables / "lab33-bulk-copy.toml", "")
    with pytest.raises(GraderFault, match="there is no lab 'lab33-bulk-copy'"):
        students_of(repository)


def test_an_edit_that_the_solution_has_outgrown_is_told_with_all_that_it_takes_to_mend_it(
    repository: Repository,
) -> None:
    solution = repository.solutions / "lab3-bulk-copy/lab3.cu"
    solution.write_text(replace_once(SOLUTION, "wait();", "wait(&loaded);"))
    with pytest.raises(GraderFault) as fault:
        students_of(repository)
    assert str(fault.value) == (
        f"{table_of(repository)}, [never-waits], edit of {solution} (without its TODO texts): "
        "the edit matches 0 times, but must match exactly once:\n"
        "      wait();\n"
        "This line is not there any more; write what has taken its place:\n"
        "      wait();"
    )


def test_an_edit_of_a_solution_that_is_not_there_is_an_error(repository: Repository) -> None:
    (repository.solutions / "lab3-bulk-copy/lab3.cu").unlink()
    with pytest.raises(GraderFault, match=r"\[never-waits\], edit of .*: there is no lab3.cu"):
        students_of(repository)


def test_all_mistakes_are_told_at_once(repository: Repository) -> None:
    again = TABLE.partition("\n\n")[0].replace("never-waits", "never-loads")
    table_of(repository).write_text(TABLE.replace("wait();", "wait_long();") + again.replace("wait();", "load_long();"))
    with pytest.raises(GraderFault, match=r"(?s)\[never-waits\].*\[never-loads\]"):
        students_of(repository)


def test_no_student_of_this_course_hands_in_the_solutions_marks() -> None:
    texts = [text for student in students_of(HERE) for text in student.files.values()]
    assert texts
    assert [text for text in texts if "BEGIN SOLUTION" in text or "//:" in text or "TODO" in text] == []


def test_no_two_students_of_a_lab_hand_in_the_same() -> None:
    handed_in = [(student.lab.id, *sorted(student.files.items())) for student in students_of(HERE)]
    assert len(set(handed_in)) == len(handed_in)


# Folders


def test_the_class_is_written_as_a_class_hands_in(repository: Repository, tmp_path: Path) -> None:
    students = students_of(repository)
    write_class(students, tmp_path / "class")
    written = {str(path.relative_to(tmp_path / "class")) for path in (tmp_path / "class").rglob("*") if path.is_file()}
    assert written == {
        "never-waits/lab3-bulk-copy/lab3.cu",
        "ben-another-way/lab3-bulk-copy/lab3.cu",
        "ben-another-way/lab3-bulk-copy/all.cuh",
    }
    assert (tmp_path / "class/never-waits/lab3-bulk-copy/lab3.cu").read_text() == students[0].files["lab3.cu"]


def test_a_class_is_brought_up_to_date_and_what_is_right_already_is_left_alone(
    repository: Repository, tmp_path: Path
) -> None:
    folder = tmp_path / "class"
    write_class(students_of(repository), folder)
    before = (folder / "ben-another-way/lab3-bulk-copy/lab3.cu").stat()
    (folder / "never-waits/lab3-bulk-copy/lab3.cu").write_text("edited by hand")
    write_text(folder / "gone/lab3-bulk-copy/lab3.cu", "")
    write_class(students_of(repository), folder)
    after = (folder / "ben-another-way/lab3-bulk-copy/lab3.cu").stat()
    assert (before.st_mtime_ns, before.st_ino) == (after.st_mtime_ns, after.st_ino)
    assert "load();" in (folder / "never-waits/lab3-bulk-copy/lab3.cu").read_text()
    assert sorted(path.name for path in folder.iterdir()) == ["ben-another-way", "never-waits"]


@pytest.mark.parametrize(
    ("how", "expected"),
    [
        ("few", {"solutions", "never-waits"}),
        ("all", {"solutions", "never-waits", "ben-another-way"}),
        ("by name", {"never-waits", "ben-another-way"}),
    ],
)
def test_grading_the_sample_class_brings_it_up_to_date(
    repository: Repository, course: Course, tmagrade: Tmagrade, how: str, expected: set[str]
) -> None:
    write_text(repository.sample_class / "gone/lab3-bulk-copy/lab3.cu", "")
    submissions = ["--submissions", repository.sample_class] if how == "by name" else ["--class", how]
    status, printed = tmagrade("grade", *submissions, "--output", repository.grades)
    assert status == 0, printed
    rows = [line.split()[0] for line in printed.splitlines() if " lab3-bulk-copy " in line and " 1/" not in line]
    graded = {row for row in rows if row in ("solutions", "ben-another-way", "never-waits", "gone")}
    assert graded == expected


def test_submissions_in_a_folder_of_the_users_own_are_left_alone(
    repository: Repository, course: Course, tmagrade: Tmagrade, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    handed_in = tmp_path / "fall/class"
    write_text(handed_in / "eve/lab3-bulk-copy/lab3.cu", "")
    monkeypatch.setenv("TMAGRADE_STATE", str(handed_in.parent))
    for submissions in (["--submissions", handed_in], []):
        status, printed = tmagrade("grade", *submissions, "--output", repository.grades)
        assert status == 0, printed
        assert (handed_in / "eve/lab3-bulk-copy/lab3.cu").exists()


def test_an_edit_that_does_not_fit_stops_the_grading_of_the_class(repository: Repository, tmagrade: Tmagrade) -> None:
    table_of(repository).write_text(TABLE.replace("wait();", "wait_long();"))
    status, printed = tmagrade("grade", "--output", repository.grades)
    assert status == 3
    assert "[never-waits], edit of" in printed


def test_a_lab_without_a_table_has_no_students(repository: Repository) -> None:
    write_lab(repository.root, (repository.labs / "lab4-single-tile/lab.toml").read_text())
    assert {student.lab.id for student in students_of(repository)} == {"lab3-bulk-copy"}


def test_a_lab_that_marks_nobody_shows_its_first_who_is_wrong(repository: Repository) -> None:
    assert [student.name for student in few_of_class(students_of(repository))] == ["never-waits"]


def test_who_is_marked_is_shown_instead(repository: Repository) -> None:
    marked = TABLE.replace("[ben-another-way]\n", "[ben-another-way]\nby_default = true\n")
    table_of(repository).write_text(marked)
    assert [student.name for student in few_of_class(students_of(repository))] == ["ben-another-way"]


def test_the_few_of_the_course_show_every_verdict() -> None:
    def verdicts(students: list[Student]) -> set[str]:
        return {verdict for student in students for verdict in student.wrong_verdicts}

    everybody = read_class(HERE, load_labs(HERE.labs))
    assert verdicts(few_of_class(everybody)) == verdicts(everybody)


def test_every_lab_of_the_course_shows_somebody_who_is_wrong() -> None:
    labs = load_labs(HERE.labs)
    assert {student.lab.id for student in few_of_class(read_class(HERE, labs))} == {lab.id for lab in labs}
