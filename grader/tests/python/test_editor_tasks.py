"""VS Code's tasks: what they match is what the grader prints, so that it shows at its line."""

import json
import re
from typing import Any

import pytest
from conftest import Course, Tmagrade

from tmagrade.basics.paths import HERE

TEXT = (HERE.root / ".vscode/tasks.json").read_text()
TASKS: list[dict[str, Any]] = json.loads(re.sub(r"^\s*//.*$", "", TEXT, flags=re.MULTILINE))["tasks"]

# As `make` and `make PART=...` print them, and what is to be shown: file, line, severity.
PRINTED = {
    "    lab3.cu:61:5: error: TMA store reads shared memory [missing-proxy-fence]": ("lab3.cu", "61", "error"),
    "build error: lab3.cu:16:10: fatal error: tma_interface.cuh: No such file": ("lab3.cu", "16", "error"),
    "build error: lab3.cu(9): catastrophic error: cannot open source file": ("lab3.cu", "9", "error"),
    "    ../common/tma/mbarrier.cuh(48): error: no instance of `wait`": ("../common/tma/mbarrier.cuh", "48", "error"),
    "    lab4.cu:35:36: error: cuTensorMapEncodeTiled rejected this tensor map": ("lab4.cu", "35", "error"),
    "lab3.cu:61:5: warning: a tile is loaded and not read [unread]": ("lab3.cu", "61", "warning"),
    'build error: lab3.cu(50): error: expected a ";"': ("lab3.cu", "50", "error"),
    '    lab3.cu(50): error: expected a ";"': ("lab3.cu", "50", "error"),
    "add_one.cuh(7): warning #177-D: variable is never used": ("add_one.cuh", "7", "warning"),
}


def shown(task: dict[str, Any], line: str) -> list[tuple[str, str, str]]:
    found = []
    for pattern in (matcher["pattern"] for matcher in task["problemMatcher"]):
        if match := re.search(pattern["regexp"], line):
            found.append((match[pattern["file"]], match[pattern["line"]], match[pattern["severity"]]))
    return found


@pytest.mark.parametrize("line", PRINTED)
@pytest.mark.parametrize("task", TASKS, ids=lambda task: task["label"])
def test_a_finding_and_an_error_show_at_their_line_once(task: dict[str, Any], line: str) -> None:
    assert shown(task, line) == [PRINTED[line]]


@pytest.mark.parametrize(
    "line", ["   61 |     store(data, tile, bytes);", "one-tile  1024 ints  OK", "bulk-copy.cuh:67:11: note: in this"]
)
@pytest.mark.parametrize("task", TASKS, ids=lambda task: task["label"])
def test_nothing_else_shows(task: dict[str, Any], line: str) -> None:
    assert shown(task, line) == []


@pytest.mark.parametrize("task", TASKS, ids=lambda task: task["label"])
def test_files_are_looked_for_in_the_folder_in_which_make_runs(task: dict[str, Any]) -> None:
    folder = task["options"]["cwd"]
    assert [matcher["fileLocation"] for matcher in task["problemMatcher"]] == [["relative", folder]] * 2


def test_watching_goes_on_and_says_where_a_run_begins_and_ends(
    tmagrade: Tmagrade, course: Course, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("tmagrade.commands.student_commands.saves", lambda folder: iter([None]))
    _, printed = tmagrade("watch", course.submit("ada", "").folder, "--part", "one-tile")
    (task,) = (task for task in TASKS if task.get("isBackground"))
    for matcher in task["problemMatcher"]:
        background = matcher["background"]
        assert re.search(background["beginsPattern"], printed.splitlines()[0])
        assert re.search(background["endsPattern"], printed.splitlines()[-1])
