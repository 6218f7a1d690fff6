"""Whole CUDA programs under the emulator: each checks itself and says "ok" at the end."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

import pytest

from tmagrade.basics.paths import Repository
from tmagrade.machine.toolkit import find_toolkit

REPOSITORY = Path(__file__).parents[3]
HAS_CUBLAS = (find_toolkit(Repository(REPOSITORY)).nvcc.parent.parent / "include/cublasLt.h").exists()
PROGRAMS = sorted(
    f"programs/{source.stem}"
    for source in (REPOSITORY / "grader/tests/programs").glob("*.cu")
    if HAS_CUBLAS or not source.stem.startswith("cublas_")  # as programs.mk builds them
)
# Those that make mistakes: the others have no finding.
MISTAKEN = {
    "programs/device_explicit_cluster",
    "programs/device_findings_order",
    "programs/device_global_proxy_fence",
    "programs/device_mbarrier_after_inval",
    "programs/device_same_value",
    "programs/device_tensor_map_unfenced",
    "programs/runtime_fault_beside_a_waiter",
    "programs/runtime_faults",
    "programs/runtime_sticky_error",
    "programs/runtime_virtual_memory",
}
# The others of grader/tests/real take minutes to build; make test-real runs all.
REAL = [f"real/{name}" for name in (REPOSITORY / "grader/tests/real/quick.txt").read_text().split()]


@pytest.mark.parametrize("engine", ["late", "early", "random:1"])
@pytest.mark.parametrize("name", PROGRAMS + REAL)
def test_the_program_finds_what_an_h200_gives(name: str, engine: str) -> None:
    run = subprocess.run(
        [REPOSITORY / "build/bin/tmaemu", REPOSITORY / "build/tests" / name],
        env={**os.environ, "TMAEMU_ASYNC": engine},
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )
    assert run.returncode == 0, run.stdout + run.stderr
    assert run.stdout.splitlines()[-1:] == ["ok"], run.stdout + run.stderr
    assert ("error: " in run.stderr) == (name in MISTAKEN), run.stderr


def test_shared_memory_stands_in_the_folder_of_ones_choice(tmp_path: Path) -> None:
    def output(folder: Path) -> str:
        command = [REPOSITORY / "build/bin/tmaemu", REPOSITORY / "build/tests/programs/runtime_ipc"]
        environment = {**os.environ, "TMAEMU_SHARED_MEMORY": str(folder)}
        return subprocess.run(command, env=environment, capture_output=True, text=True, timeout=120).stdout

    assert output(tmp_path).endswith("ok\n")
    assert list(tmp_path.iterdir()) == []  # and it goes with its owner
    assert not output(tmp_path / "nowhere").endswith("ok\n")


def said_under(program: str, **settings: str) -> str:
    command = [REPOSITORY / "build/bin/tmaemu", REPOSITORY / "build/tests/programs" / program]
    environment = {**os.environ, **settings}
    return subprocess.run(command, env=environment, capture_output=True, text=True, timeout=120).stderr


def test_the_strict_check_says_that_it_found_nothing() -> None:
    assert said_under("device_invalidated_mbarrier", TMAEMU_CHECK="strict") == "strict check: nothing found\n"
    assert "nothing found" not in said_under("device_mbarrier_after_inval", TMAEMU_CHECK="strict")
    assert said_under("device_invalidated_mbarrier") == ""


def test_a_findings_page_is_found_from_where_the_program_runs() -> None:
    said = said_under("device_mbarrier_after_inval", TMAEMU_PAGES="../../")
    assert "\nread: ../../handout/findings/" in said


def findings_of(program: str) -> str:
    command = [REPOSITORY / "build/bin/tmaemu", REPOSITORY / "build/tests/programs" / program]
    return subprocess.run(command, capture_output=True, text=True, timeout=120, check=True).stderr


def test_a_proxy_fence_of_global_memory_is_none_of_shared_memory() -> None:
    findings = findings_of("device_global_proxy_fence")
    assert findings.count("error: ") == 1, findings


def test_a_map_that_a_kernel_changed_and_did_not_acquire_is_found() -> None:
    findings = findings_of("device_tensor_map_unfenced")
    assert findings.count("[missing-tensor-map-fence]") == 1, findings
    assert "note: the map was changed here" in findings


def test_an_mbarrier_is_used_after_it_was_invalidated() -> None:
    findings = findings_of("device_mbarrier_after_inval")
    assert "an mbarrier is used after it was invalidated" in findings
    assert findings_of("device_invalidated_mbarrier") == ""


def test_a_map_that_was_acquired_is_not() -> None:
    assert "missing-tensor-map-fence" not in findings_of("device_tensor_map_replace")
