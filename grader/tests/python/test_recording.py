"""`tmaemu --record` writes the steps of a launch: always the same, and with what they change."""

from __future__ import annotations

import json
import subprocess
from pathlib import Path
from typing import Any

import pytest

REPOSITORY = Path(__file__).parents[3]
TMAEMU = REPOSITORY / "build/bin/tmaemu"
PROGRAM = REPOSITORY / "build/tests/stats/tma_copies"


def record(file: Path, policy: str = "late") -> bytes:
    command: list[str | Path] = [TMAEMU, f"--record={file}", f"--async={policy}", PROGRAM]
    assert subprocess.run(command, capture_output=True, timeout=120, check=False).returncode == 0
    return file.read_bytes()


@pytest.fixture(scope="module")
def launches(tmp_path_factory: pytest.TempPathFactory) -> list[dict[str, Any]]:
    text = record(tmp_path_factory.mktemp("recording") / "recording.jsonl")
    return [json.loads(line) for line in text.splitlines()]


def moments(launch: dict[str, Any], kind: str) -> list[int]:
    return sorted(bulk[kind] for step in launch["steps"] for bulk in step.get("bulks", []) if kind in bulk)


@pytest.mark.parametrize("policy", ["late", "early", "random:7"])
def test_one_seed_gives_the_same_bytes(tmp_path: Path, policy: str) -> None:
    assert record(tmp_path / "a", policy) == record(tmp_path / "b", policy)


def test_each_launch_has_its_line(launches: list[dict[str, Any]]) -> None:
    assert launches
    assert all(launch["tmaemu_recording"] == 1 and launch["steps"] for launch in launches)


def test_what_is_issued_is_finished(launches: list[dict[str, Any]]) -> None:
    assert any(moments(launch, "issued") for launch in launches)
    for launch in launches:
        assert moments(launch, "issued") == moments(launch, "finished")


def test_a_load_changes_both_views(launches: list[dict[str, Any]]) -> None:
    views = {
        change[0]
        for launch in launches
        for step in launch["steps"]
        if "warp" not in step
        for change in step.get("memory", [])
    }
    assert views == {0, 1}


def test_a_file_that_cannot_be_written_is_an_error(tmp_path: Path) -> None:
    command: list[str | Path] = [TMAEMU, f"--record={tmp_path}/none/file", PROGRAM]
    done = subprocess.run(command, capture_output=True, text=True, timeout=120, check=False)
    assert done.returncode != 0
    assert "cannot write the recording" in done.stderr
