"""make hazard-table, with programs that pretend to run on a GPU, and a compute-sanitizer that pretends to look."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from tmagrade.basics.paths import HERE
from tmagrade.findings.finding import codes

FOLDER = HERE.grader / "tests/hazards"
sys.path.insert(0, str(FOLDER))

import hazard_table  # noqa: E402
import measure  # noqa: E402

# The pair's name says what happens.
# Quoted, since the path may hold a space.
PROGRAM = """#!/usr/bin/env -S "{python}" -S
import sys, time
if sys.argv[1] == "list":
    print("fine\\nwrong\\nerror\\nhangs\\ncrashes\\nhidden")
    sys.exit()
pair = sys.argv[1] if sys.argv[2] == "mistaken" else "fine"
if pair == "hangs":
    print("begins", flush=True)
    time.sleep(60)
if pair == "crashes":
    sys.exit(139)
times = int(sys.argv[3].removeprefix("--repeat=")) if len(sys.argv) > 3 else 1
is_busy = "--busy" in sys.argv
wrong, error = int(pair == "wrong" or (pair == "hidden" and is_busy)), int(pair == "error")
print(f"ok={{times - wrong - error}} wrong={{wrong}} error={{error}}")
sys.exit(2 if error else wrong)
"""

SANITIZER = """#!/usr/bin/env -S "{python}" -S
import subprocess, sys
if sys.argv[1] == "--version":
    print("NVIDIA (R) Compute Sanitizer\\nVersion 2025.3.1.0 (build 1) (public-release)")
    sys.exit()
_, option, tool, program, pair, variant = sys.argv
print("========= COMPUTE-SANITIZER")
if tool == "synccheck" and pair == "hangs" and variant == "mistaken":
    print("========= Barrier error detected. Divergent thread(s) in block.\\n=========     at kernel", flush=True)
ran = subprocess.run([program, pair, variant])
if tool == "racecheck":
    found = int(pair == "fine")
    print(f"========= RACECHECK SUMMARY: {{found}} hazards displayed ({{found}} errors, 0 warnings)")
elif tool == "initcheck":
    print("========= Error: Device not supported. Please refer to the documentation.")
else:
    found = int(tool == "memcheck" and pair == "error" and variant == "mistaken")
    print(f"========= ERROR SUMMARY: {{found}} error{{'s' if found != 1 else ''}}")
sys.exit(ran.returncode)
"""


def executable(file: Path, text: str) -> Path:
    file.write_text(text.format(python=sys.executable))
    file.chmod(0o755)
    return file


@pytest.fixture(scope="module")
def measured(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("hazards")
    (folder / "programs").mkdir()
    for name in ("data-race", "data-race.more", "unusual-right"):
        executable(folder / "programs" / name, PROGRAM)
    sanitizer = executable(folder / "sanitizer", SANITIZER)
    options: list[str | Path] = [
        "--binaries",
        folder / "programs",
        "--sanitizer",
        sanitizer,
        "--jobs",
        "8",
        "--repeat",
        "20",
    ]
    limits = "HARDWARE_SECONDS, measure.SANITIZER_SECONDS, measure.SANITIZER_SECONDS_OF_HANGS = 5.0, 10.0, 4.0"
    program = f"import measure, sys; measure.{limits}; sys.exit(measure.main())"
    out = folder / "measured.json"
    # As on a machine with nothing else: no package, nothing of this repository but the one file.
    alone = folder / "alone"
    alone.mkdir()
    (alone / "measure.py").write_text((FOLDER / "measure.py").read_text())
    command: list[str | Path] = [sys.executable, "-S", "-c", program, "--measure", out, *options]
    ran = subprocess.run(command, capture_output=True, text=True, cwd=alone)
    assert ran.returncode == 0, ran.stderr
    assert "0 left for another time" in ran.stdout
    return out


def mistaken(file: Path, pair: str, program: str = "data-race") -> dict[str, Any]:
    outcomes: dict[str, Any] = json.loads(file.read_text())["results"][program][pair]["mistaken"]
    return outcomes


def test_wrong_results_errors_and_hangs_of_the_hardware_are_told_apart(measured: Path) -> None:
    found = {pair: mistaken(measured, pair)["hardware"] for pair in ("fine", "wrong", "error", "hangs", "crashes")}
    assert found == {
        "fine": {"ok": 20, "wrong": 0, "error": 0},
        "wrong": {"ok": 19, "wrong": 1, "error": 0},
        "error": {"ok": 19, "wrong": 0, "error": 1},
        "hangs": {"hung": True},
        "crashes": {"failed": 139},
    }
    assert [pair for pair, outcome in found.items() if not measure.is_wrong(outcome)] == ["fine"]


def test_what_shows_only_on_a_busy_gpu_is_wrong_on_hardware(measured: Path) -> None:
    hidden = mistaken(measured, "hidden")
    assert hidden["hardware"] == {"ok": 20, "wrong": 0, "error": 0}
    assert hidden["busy-hardware"] == {"ok": 19, "wrong": 1, "error": 0}
    assert hazard_table.Program("data-race", "hidden", hidden, {}).on_hardware
    assert not hazard_table.Program("data-race", "fine", mistaken(measured, "fine"), {}).on_hardware


def test_what_the_sanitizer_says_is_counted_also_when_it_is_stopped(measured: Path) -> None:
    assert mistaken(measured, "error")["memcheck"] == {"reports": 1}
    assert mistaken(measured, "wrong")["memcheck"] == {"reports": 0}
    assert mistaken(measured, "fine")["racecheck"] == {"reports": 1}
    assert mistaken(measured, "hangs")["synccheck"] == {"reports": 1, "hung": True}
    assert mistaken(measured, "hangs")["memcheck"] == {"reports": 0, "hung": True}


def test_a_tool_that_does_not_run_there_has_said_nothing(measured: Path) -> None:
    assert "failed" in mistaken(measured, "fine")["initcheck"]
    assert hazard_table.sanitizer_cell({tool: {"failed": "Device not supported"} for tool in measure.TOOLS[:3]}) == "–"


def test_programs_without_a_mistake_run_only_as_right_ones(measured: Path) -> None:
    data = json.loads(measured.read_text())
    assert all(set(found) == {"right"} for found in data["results"]["unusual-right"].values())


def test_a_file_that_is_there_is_continued(measured: Path, tmp_path: Path) -> None:
    copy = tmp_path / "measured.json"
    copy.write_text(measured.read_text())
    command: list[str | Path] = [
        sys.executable,
        FOLDER / "measure.py",
        "--measure",
        copy,
        "--binaries",
        measured.parent / "programs",
    ]
    more = [*command, "--sanitizer", measured.parent / "sanitizer", "--repeat", "20"]
    ran = subprocess.run(more, capture_output=True, text=True, check=True, timeout=60)
    assert ran.stdout.startswith("0 measured, 0 left")
    assert copy.read_text() == measured.read_text()


def test_nothing_begins_that_may_not_end_in_time(measured: Path, tmp_path: Path) -> None:
    out = tmp_path / "out.json"
    command: list[str | Path] = [
        sys.executable,
        FOLDER / "measure.py",
        "--measure",
        out,
        "--binaries",
        measured.parent / "programs",
    ]
    more = [*command, "--seconds", "1", "--programs", "data-race", "--sanitizer", measured.parent / "sanitizer"]
    ran = subprocess.run(more, capture_output=True, text=True, check=True, timeout=60)
    assert ran.stdout.startswith("0 measured, 72 left")


def test_the_page_counts_what_was_measured(measured: Path) -> None:
    data = json.loads(measured.read_text())
    for pairs in data["results"].values():
        for pair, variants in pairs.items():
            variants.setdefault("right", {})["tmaemu"] = []
            if "mistaken" in variants:
                variants["mistaken"]["tmaemu"] = ["data-race"] if pair != "fine" else ["deadlock"]
    data["machine"] = {"gpu": "NVIDIA H200", "driver": "580.1", "sanitizer": "2025.3.1.0"}
    page = hazard_table.rendered(data)
    assert "20 runs" in page
    assert "The GPU: NVIDIA H200, driver 580.1. compute-sanitizer 2025.3.1.0." in page
    assert "| [data-race](../findings/data-race.md) | 12 | 10 | 6 | 10 |" in page
    assert "| data-race: error | CUDA error | memcheck | data-race |" in page
    assert "| data-race: hangs | hangs | synccheck | data-race |" in page
    assert "| data-race.more: wrong | 1 of 20 wrong | nothing | data-race |" in page
    assert "| data-race: hidden | right; busy: 1 of 20 wrong | nothing | data-race |" in page
    assert "| racecheck | 18 | 3 |" in page
    assert "| initcheck | – | – |" in page
    assert "| tmaemu | 18 | 0 |" in page


def test_measurements_of_several_machines_are_put_together(measured: Path, tmp_path: Path) -> None:
    first, second = tmp_path / "first.json", tmp_path / "second.json"
    first.write_text(json.dumps({"repeat": 20, "results": {"a": {"b": {"mistaken": {"hardware": {"hung": True}}}}}}))
    second.write_text(json.dumps({"repeat": 30, "results": {"a": {"b": {"mistaken": {"memcheck": {"reports": 2}}}}}}))
    data = hazard_table.merged([first, second])
    assert data["repeat"] == 30
    assert data["results"]["a"]["b"]["mistaken"] == {"hardware": {"hung": True}, "memcheck": {"reports": 2}}
    assert json.loads(measure.text_of(data)) == data


def test_the_codes_are_read_from_what_tmaemu_prints() -> None:
    stderr = '{"code":"data-race"}\nsomething else\n{"stats":1}\n{"code":"deadlock"}\n{"code":"data-race"}\n'
    assert hazard_table.codes_of(stderr) == ["data-race", "deadlock"]


def test_the_page_in_the_handout_is_what_its_data_says() -> None:
    assert hazard_table.PAGE.read_text() == hazard_table.rendered(json.loads(hazard_table.DATA.read_text()))


def test_the_instructors_page_has_what_takes_hygiene_alone_and_what_was_measured_of_it() -> None:
    page = hazard_table.INSTRUCTORS.read_text()
    assert page == hazard_table.with_letter_rows(page, json.loads(hazard_table.DATA.read_text()))


def test_what_takes_hygiene_alone_no_gpu_has_shown() -> None:
    programs = hazard_table.programs_of(json.loads(hazard_table.DATA.read_text()))
    of_letter = [each for each in programs if each.code in codes() and codes()[each.code].cost == "hygiene"]
    assert len(of_letter) > 10
    assert [each for each in of_letter if each.on_hardware is not False] == []
