"""Which labs are in a hand-in, by the names of what is in it."""

from pathlib import Path, PurePosixPath

import pytest
from conftest import Course

from staff.collecting.recognition import recognize
from staff.collecting.tree import Tree
from tmagrade.submissions.names import distinct_names, name_digest, printable, student_folder_name


def tree_of(*names: str) -> Tree:
    tree = Tree()
    for name in map(PurePosixPath, names):
        tree.files[name] = Path(name)
        tree.folders |= {folder: Path(folder) for folder in name.parents}
    return tree


def labs(course: Course, *names: str, only: int | None = None) -> dict[str, list[str]]:
    """The labs that are recognized, each with the .cu files that would be compiled."""
    tree = tree_of(*names)
    recognized = recognize(tree, course.labs, None if only is None else course.labs[only])
    return {
        found.lab.id.split("-")[0]: sorted(
            str(name)
            for name in (tree.files if found.files is None else found.files)
            if name.suffix.casefold() == ".cu" and name.parent == found.folder
        )
        for found in recognized.labs
    }


@pytest.mark.parametrize(
    "name",
    [
        *("lab3-bulk-copy/lab3.cu", "lab3/lab3.cu", "Lab3/mine.cu", "lab3-bulk-copy/lab3-bulk-copy/lab3.cu"),
        *(
            "lab3.cu",
            "LAB3.cu",
            "Lab3.CU",
            "LAB3/A.CU",
            "lab3-bulk-copy.cu",
            "lab3-1.cu",
            "lab3 (2).cu",
            "homework/lab3.cu",
        ),
        *("tma-labs/labs/lab3-bulk-copy/lab3.cu", "lab3/src/kernel.cu"),
    ],
)
def test_a_lab_is_known_by_the_name_of_its_folder_or_file(course: Course, name: str) -> None:
    assert labs(course, name) == {"lab3": [name]}


def test_folders_and_files_of_several_labs_may_be_mixed(course: Course) -> None:
    assert labs(course, "lab3.cu", "helper.cuh", "lab4-single-tile/lab4.cu") == {
        "lab3": ["lab3.cu"],
        "lab4": ["lab4-single-tile/lab4.cu"],
    }


def test_the_files_around_a_lone_source_go_with_it(course: Course) -> None:
    found = recognize(tree_of("lab3.cu", "lab4.cu", "more.cu", "inc/helper.cuh"), course.labs).labs
    assert [sorted(map(str, lab.files or ())) for lab in found] == [
        ["inc/helper.cuh", "lab3.cu", "more.cu"],
        ["inc/helper.cuh", "lab4.cu", "more.cu"],
    ]


@pytest.mark.parametrize("header", ["lab3/include/helper.cuh", "lab3/common.h"])
def test_headers_beside_the_folder_of_the_source_go_with_it(course: Course, header: str) -> None:
    found = recognize(tree_of("lab3/src/lab3.cu", header), course.labs).labs
    assert [str(lab.folder) for lab in found] == ["lab3"]


@pytest.mark.parametrize("name", ["add_one.cu", "homework/add_one.cu"])
def test_a_nameless_source_beside_another_lab_is_for_the_lab_that_was_asked_for(course: Course, name: str) -> None:
    lab3, lab4 = course.labs[0], course.labs[1]
    found = recognize(tree_of(f"{lab4.id}/{lab4.source}", name), course.labs, only=lab3)
    assert [one.files for one in found.labs if one.lab is lab3] == [(PurePosixPath(name),)]
    assert found.ignored == []


def test_it_is_not_where_that_lab_is_there_by_name(course: Course) -> None:
    lab3 = course.labs[0]
    found = recognize(tree_of(f"{lab3.id}/{lab3.source}", "add_one.cu"), course.labs, only=lab3)
    assert [str(one.folder) for one in found.labs] == [lab3.id]
    assert found.ignored == ["add_one.cu: no lab has this name"]


def test_other_files_beside_the_folder_of_the_source_do_not(course: Course) -> None:
    found = recognize(tree_of("lab3/src/lab3.cu", "lab3/notes.txt", "lab3/out/lab3.log"), course.labs).labs
    assert [str(lab.folder) for lab in found] == ["lab3/src"]


def test_the_folder_with_the_file_that_the_lab_asks_for_is_preferred(course: Course) -> None:
    names = ["grader/checks/lab3-bulk-copy/entry.cu", "labs/lab3-bulk-copy/lab3.cu"]
    assert labs(course, *names) == {"lab3": ["labs/lab3-bulk-copy/lab3.cu"]}
    assert recognize(tree_of(*names), course.labs).ignored == [
        "grader/checks/lab3-bulk-copy: lab3-bulk-copy is there under another name too"
    ]


def test_what_has_no_labs_name_is_taken_for_the_only_lab_that_was_asked_for(course: Course) -> None:
    assert labs(course, "solution/kernel.cu", "report.pdf", only=0) == {"lab3": ["solution/kernel.cu"]}
    assert labs(course, "solution/kernel.cu") == {}


def test_another_lab_is_not_taken_for_the_only_one_that_was_asked_for(course: Course) -> None:
    assert labs(course, "lab4.cu", only=0) == {"lab4": ["lab4.cu"]}


def test_what_no_lab_takes_is_said_once(course: Course) -> None:
    tree = tree_of("lab3/lab3.cu", "homework/one.cu", "homework/two.cu", "three.cu")
    assert recognize(tree, course.labs).ignored == ["homework: no lab has this name", "three.cu: no lab has this name"]


@pytest.mark.parametrize(
    ("name", "safe"),
    [
        *(
            ("jane.doe+tma@example.edu", "jane.doe+tma@example.edu"),
            ("Müller, Zoë", "Müller__Zoë"),
            ("王小明", "王小明"),
        ),
        *(("..", "_."), ("-rf", "_rf"), (".hidden", "_hidden"), ("a/b\\c", "a_b_c"), ("", "_"), ("x\udcff", "x_")),
        *(("\x1b[31mred", "__31mred"), ("grades.json", "grades.json_"), ("x" * 500, "x" * 100)),
    ],
)
def test_a_students_folder_has_a_safe_name(name: str, safe: str) -> None:
    assert student_folder_name(name) == safe


def test_students_whose_safe_names_are_the_same_are_kept_apart(course: Course) -> None:
    names = distinct_names(["jane doe", "jane/doe", "Jane_Doe", "ben"])
    assert len({name.casefold() for name in names.values()}) == 4
    assert names["ben"] == "ben"
    assert names["jane doe"] == distinct_names(["jane doe", "jane/doe"])["jane doe"]


def test_nobody_can_take_a_classmates_name_away(course: Course) -> None:
    assert distinct_names(["ada", "ADA", "a\u0441a"])["ada"] == "ada"


def test_nobody_can_foresee_the_name_that_a_classmate_will_get(course: Course) -> None:
    given = distinct_names(["Jane_Doe", "jane_doe"])["Jane_Doe"]
    names = distinct_names(["Jane_Doe", "jane_doe", given, given.casefold()])
    assert len({name.casefold() for name in names.values()}) == 4


def test_nobody_gets_a_classmates_name_by_a_digest_that_is_the_same() -> None:
    names = ["ada\u2192\u230b", "ada\u21c8\u22a7"]  # found in a second among 57,000
    assert len({name_digest(name) for name in names}) == 1
    given = distinct_names(names)
    assert len(set(given.values())) == 2
    assert given == distinct_names(reversed(names))


def test_a_name_that_was_set_apart_is_safe_as_it_is() -> None:
    """Else the folder's name would be cut once more, and two could meet there."""
    for name in distinct_names([f"{'x' * 200} ", f"{'X' * 200}!", "a b.json", "a/b.json"]).values():
        assert student_folder_name(name) == name


def test_what_would_steer_a_terminal_is_written_out() -> None:
    assert printable("\x1b[2Jlab3\u202e.cu\udcff") == "␛[2Jlab3<U+202E>.cu<U+DCFF>"
