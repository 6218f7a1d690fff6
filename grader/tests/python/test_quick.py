"""What `make test-quick` leaves out."""

import subprocess
import sys
from pathlib import Path

import pytest
from quick import program_of

from tmagrade.basics.paths import HERE

TMAEMU = str(HERE.build / "bin/tmaemu")


@pytest.mark.parametrize(
    "command",
    [
        [TMAEMU, "program"],
        ["/usr/bin/python3", "record.py", "--with", TMAEMU],
        [str(HERE.build / "tests/hazards/deadlock"), "list"],
        [str(HERE.root / ".venv/cuda/bin/nvcc"), "a.cu"],
        ["make", "-s", "grade"],
        [sys.executable, "-m", "tmagrade", "grade"],
        [sys.executable, "/course/grader/tmagrade/__main__.py", "grade"],
        ["/course/grader/setup/install.sh", sys.executable, "lock.txt"],
        ["bash", "-ec", "cd labs && make -s"],
        ["readelf", "--dynamic", str(HERE.build / "portable/bin/runner")],
    ],
)
def test_what_was_compiled_a_compiler_make_and_the_command_line_take_time(command: list[str]) -> None:
    assert program_of(command)


@pytest.mark.parametrize(
    "command",
    [["git", "ls-files"], ["bash", "-ec", "cat Makefile"], [sys.executable, "-c", ""], ["/tmp/bin/tmaemu"], ["tmaemu"]],
)
def test_other_programs_do_not(command: list[str]) -> None:
    assert program_of(command) == ""


def run_quickly(folder: Path, tests: str) -> str:
    (folder / "test_some.py").write_text(tests)
    command = [sys.executable, "-m", "pytest", "-q", "-p", "quick", "-p", "no:cacheprovider", "-c", "/dev/null", "."]
    folders = f"{HERE.grader}:{Path(__file__).parent}"
    return subprocess.run(command, cwd=folder, env={"PYTHONPATH": folders}, capture_output=True, text=True).stdout


def test_a_test_is_left_out_when_it_would_start_one_and_that_is_said(tmp_path: Path) -> None:
    said = run_quickly(
        tmp_path,
        f"import subprocess\n"
        f"def test_slow(): subprocess.run(['{TMAEMU}'])\n"
        f"def test_quick(): subprocess.run(['true'])\n",
    )
    assert "1 passed, 1 skipped" in said
    assert "    1 test_some.py" in said


@pytest.mark.parametrize("file", ["portable/bin/runner", "tests/that-was-never-built"])
def test_so_is_one_that_reads_what_was_compiled_or_would_have_to_be(tmp_path: Path, file: str) -> None:
    said = run_quickly(
        tmp_path,
        f"from pathlib import Path\n"
        f"def test_reads(): Path('{HERE.build / file}').read_bytes()\n"
        f"def test_other(): Path('{__file__}').read_bytes()\n",
    )
    assert "1 passed, 1 skipped" in said


START = "import pytest, subprocess\ndef start(number):\n    for _ in range(number): subprocess.run(['true'])\n"


def test_so_is_one_that_starts_many_programs(tmp_path: Path) -> None:
    tests = "def test_a_hand_in(): start(12)\ndef test_a_class(): start(13)\n"
    assert "1 passed, 1 skipped" in run_quickly(tmp_path, START + tests)


def test_and_what_has_started_many_is_not_tried_again_with_other_parameters(tmp_path: Path) -> None:
    tests = "@pytest.mark.parametrize('number', [1, 13, 2, 3])\ndef test_some(number): start(number)\n"
    assert "1 passed, 3 skipped" in run_quickly(tmp_path, START + tests)


def test_nor_is_a_fixture_for_another_test(tmp_path: Path) -> None:
    tests = (
        "@pytest.fixture\ndef graded():\n    open('begun', 'a').write('x')\n    start(13)\n"
        "def test_one(graded): pass\ndef test_two(graded): pass\ndef test_three(): pass\n"
    )
    assert "1 passed, 2 skipped" in run_quickly(tmp_path, START + tests)
    assert (tmp_path / "begun").read_text() == "x"


def test_so_is_one_that_forks(tmp_path: Path) -> None:
    tests = "import os\ndef test_forks():\n    if os.fork() == 0: os._exit(0)\ndef test_other(): pass\n"
    assert "1 passed, 1 skipped" in run_quickly(tmp_path, tests)


def test_one_that_does_not_hear_of_it_in_its_thread_has_not_failed(tmp_path: Path) -> None:
    tests = (
        "import threading\n"
        "def quietly():\n    try: start(13)\n    except BaseException: pass\n"
        "def test_in_a_thread():\n"
        "    thread = threading.Thread(target=quietly); thread.start(); thread.join()\n    assert False\n"
        "def test_wrong(): assert False\n"
    )
    assert "1 failed, 1 skipped" in run_quickly(tmp_path, START + tests)
