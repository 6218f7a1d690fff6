"""What counts on the emulator is what the replay did: launchers of tests/replay/lab6.cu, judged for real."""

import json
import os
import re
import shutil
import subprocess
import tempfile
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from tmagrade.basics.paths import HERE
from tmagrade.building.nvcc import library_command
from tmagrade.course.labs import load_labs
from tmagrade.machine.backend import Engine
from tmagrade.machine.toolkit import find_toolkit

# Of these sizes nobody has the memory, so a launcher that reads or writes all of it itself ends there.
LARGER_THAN_MEMORY = {"1107296261 elements", "692060160 elements"}
# By one CTA, as here, right copies of long arrays take many seconds of a processor: the sample class has them judged.
LONG = {"35000003 elements"} | LARGER_THAN_MEMORY
WITHOUT_LONG = [word for case in sorted(LONG) for word in ("--leave-out", f"tma-copy/{case}")]
LAB6 = next(lab for lab in load_labs(HERE.labs) if lab.id == "lab6-memcpy")


@pytest.fixture(scope="module")
def library() -> Iterator[Path]:
    # In the repository, as every stage: nvcc takes no path with a space, and from here there is none.
    HERE.work.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=HERE.work) as folder:
        stage = Path(folder)
        (stage / "submission.cuh").write_text('#include "tests/replay/lab6.cu"\n')
        subprocess.run(library_command(find_toolkit(HERE), HERE, LAB6, stage), cwd=stage, check=True)
        shutil.copytree(HERE.grader / "tests/replay", stage / "source")
        yield stage / "submission.so"


@cache
def report_of(library: Path, launcher: str, *options: str) -> dict[str, Any]:
    """What the judge says of the part tma-copy; of the same launcher it is asked once."""
    output = library.parent / "verdicts.json"
    command = [
        *[str(HERE.judge(LAB6.id)), "--submission", str(library), "--output", str(output)],
        *["--filter", "tma-copy", *options, "--", str(HERE.runner), str(library)],
    ]
    environment = os.environ | Engine("late").environment(HERE, find_toolkit(HERE)) | {"LAUNCHER": launcher}
    subprocess.run(command, env=environment, check=True, stdout=subprocess.DEVNULL)
    report: dict[str, Any] = json.loads(output.read_text())
    return report


def cases_of(library: Path, launcher: str) -> list[dict[str, Any]]:
    cases: list[dict[str, Any]] = report_of(library, launcher, "--short-cases")["cases"]
    return cases


def rehearsed(library: Path, launcher: str) -> tuple[str, str]:
    """The verdict and the message on what it launches at the size at which it is timed."""
    rehearsal = report_of(library, launcher, *WITHOUT_LONG)["rehearsal"]
    return rehearsal["verdict"], rehearsal["message"]


def judged(library: Path, launcher: str) -> list[tuple[str, str]]:
    """Their verdicts and messages."""
    return [(case["verdict"], case["message"]) for case in cases_of(library, launcher)]


@pytest.mark.parametrize(
    "launcher",
    ["right", "through a scratch buffer and a graph", "reads late", "a kernel that starts early, and waits"],
)
def test_what_a_launcher_may_do_is_followed(library: Path, launcher: str) -> None:
    assert {verdict for verdict, _ in judged(library, launcher)} == {"pass"}


def test_what_the_host_computes_is_the_result_of_other_inputs(library: Path) -> None:
    cases = cases_of(library, "through the host")
    assert [case["case"] for case in cases if case["verdict"] == "pass"] == ["0 elements"]
    assert {case["verdict"] for case in cases} == {"pass", "fail"}


@pytest.mark.parametrize(
    ("launcher", "options"),
    [
        ("on the CPU", ["--short-cases"]),
        ("on the CPU, patches the counter", ["--short-cases"]),
        pytest.param("on the CPU", [], marks=pytest.mark.long),  # it writes all of the machine's memory
    ],
    ids=["on the CPU", "on the CPU, patches the counter", "on the CPU, arrays larger than memory"],
)
def test_what_the_cpu_writes_counts_for_nothing(library: Path, launcher: str, options: list[str]) -> None:
    nothing_to_copy, *others = report_of(library, launcher, *options)["cases"]
    assert nothing_to_copy["verdict"] == "pass"
    for case in others:
        is_without_kernel = case["verdict"] == "fail" and case["message"].startswith("no kernel was launched")
        assert is_without_kernel or (case["verdict"] == "crash" and case["case"] in LARGER_THAN_MEMORY), case


def test_a_reply_in_the_runners_place_is_no_end_of_the_call(library: Path) -> None:
    for case in cases_of(library, "on the CPU, forges its reply"):
        assert case["verdict"] == "crash", case
        assert "it ends before the call does" in case["message"], case


def test_a_closed_standard_error_hides_no_finding(library: Path) -> None:
    verdicts = judged(library, "closes stderr over a hazard")
    assert "hazard" in {verdict for verdict, _ in verdicts}


def test_a_finding_comes_whole_with_the_submissions_line(library: Path) -> None:
    case = next(case for case in cases_of(library, "closes stderr over a hazard") if case["findings"])
    [finding] = case["findings"]
    line = finding["place"]["line"]
    assert finding["code"] == "missing-proxy-fence"
    source = (library.parent / "source/lab6.cu").read_text().splitlines()
    assert finding["excerpt"] == {"line": line, "column": finding["place"]["column"], "text": source[line - 1]}
    assert "was written here" in finding["notes"][-1]["message"] and finding["notes"][-1]["excerpt"]["text"]


def first_message(library: Path, launcher: str) -> str:
    case = report_of(library, launcher, "--timeout-seconds", "0.5", "--stop-at-timeout")["cases"][0]
    assert case["verdict"] == "timeout"
    message: str = case["message"]
    return message


def test_a_kernel_that_starts_early_and_does_not_wait_races_with_the_one_before(library: Path) -> None:
    case = next(case for case in cases_of(library, "a kernel that starts early") if case["findings"])
    assert {finding["code"] for finding in case["findings"]} == {"data-race"}
    assert "cudaGridDependencySynchronize()" in case["findings"][0]["help"]


def test_a_loop_without_end_is_told_with_its_line(library: Path) -> None:
    lines = (library.parent / "source/lab6.cu").read_text().splitlines()
    loop = next(number for number, line in enumerate(lines, 1) if line.endswith("// LOOP"))
    said = first_message(library, "a loop without end in a kernel")
    expected = (
        r"not finished after 0\.5 s; block \(0,0,0\), thread \(0,0,0\) is still running at lab6\.cu:(\d+):\d+ after .*"
    )
    found = re.fullmatch(expected, said)
    assert found is not None, said
    assert int(found[1]) == loop


def test_a_loop_without_end_on_the_host_has_no_line_of_a_kernel(library: Path) -> None:
    assert first_message(library, "a loop without end on the host").startswith("not finished after 0.5 s; a wait that")


NOT_RUN = "not run: two calls of this part did not finish in their time"


def test_a_part_that_hangs_at_one_size_is_judged_at_the_others(library: Path) -> None:
    report = report_of(library, "a deadlock where there is nothing to copy", "--short-cases")
    verdicts = {case["case"]: case["verdict"] for case in report["cases"]}
    assert verdicts.pop("0 elements") == "timeout"
    assert set(verdicts.values()) == {"pass"}


def test_of_a_part_that_has_hung_twice_no_further_case_is_run(library: Path) -> None:
    cases = report_of(library, "a deadlock")["cases"]
    assert {case["verdict"] for case in cases} == {"timeout"}
    assert [case["message"] == NOT_RUN for case in cases] == [False] * 2 + [True] * (len(cases) - 2)
    assert "692060160 elements" in {case["case"] for case in cases}  # nor is what may take the place of others


def test_no_submission_can_send_a_finding(library: Path) -> None:
    cases = cases_of(library, "forges findings")
    assert [finding for case in cases for finding in case["findings"]] == []


def test_a_finding_quotes_no_file_of_the_machine(library: Path) -> None:
    """Its kernel says `#line 1 "/etc/ld.so.conf"`: with a dot in its name a file is no header."""
    cases = cases_of(library, "names a file of the machine as its source")
    found = json.dumps([finding for case in cases for finding in case["findings"]])
    assert '"file": "ld.so.conf"' in found
    assert Path("/etc/ld.so.conf").read_text().splitlines()[0] not in found
    assert "cp.async.bulk" in found  # the line of PTX in its place


@pytest.mark.parametrize(
    ("launcher", "words"),
    [
        ("damages the recording", "the record of what it asked of the GPU is damaged"),
        ("managed memory", "the grader cannot follow cudaMallocManaged"),
        ("pinned memory in a kernel", "a kernel of these labs must not use it itself"),
        ("illegal address", "cudaErrorIllegalAddress"),
    ],
)
def test_what_cannot_be_followed_is_a_crash_that_says_why(library: Path, launcher: str, words: str) -> None:
    verdicts = judged(library, launcher)
    assert any(verdict == "crash" and words in message for verdict, message in verdicts), verdicts
    assert all(verdict in ("pass", "crash") for verdict, _ in verdicts[:1])
    assert {verdict for verdict, _ in verdicts[1:]} == {"crash"}


@pytest.mark.parametrize(
    "launcher",
    [
        "right",
        "through a scratch buffer and a graph",
        "reads late",
        "prepares something in its first call",
        "reads the device when timed",
    ],
)
def test_a_launcher_that_does_what_was_judged_may_be_timed(library: Path, launcher: str) -> None:
    assert rehearsed(library, launcher) == ("pass", "")


@pytest.mark.parametrize(
    ("launcher", "difference"),
    [
        ("another kernel when timed", "it launches `copy_plainly(char*, char const*, unsigned long)` in blocks of 32"),
        ("both kernels, and one of them when timed", "where the cases launch other kernels besides"),
        ("a larger block when timed", "in blocks of 64 x 1 x 1, where the cases launch"),
        ("by cudaMemcpy when timed", "it launches no kernel"),
    ],
)
def test_a_launcher_that_does_something_else_when_timed_has_cheated(
    library: Path, launcher: str, difference: str
) -> None:
    verdict, message = rehearsed(library, launcher)
    assert verdict == "cheated"
    assert difference in message


def test_what_cannot_be_followed_when_timed_is_not_timed(library: Path) -> None:
    verdict, message = rehearsed(library, "managed memory when timed")
    assert (verdict, "cannot follow cudaMallocManaged" in message) == ("crash", True), message


@pytest.mark.parametrize(
    ("launcher", "said"),
    [
        ("right once for each size", "called again with 1 element: "),
        ("wrong for a size that comes back", "called again with 1 element, after 2 elements: "),
    ],
)
def test_a_launcher_is_called_with_the_same_size_again(library: Path, launcher: str, said: str) -> None:
    messages = [message for verdict, message in judged(library, launcher) if verdict != "pass"]
    assert len(messages) == 1, messages
    assert messages[0].startswith(said)
