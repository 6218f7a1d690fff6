"""What counts on the emulator is what the replay did: launchers of tests/replay/lab6.cu, judged for real."""

import json
import os
import subprocess
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from tmagrade.backend import Engine
from tmagrade.labs import load_labs
from tmagrade.paths import HERE
from tmagrade.toolkit import find_toolkit, library_command

LAB6 = next(lab for lab in load_labs(HERE.labs) if lab.id == "lab6-memcpy")


@pytest.fixture(scope="module")
def library() -> Iterator[Path]:
    # In the repository, as every stage: nvcc takes no path with a space, and from here there is none.
    HERE.work.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=HERE.work) as folder:
        stage = Path(folder)
        (stage / "submission.cuh").write_text('#include "tests/replay/lab6.cu"\n')
        subprocess.run(library_command(find_toolkit(HERE), HERE, LAB6, stage), cwd=stage, check=True)
        yield stage / "submission.so"


def judged(library: Path, launcher: str) -> list[tuple[str, str]]:
    """Verdict and message of each case of the part tma-copy."""
    output = library.parent / "verdicts.json"
    command = [
        *[str(HERE.judge), "--lab", LAB6.id, "--submission", str(library), "--output", str(output)],
        *["--filter", "tma-copy", "--", str(HERE.runner), str(library)],
    ]
    environment = os.environ | Engine("late").environment(HERE, find_toolkit(HERE)) | {"LAUNCHER": launcher}
    subprocess.run(command, env=environment, check=True, stdout=subprocess.DEVNULL)
    return [(case["verdict"], case["message"]) for case in json.loads(output.read_text())["cases"]]


@pytest.mark.parametrize(
    "launcher",
    ["right", "through a scratch buffer and a graph", "reads late"],
)
def test_what_a_launcher_may_do_is_followed(library: Path, launcher: str) -> None:
    assert {verdict for verdict, _ in judged(library, launcher)} == {"pass"}


def test_what_the_host_computes_is_the_result_of_other_inputs(library: Path) -> None:
    assert "fail" in {verdict for verdict, _ in judged(library, "through the host")}


@pytest.mark.parametrize(
    "launcher",
    ["on the CPU", "on the CPU, patches the counter"],
)
def test_what_the_cpu_writes_counts_for_nothing(library: Path, launcher: str) -> None:
    nothing_to_copy, *others = judged(library, launcher)
    assert nothing_to_copy[0] == "pass"
    assert all(verdict == "fail" and "never written" in message for verdict, message in others), others


def test_a_reply_in_the_runners_place_is_no_end_of_the_call(library: Path) -> None:
    verdicts = judged(library, "on the CPU, forges its reply")
    assert all(verdict == "crash" and "it ends before the call does" in message for verdict, message in verdicts)


def test_a_closed_standard_error_hides_no_finding(library: Path) -> None:
    verdicts = judged(library, "closes stderr over a hazard")
    assert "hazard" in {verdict for verdict, _ in verdicts}


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
