"""What a program gives under the emulator does not depend on the number of host threads."""

import os
import subprocess
from pathlib import Path

import pytest

REPOSITORY = Path(__file__).parents[3]


def emulate(program: str, threads: int) -> tuple[int, str, str]:
    run = subprocess.run(
        [REPOSITORY / "build/bin/tmaemu", REPOSITORY / "build/tests/programs" / program],
        env={**os.environ, "TMAEMU_THREADS": str(threads)},
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )
    return run.returncode, run.stdout, run.stderr


@pytest.mark.parametrize("threads", [2, 4])
def test_sums_in_any_order_and_clocks_have_the_same_bits(threads: int) -> None:
    assert emulate("device_between_ctas", threads) == emulate("device_between_ctas", 1)


@pytest.mark.parametrize("threads", [1, 2, 4])
def test_the_finding_told_is_that_of_the_first_block(threads: int) -> None:
    _, _, findings = emulate("device_findings_order", threads)
    assert "block (0,0,0), thread (0,0,0)" in findings
    assert "[missing-proxy-fence] was found 64 times" in findings


def test_no_reduction_of_the_tma_engine_is_lost_among_host_threads() -> None:
    assert emulate("device_integer_reductions", 4) == (0, "ok\n", "")
